/// The address of a cell, such as `B2`: column B, row 2. Addresses are ordered row by row.
struct CellAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Row and column in one number, the row in the higher bits. It orders and hashes as the address does.
    private let place: Int

    /// The number of the column, counted from 1.
    var column: Int { place & 0x7FFF }
    var row: Int { place >> 15 }

    /// The last cell, `XFD1048576`, as in the other spreadsheets.
    static let last = CellAddress(column: 16_384, row: 1_048_576)

    init(column: Int, row: Int) {
        place = row << 15 | column
    }

    /// Reads `B2`, `$B$2` and `b2`. `nil` for anything else, and for a cell outside the sheet.
    init?(_ text: some StringProtocol) {
        guard case .inside(let address) = CellAddress.read(text.utf8) else { return nil }
        self = address
    }

    /// The reading of a text as a cell address.
    enum Reading: Equatable {
        case inside(CellAddress)
        /// An address of a cell that no sheet has: `A0`, `ZZZ1`.
        case outside
        case notAnAddress
    }

    /// One to three letters and then digits, a `$` before either, read as an address.
    static func read(_ text: some Sequence<UInt8>) -> Reading {
        var column = 0
        var row = 0
        var letters = 0
        var digits = 0
        var rowIsFixed = false
        for (index, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "$") where index == 0: break
            case UInt8(ascii: "$") where letters > 0 && digits == 0 && !rowIsFixed:
                rowIsFixed = true
            case UInt8(ascii: "A")...UInt8(ascii: "Z") where digits == 0 && !rowIsFixed,
                UInt8(ascii: "a")...UInt8(ascii: "z") where digits == 0 && !rowIsFixed:
                letters += 1
                guard letters <= 3 else { return .notAnAddress }
                column = column * 26 + Int(byte & 0x1F)
            case UInt8(ascii: "0")...UInt8(ascii: "9") where letters > 0:
                digits += 1
                row = min(row * 10 + Int(byte - UInt8(ascii: "0")), last.row + 1)
            default: return .notAnAddress
            }
        }
        guard digits > 0 else { return .notAnAddress }
        guard 1...last.column ~= column, 1...last.row ~= row else { return .outside }
        return .inside(CellAddress(column: column, row: row))
    }

    static func columnName(_ column: Int) -> String {
        var name = ""
        var rest = column
        while rest > 0 {
            name = String(UnicodeScalar(UInt8(ascii: "A") + UInt8((rest - 1) % 26))) + name
            rest = (rest - 1) / 26
        }
        return name
    }

    var description: String { CellAddress.columnName(column) + String(row) }

    static func < (lhs: CellAddress, rhs: CellAddress) -> Bool { lhs.place < rhs.place }
}

/// A rectangle of cells, such as `B2:C9`. Any two opposite corners may name it.
struct CellRange: Hashable, Sendable, CustomStringConvertible {
    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>

    init(_ corner: CellAddress, _ opposite: CellAddress) {
        columns = min(corner.column, opposite.column)...max(corner.column, opposite.column)
        rows = min(corner.row, opposite.row)...max(corner.row, opposite.row)
    }

    var count: Int { columns.count * rows.count }

    func contains(_ address: CellAddress) -> Bool {
        columns.contains(address.column) && rows.contains(address.row)
    }

    var description: String {
        let first = CellAddress(column: columns.lowerBound, row: rows.lowerBound)
        return "\(first) … \(CellAddress(column: columns.upperBound, row: rows.upperBound))"
    }

    /// The cells, row by row.
    var addresses: some Sequence<CellAddress> {
        rows.lazy.flatMap { row in columns.lazy.map { CellAddress(column: $0, row: row) } }
    }
}
