import Foundation

/// Lines up text in columns: the first three to the left, the others to the right.
struct Table {
    private let widths: [Int]
    private static let leftAligned = 3

    /// Columns wide enough for their heads and cells, each at least as wide as its number.
    init(_ heads: [String], _ columns: [[String]], atLeast widths: [Int]) {
        self.widths = zip(zip(heads, columns), widths).map { column, least in
            ([column.0] + column.1).reduce(least) { Swift.max($0, $1.count) }
        }
    }

    func line(_ cells: [String]) -> String {
        let padded = zip(cells, widths).enumerated().map { index, cell in
            let (text, width) = cell
            let padding = String(repeating: " ", count: Swift.max(0, width - text.count))
            return index < Self.leftAligned ? text + padding : padding + text
        }
        return padded.joined(separator: "  ")
    }
}

/// The report of a run: printed row by row as it comes.
struct Report {
    private static let heads = ["case", "size", "metric", "median", "min", "baseline", "goal", "ratio"]
    private let table: Table

    init(of cases: [Case]) {
        let columns = [cases.map(\.name), cases.map(\.size), cases.map(\.metric.description), [], [], [], [], []]
        table = Table(Self.heads, columns, atLeast: [0, 0, 0, 10, 10, 16, 12, 6])
    }

    var head: String { table.line(Self.heads) }

    func line(_ row: Row, of subject: Case) -> String {
        let mark = subject.goal?.verdict(on: row, of: subject).rawValue ?? ""
        let limit =
            switch subject.goal {
            case .ratio(let limit): "≤ \(format(limit))× "
            case .value(let limit): "≤ \(format(limit)) "
            case .more(let limit): "≤ +\(format(limit)) "
            case nil: ""
            }
        let baseline = row.baseline.map { "\(row.floor ?? "") \(format($0))" } ?? ""
        return table.line([
            row.name, row.size, row.metric, format(row.median), format(row.min), baseline, limit + mark,
            row.ratio.map { format($0) + "×" } ?? "",
        ])
    }
}

/// Three digits that matter: 0.02, 1.23, 45.6, 789.
func format(_ value: Double) -> String {
    let digits = abs(value) < 10 ? 2 : abs(value) < 100 ? 1 : 0
    return String(format: "%.\(digits)f", value)
}
