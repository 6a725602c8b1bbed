import Foundation
import TestSupport
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
        let lines = Declared.text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
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

    /// The operators that the sources declare.
    static let declaredOperators = Declared.operators.union(Declared.timeOperators)

    private static let guides = ["ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "ReactTesting"].flatMap
    {
        Declared.files("md", in: $0)
    }
}
