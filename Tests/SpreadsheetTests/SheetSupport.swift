import Foundation
import Testing

@testable import spreadsheet

extension Sheet {
    convenience init(_ csv: String) throws(InputError) {
        try self.init(csv: Array(csv.utf8), file: "test.csv")
    }

    subscript(name: String) -> CellValue { self[CellAddress(name)!] }

    func number(_ name: String) throws -> Double {
        guard case .number(let number) = self[name] else {
            Issue.record("\(name) holds \(self[name]), and no number")
            throw CellError.value
        }
        return number
    }

    /// Makes edits that are written as on the command line, all at once.
    @discardableResult
    func edit(_ edits: String...) throws -> Recalculation {
        apply(try edits.map { try Edit($0) })
    }
}

extension Sheet.Recalculation {
    /// The cells whose formulas were evaluated, row by row, each as often as it was.
    var evaluatedNames: [String] { evaluated.sorted().map(\.description) }
    var changeTexts: [String] { changes.map(\.description) }
}

/// The files that come with the example.
enum Sample {
    private static let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Examples/Spreadsheet")

    static let mortgage = directory.appendingPathComponent("Data/mortgage.csv").path
    static let budget = directory.appendingPathComponent("Data/budget.csv").path
    static let gridScript = directory.appendingPathComponent("grid.sh").path
}

/// Calls `body` with the path of a file that holds `content`, and removes the file.
func withFile<Result>(_ content: some Sequence<UInt8>, _ body: (String) throws -> Result) throws -> Result {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("sheet-\(UUID().uuidString).csv")
    try Data(content).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path)
}

func withFile<Result>(_ content: String, _ body: (String) throws -> Result) throws -> Result {
    try withFile(content.utf8, body)
}
