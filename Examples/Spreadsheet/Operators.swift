import Foundation

/// A binary operator.
enum BinaryOperator: Hashable, Sendable {
    case add, subtract, multiply, divide, power, join
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    init?(_ symbol: Token.Symbol) {
        switch symbol {
        case .plus: self = .add
        case .minus: self = .subtract
        case .times: self = .multiply
        case .divided: self = .divide
        case .power: self = .power
        case .ampersand: self = .join
        case .equal: self = .equal
        case .notEqual: self = .notEqual
        case .less: self = .less
        case .lessOrEqual: self = .lessOrEqual
        case .greater: self = .greater
        case .greaterOrEqual: self = .greaterOrEqual
        case .open, .close, .comma, .colon: return nil
        }
    }

    /// The precedence. An operator with a higher one binds more tightly.
    var precedence: Int {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: 1
        case .join: 2
        case .add, .subtract: 3
        case .multiply, .divide: 4
        case .power: 5
        }
    }

    /// If an operand is an error, it is the result. If both are, the left one is the result.
    func value(_ left: CellValue, _ right: CellValue) throws(CellError) -> CellValue {
        switch self {
        case .add: return try .finite(left.asNumber() + right.asNumber())
        case .subtract: return try .finite(left.asNumber() - right.asNumber())
        case .multiply: return try .finite(left.asNumber() * right.asNumber())
        case .divide:
            let (dividend, divisor) = (try left.asNumber(), try right.asNumber())
            guard divisor != 0 else { throw .divisionByZero }
            return try .finite(dividend / divisor)
        case .power:
            let (base, exponent) = (try left.asNumber(), try right.asNumber())
            guard base != 0 || exponent >= 0 else { throw .divisionByZero }
            return try .finite(pow(base, exponent))
        case .join: return CellValue(text: try left.asText() + right.asText())
        case .equal: return .bool(try left.order(comparedTo: right) == 0)
        case .notEqual: return .bool(try left.order(comparedTo: right) != 0)
        case .less: return .bool(try left.order(comparedTo: right) < 0)
        case .lessOrEqual: return .bool(try left.order(comparedTo: right) <= 0)
        case .greater: return .bool(try left.order(comparedTo: right) > 0)
        case .greaterOrEqual: return .bool(try left.order(comparedTo: right) >= 0)
        }
    }
}

extension CellValue {
    /// Returns the number, or `#VALUE!` after an overflow or an undefined operation.
    static func finite(_ number: Double) throws(CellError) -> CellValue {
        guard number.isFinite else { throw .value }
        return .number(number)
    }

    /// Returns a negative number if this value comes first, and 0 if the two are equal. Numbers come before texts, and
    /// texts before FALSE and TRUE. Letter case makes no difference. An empty cell is like 0, "" or FALSE, to suit the
    /// other value.
    fileprivate func order(comparedTo other: CellValue) throws(CellError) -> Int {
        switch (self, other) {
        case (.error(let error), _), (_, .error(let error)): throw error
        case (.empty, .empty): return 0
        case (.empty, .number), (.number, .empty), (.number, .number):
            return order(try asNumber(), try other.asNumber())
        case (.empty, .bool), (.bool, .empty), (.bool, .bool):
            return order(try asNumber(), try other.asNumber())
        case (.empty, .text), (.text, .empty), (.text, .text):
            return order(try asText().lowercased(), try other.asText().lowercased())
        case (.number, .text), (.number, .bool), (.text, .bool): return -1
        case (.text, .number), (.bool, .number), (.bool, .text): return 1
        }
    }

    private func order<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left == right ? 0 : 1 }
}
