import Streams

/// A sheet as aligned text: column letters on top, row numbers at the left, numbers to the right of their columns and
/// text to the left. A text with nothing to its right may be longer than its column is wide.
struct Table {
    private struct Entry {
        let column: Int
        let text: String
        let isText: Bool
        var width: Int { text.displayWidth }
    }

    private static let gap = "  "
    private var rows: [[Entry]] = []
    private var widths: [Int]

    init(_ sheet: Sheet) {
        let filledRows = sheet.filledRows
        let amounts = Table.wholeAmounts(in: sheet, filledRows)
        widths = (0..<sheet.columnCount).map { CellAddress.columnName($0 + 1).count }
        for addresses in filledRows {
            let row = addresses.map { address in
                Table.entry(for: address, in: sheet, asAmount: amounts.contains(address))
            }
            for (index, entry) in row.enumerated() where !(entry.isText && index == row.count - 1) {
                widths[entry.column] = max(widths[entry.column], entry.width)
            }
            rows.append(row)
        }
    }

    /// Writes the table line by line, without spaces at the ends of lines.
    func write(to write: (String) -> Void) {
        guard !rows.isEmpty else { return }
        let numberWidth = String(rows.count).count
        let letters = widths.indices.map { Entry(column: $0, text: CellAddress.columnName($0 + 1), isText: true) }
        write(line(letters, after: String(repeating: " ", count: numberWidth)))
        for (index, row) in rows.enumerated() {
            let number = String(index + 1)
            write(line(row, after: String(repeating: " ", count: numberWidth - number.count) + number))
        }
    }

    private func line(_ entries: [Entry], after start: String) -> String {
        var line = start
        var pending = 0  // spaces, which are written only if something follows them
        var column = 0
        for entry in entries {
            while column < entry.column {
                pending += Table.gap.count + widths[column]
                column += 1
            }
            let slack = max(0, widths[column] - entry.width)
            line += String(repeating: " ", count: pending + Table.gap.count + (entry.isText ? 0 : slack)) + entry.text
            pending = entry.isText ? slack : 0
            column += 1
        }
        return line + "\n"
    }

    private static func entry(for address: CellAddress, in sheet: Sheet, asAmount: Bool) -> Entry {
        let value = sheet[address]
        let text =
            if let constant = sheet.constant(at: address) {
                constant
            } else if asAmount, case .number(let number) = value {
                number.displayText(decimals: 2)
            } else {
                value.description
            }
        let isText = if case .text = value { true } else { false }
        return Entry(column: address.column - 1, text: text.withControlPictures, isText: isText)
    }

    /// Returns the computed whole numbers among amounts of money: those between two texts of a column where most
    /// numbers have cents. They are written with two decimals, so that the column is aligned. Constants stay as they
    /// were typed.
    private static func wholeAmounts(in sheet: Sheet, _ filledRows: [[CellAddress]]) -> Set<CellAddress> {
        struct Run {
            var count = 0
            var amounts = 0
            var whole: [CellAddress] = []
        }
        var runs = Array(repeating: Run(), count: sheet.columnCount)
        var found: Set<CellAddress> = []

        func end(_ run: Run) {
            if run.amounts * 2 > run.count { found.formUnion(run.whole) }
        }
        for address in filledRows.joined() {
            let index = address.column - 1
            switch sheet[address] {
            case .number(let number):
                let constant = sheet.constant(at: address)
                runs[index].count += 1
                if constant.map({ $0.dropLast(2).last == "." }) ?? number.isAmount { runs[index].amounts += 1 }
                if constant == nil, number.isWhole { runs[index].whole.append(address) }
            case .text:
                end(runs[index])
                runs[index] = Run()
            case .empty, .bool, .error: break
            }
        }
        runs.forEach(end)
        return found
    }
}
