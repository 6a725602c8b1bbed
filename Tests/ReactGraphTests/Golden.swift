import Foundation
import Testing

/// Texts that are compared whole with a file in the folder `Golden`.
///
/// To write the files anew, run the tests with RECORD_GOLDEN=1, and read what has changed before it is committed.
enum Golden {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Golden"
    )

    static func expect(_ text: String, is file: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let url = folder.appendingPathComponent(file)
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
            try Data(text.utf8).write(to: url)
            Issue.record("Recorded \(file): run again without RECORD_GOLDEN.", sourceLocation: sourceLocation)
            return
        }
        let expected = (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            text == expected, "differs from Golden/\(file); RECORD_GOLDEN=1 writes the file anew",
            sourceLocation: sourceLocation)
    }
}
