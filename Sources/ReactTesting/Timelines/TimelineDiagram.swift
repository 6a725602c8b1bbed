/// A value that comes to a node, or its emptying.
enum Event: Equatable, Sendable {
    case value(String)
    case emptied
}

/// A mistake in a diagram, or a difference between a diagram and the values heard.
public struct TimelineError: Error, Equatable, CustomStringConvertible {
    /// The text of the error: the tick, the row, and the two values where these differ.
    public let description: String

    /// Makes an error with that text.
    public init(_ description: String) { self.description = description }
}

/// Rows of events over time, written as aligned text.
///
///     source  a-(bc)-~
///     copy    a-(bc)- -
///
/// A row is a name and, after it, one cell for each tick:
///
/// | cell     | events in that tick                                          |
/// |----------|--------------------------------------------------------------|
/// | `-`      | nothing                                                      |
/// | `a`      | the value "a"; any character without a meaning of its own    |
/// | `'text'` | a value of more or fewer characters than one; `''` in it is a quote, and `\n` a new line |
/// | `~`      | the node is emptied                                          |
/// | `(ab~)`  | several of these, in this order                              |
///
/// Spaces between cells have no meaning. They keep rows aligned beneath a tick that needs more than one character.
struct TimelineDiagram: Equatable {
    struct Row: Equatable {
        let name: String
        var cells: [[Event]]
    }
    var rows: [Row]

    var tickCount: Int { rows.first?.cells.count ?? 0 }

    subscript(name: String) -> Row? { rows.first { $0.name == name } }
}

// MARK: - Reading

extension TimelineDiagram {
    /// Reads a diagram. Blank lines are skipped.
    init(_ text: String) throws(TimelineError) {
        rows = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            var reader = RowReader(line: line, number: index + 1)
            guard let row = try reader.readRow() else { continue }
            guard self[row.name] == nil else { throw reader.error("there is a row named \(row.name) already") }
            guard rows.isEmpty || row.cells.count == tickCount else {
                throw reader.error("\(row.name) has \(row.cells.count) ticks, and the rows above it have \(tickCount)")
            }
            rows.append(row)
        }
        guard !rows.isEmpty else { throw TimelineError("The diagram has no rows.") }
    }
}

private struct RowReader {
    let line: Substring
    let number: Int
    var rest: Substring

    init(line: Substring, number: Int) {
        self.line = line
        self.number = number
        rest = line
    }

    func error(_ problem: String) -> TimelineError {
        let column = line.distance(from: line.startIndex, to: rest.startIndex) + 1
        return TimelineError("Line \(number), column \(column) of the diagram: \(problem).")
    }

    mutating func skipSpaces() { rest = rest.drop { $0 == " " } }

    mutating func readRow() throws(TimelineError) -> TimelineDiagram.Row? {
        skipSpaces()
        let name = rest.prefix { $0 != " " }
        guard !name.isEmpty else { return nil }
        rest = rest[name.endIndex...]
        skipSpaces()
        var cells: [[Event]] = []
        while !rest.isEmpty {
            cells.append(try readCell())
            skipSpaces()
        }
        guard !cells.isEmpty else { throw error("\(name) has no ticks") }
        return TimelineDiagram.Row(name: String(name), cells: cells)
    }

    mutating func readCell() throws(TimelineError) -> [Event] {
        switch rest.first {
        case "-":
            rest.removeFirst()
            return []
        case "(":
            let group = rest
            rest.removeFirst()
            var events: [Event] = []
            while let next = rest.first, next != ")" {
                if next == "-" || next == "(" { throw error("‘\(next)’ cannot stand in a group") }
                events.append(try readEvent())
            }
            if rest.isEmpty {
                rest = group
                throw error("the group that begins here is not closed")
            }
            if events.count < 2 {
                rest = group
                throw error("a group has two events or more")
            }
            rest.removeFirst()
            return events
        case ")":
            throw error("‘)’ closes no group")
        default:
            return [try readEvent()]
        }
    }

    mutating func readEvent() throws(TimelineError) -> Event {
        let start = rest
        switch rest.removeFirst() {
        case "~":
            return .emptied
        case "'":
            var text = ""
            while true {
                let part = rest.prefix { $0 != "'" }
                guard part.endIndex < rest.endIndex else {
                    rest = start
                    throw error("the text that begins here is not closed")
                }
                text += part
                rest = rest[part.endIndex...].dropFirst()
                // Two quotes stand for one. An empty text is two quotes, and no third follows.
                guard rest.first == "'" else { break }
                text += "'"
                rest = rest.dropFirst()
            }
            return .value(text.replacing("\\n", with: "\n"))
        case " ":
            rest = start
            throw error("a space cannot stand in a group")
        case let character:
            return .value(String(character))
        }
    }
}

// MARK: - Writing

extension Event: CustomStringConvertible {
    var description: String {
        switch self {
        case .emptied: "~"
        case .value(let text):
            text.count == 1 && !"-~() '\n".contains(text)
                ? text : "'\(text.replacing("'", with: "''").replacing("\n", with: "\\n"))'"
        }
    }
}

extension TimelineDiagram {
    /// A cell as text.
    static func text(of cell: [Event]) -> String {
        switch cell.count {
        case 0: "-"
        case 1: cell[0].description
        default: "(" + cell.map(\.description).joined() + ")"
        }
    }

    /// The rows as text under a ruler of ticks, aligned by name and by tick.
    var aligned: String {
        let columns = rows.map(\.cells.count).max() ?? 0
        let ruler = (0..<columns).map { String($0 % 10) }
        var table = [("tick", ruler)]
        for row in rows {
            table.append((row.name, row.cells.map(TimelineDiagram.text)))
        }
        let nameWidth = table.map(\.0.count).max() ?? 0
        let widths = (0..<columns).map { column in
            table.map { _, cells in column < cells.count ? cells[column].count : 0 }.max() ?? 0
        }
        return table.map { name, cells in
            let line = zip(cells, widths).map { $0.padded(to: $1) }.joined()
            return "  \(name.padded(to: nameWidth))  \(line)".trimmingTrailingSpaces()
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate func trimmingTrailingSpaces() -> String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
