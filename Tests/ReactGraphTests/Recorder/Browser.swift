import Foundation
import TestSupport
import Testing

/// The real Chromium, which runs a recorder's page.
enum Browser {
    private static let places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    /// Its tests are skipped if it is missing, except in the gate, which installs it. A sanitizer finds nothing in the page's script.
    static let isAvailable =
        !Scale.isSanitized
        && (ProcessInfo.processInfo.environment["EASYREACT_GATE"] != nil
            || places.contains { FileManager.default.isExecutableFile(atPath: $0) })

    /// What an expression of the page's own script comes to when the page is open.
    static func ask<Answer: Decodable>(_ page: String, _ expression: String) throws -> Answer {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("page.html")
        // As a number for each character: so nothing in it is taken for HTML.
        let question = """
            <script>
            const answer = [...new TextEncoder().encode(JSON.stringify(\(expression)))].join(' ');
            document.body.replaceChildren(html('output', answer));
            </script></body>
            """
        try Data(page.replacing("</body>", with: question).utf8).write(to: file)
        func numbers(in text: String) -> Substring? { text.firstMatch(of: #/<output>([0-9 ]+)<\/output>/#)?.1 }
        var text = try contents(of: file, in: folder)
        // On a busy machine the browser may give up before the script has run.
        if numbers(in: text) == nil { text = try contents(of: file, in: folder) }
        let answer = try #require(numbers(in: text), "\(text.suffix(2_000))")
        return try JSONDecoder().decode(Answer.self, from: Data(answer.split(separator: " ").compactMap { UInt8($0) }))
    }
    /// What the page in `file` has come to when its script has run, as HTML. `folder` is for what the browser writes.
    private static func contents(of file: URL, in folder: URL) throws -> String {
        let output = folder.appendingPathComponent("out")
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(
            fileURLWithPath: places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? places[0])
        // With a profile of its own: another test may run one at the same time. Shared memory is small in a container.
        process.arguments =
            ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]
            + ["--virtual-time-budget=20000", "--user-data-dir=\(folder.appendingPathComponent("profile").path)"]
            + [file.absoluteString]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        let hasEnded = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in hasEnded.signal() }
        try process.run()
        if hasEnded.wait(timeout: .now() + 600) == .timedOut { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }
}
