import Foundation

/// The value of a cell. Errors are values like others, and travel along the formulas.
enum CellValue: Hashable, Sendable {
    case empty
    case number(Double)
    case text(String)
    case bool(Bool)
    case error(CellError)
}

/// An error that a formula has instead of a result. If it is thrown while a formula is evaluated, it becomes the
/// formula's value.
enum CellError: String, CaseIterable, Error {
    case divisionByZero = "#DIV/0!"
    /// An operand of the wrong kind, or a result that is not a finite number.
    case value = "#VALUE!"
    /// A reference to a cell outside the sheet.
    case reference = "#REF!"
    /// An unknown name or function.
    case name = "#NAME?"
    /// The cell is on a ring of references, or depends on one.
    case cycle = "#CYCLE!"
}

extension CellValue {
    /// The greatest length of a text, in UTF-16 units as in other spreadsheets. A longer text is `#VALUE!`. Without a
    /// limit, forty cells that each join the cell above to itself would fill the memory.
    static let longestText = 32_767

    /// The text, or `#VALUE!` if it is longer than `longestText`.
    init(text: String) {
        // Each byte of UTF-8 is at most one unit of UTF-16, and each unit at most three bytes.
        let bytes = text.utf8.count
        let fits =
            bytes <= CellValue.longestText
            || bytes <= 3 * CellValue.longestText && text.utf16.count <= CellValue.longestText
        self = fits ? .text(text) : .error(.value)
    }

    var isNumber: Bool { if case .number = self { true } else { false } }
    var isCycle: Bool { if case .error(.cycle) = self { true } else { false } }

    /// Reads a constant of a field or an edit: a number, TRUE or FALSE, an error, and otherwise text. A number may
    /// stand between spaces.
    init(constant text: String) {
        if text.isEmpty {
            self = .empty
        } else if let number = CellValue.readNumber(text) ?? CellValue.readNumber(betweenSpaces: text) {
            self = .number(number)
        } else if let bool = CellValue.readBool(text) {
            self = .bool(bool)
        } else if let error = CellError(rawValue: text) {
            self = .error(error)
        } else {
            self.init(text: text)
        }
    }

    /// Reads a finite decimal number, without spaces and digit grouping. The hexadecimal and named numbers of `Double`
    /// are not accepted.
    static func readNumber(_ text: String) -> Double? {
        let decimal = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard decimal, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    private static func readNumber(betweenSpaces text: String) -> Double? {
        guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return nil }
        return readNumber(text.trimmingCharacters(in: .whitespaces))
    }

    static func readBool(_ text: String) -> Bool? {
        switch text.utf8.count {
        case 4 where text.uppercased() == "TRUE": true
        case 5 where text.uppercased() == "FALSE": false
        default: nil
        }
    }

    /// The value without loss. A number is the shortest text that reads back as the same number.
    var plainText: String {
        switch self {
        case .empty: ""
        case .number(let number): number.plainText
        case .text(let text): text
        case .bool(let bool): bool ? "TRUE" : "FALSE"
        case .error(let error): error.rawValue
        }
    }
}

extension CellValue: CustomStringConvertible {
    /// The value for people to read.
    var description: String {
        if case .number(let number) = self { number.displayText } else { plainText }
    }
}

// The conversions that formulas apply to values. An error is never converted, but thrown.
extension CellValue {
    func asNumber() throws(CellError) -> Double {
        switch self {
        case .empty: return 0
        case .number(let number): return number
        case .bool(let bool): return bool ? 1 : 0
        case .error(let error): throw error
        case .text(let text):
            guard let number = CellValue.readNumber(text) else { throw .value }
            return number
        }
    }

    func asText() throws(CellError) -> String {
        if case .error(let error) = self { throw error }
        return plainText
    }

    func asBool() throws(CellError) -> Bool {
        switch self {
        case .empty: return false
        case .number(let number): return number != 0
        case .bool(let bool): return bool
        case .error(let error): throw error
        case .text(let text):
            guard let bool = CellValue.readBool(text) else { throw .value }
            return bool
        }
    }
}
