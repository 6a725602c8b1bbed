import Foundation
import Testing

/// A timeline drawing of a guide: a code block marked `timeline`.
///
///     a              1----2----
///     b              --x-----y-
///     combine(a, b)  --1--2--2-
///                      x  x  y
///
/// A row is a label, two spaces or more, and a character for each tick: `-` is nothing, `~` empties the node, all else
/// is a value. A row without a label goes on with the values of the row above it, column by column.
struct Drawing: Sendable, CustomTestStringConvertible {
    struct Row: Sendable {
        let label: String
        fileprivate let column: Int
        fileprivate(set) var cells: [String]

        /// The label as `ReactTesting` takes it for a row's name: its spaces do not end it.
        var name: String { label.replacing(" ", with: "\u{A0}") }
    }
    /// File and line.
    let place: String
    private(set) var rows: [Row] = []

    var testDescription: String { place }

    /// As `ReactTesting` reads it.
    var diagram: String {
        rows.map { row in
            let cells = row.cells.map { $0.count == 1 ? $0 : "'\($0)'" }
            return "\(row.name) \(cells.joined(separator: " "))"
        }.joined(separator: "\n")
    }

    fileprivate mutating func add(_ line: String) {
        let label =
            line.prefix { $0 == " " }.isEmpty
            ? String(line.prefix(upTo: line.firstRange(of: "  ")?.lowerBound ?? line.endIndex)) : ""
        let marks = line.dropFirst(label.count).drop { $0 == " " }
        let column = line.distance(from: line.startIndex, to: marks.startIndex)
        if label.isEmpty, let last = rows.indices.last {
            for (index, mark) in marks.enumerated() where mark != " " {
                let tick = column + index - rows[last].column
                if rows[last].cells.indices.contains(tick) { rows[last].cells[tick].append(mark) }
            }
        } else {
            rows.append(Row(label: label, column: column, cells: marks.map(String.init)))
        }
    }
}

extension Drawing {
    /// The drawings of all guides.
    static let all: [Drawing] = guides.flatMap { file in
        var drawings: [Drawing] = []
        var isInside = false
        let lines = text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            switch line {
            case "```timeline":
                drawings.append(Drawing(place: "\(file.lastPathComponent):\(index + 1)"))
                isInside = true
            case "```": isInside = false
            default: if isInside { drawings[drawings.count - 1].add(String(line)) }
            }
        }
        return drawings
    }

    /// The operators that the sources declare: every public function of ReactOperators, and those on `Node` of
    /// ReactScheduling that make a node, but for what comes from Observation: the main actor says when, and no scheduler.
    static let declaredOperators: Set<String> = {
        let operators = files("swift", in: "ReactOperators").flatMap { functions(in: text(of: $0)) }
        let scheduling = files("swift", in: "ReactScheduling").filter { !$0.path.contains("/Observation/") }
        let timed = scheduling.map(text).flatMap { text in
            text.split(separator: /\nextension Node (?:where [^{]*)?{\n/).dropFirst().flatMap {
                functions(in: String($0.prefix(upTo: $0.firstRange(of: "\n}")!.lowerBound)), making: "Node<")
            }
        }
        // How a function that was given to an operator reads and sends, and what makes no node, is no operator.
        let others: Set = ["callAsFunction", "ifAny", "untracked", "effect"]
        // What is short for an operator on the main queue is drawn as that operator.
        return Set(operators + timed.map { $0.replacing("OnMainQueue", with: "") }).subtracting(others)
    }()

    private static func functions(in text: String, making result: String = "") -> [String] {
        let all = text.matches(of: /public (?:static )?func `?(\w+)([^{]*)/)
        return all.filter { result.isEmpty || $0.2.contains("-> \(result)") }.map { String($0.1) }
    }

    private static let guides = ["ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "ReactTesting"].flatMap
    {
        files("md", in: $0)
    }

    private static func files(_ kind: String, in module: String) -> [URL] {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let found = FileManager.default.enumerator(
            at: sources.appendingPathComponent(module), includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == kind }.sorted { $0.path < $1.path }
    }

    private static func text(of file: URL) -> String {
        (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
}
