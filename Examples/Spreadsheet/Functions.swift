import Foundation

/// The functions, except IF, which the parser compiles to jumps.
enum Function: String, Hashable, Sendable {
    case sum = "SUM"
    case average = "AVERAGE"
    case minimum = "MIN"
    case maximum = "MAX"
    case count = "COUNT"
    case round = "ROUND"
    case absolute = "ABS"
    case squareRoot = "SQRT"
    case payment = "PMT"

    var arity: ClosedRange<Int> {
        switch self {
        case .sum, .average, .minimum, .maximum, .count: 1...(.max)
        case .round: 1...2
        case .absolute, .squareRoot: 1...1
        case .payment: 3...5
        }
    }

    var takesRanges: Bool {
        switch self {
        case .sum, .average, .minimum, .maximum, .count: true
        case .round, .absolute, .squareRoot, .payment: false
        }
    }

    /// Precondition: as many arguments as `arity` says.
    func value(_ arguments: ArraySlice<Operand>) throws(CellError) -> CellValue {
        let arguments = Arguments(operands: arguments)
        switch self {
        case .sum:
            return try .finite(arguments.reduce(0) { $0 + $1 })
        case .average:
            let (sum, count) = try arguments.reduce((0, 0.0)) { ($0.0 + $1, $0.1 + 1) }
            guard count > 0 else { throw .divisionByZero }
            return try .finite(sum / count)
        case .minimum:
            return .number(try arguments.reduce(nil) { Swift.min($0 ?? $1, $1) } ?? 0)
        case .maximum:
            return .number(try arguments.reduce(nil) { Swift.max($0 ?? $1, $1) } ?? 0)
        case .count:
            return .number(Double(arguments.count))
        case .round:
            return try .finite(rounded(arguments[0], toDecimals: arguments[1, or: 0]))
        case .absolute:
            return .number(abs(try arguments[0]))
        case .squareRoot:
            return try .finite(arguments[0].squareRoot())
        case .payment:
            return try .finite(
                annuity(
                    rate: arguments[0],
                    periods: arguments[1],
                    present: arguments[2],
                    future: arguments[3, or: 0],
                    dueAtStart: arguments[4, or: 0] != 0
                )
            )
        }
    }
}

/// The arguments of a call as numbers.
private struct Arguments {
    let operands: ArraySlice<Operand>

    subscript(index: Int) -> Double {
        get throws(CellError) {
            switch operands[operands.startIndex + index] {
            case .value(let value): return try value.asNumber()
            case .range(let values):
                guard values.count == 1 else { throw .value }
                return try values[0].asNumber()
            case .largeRange: throw .value
            }
        }
    }

    subscript(index: Int, or fallback: Double) -> Double {
        get throws(CellError) { index < operands.count ? try self[index] : fallback }
    }

    /// Folds the numbers. Cells of a range without a number are skipped. An argument that is a single value must read
    /// as a number.
    func reduce<Result>(
        _ initial: Result,
        _ combine: (Result, Double) -> Result
    ) throws(CellError) -> Result {
        var result = initial
        func take(_ value: CellValue) throws(CellError) {
            switch value {
            case .number(let number): result = combine(result, number)
            case .error(let error): throw error
            case .empty, .text, .bool: break
            }
        }
        for operand in operands {
            switch operand {
            case .value(let value): result = combine(result, try value.asNumber())
            case .range(let values): for value in values { try take(value) }
            case .largeRange(let contents): try contents.forEach(take)
            }
        }
        return result
    }

    /// Counts the numbers. Errors are not numbers, and do not fail the count.
    var count: Int {
        operands.reduce(0) { count, operand in
            switch operand {
            case .value(let value): count + ((try? value.asNumber()) == nil ? 0 : 1)
            case .range(let values): count + values.count(where: \.isNumber)
            case .largeRange(let contents): count + contents.numberCount
            }
        }
    }
}

/// Rounds half away from zero. A number that is a half in 15 decimal digits counts as a half: 2.675 to two decimals is
/// 2.68, though the nearest `Double` lies below.
private func rounded(_ number: Double, toDecimals decimals: Double) -> Double {
    let decimals = decimals.rounded(.towardZero)
    let scale = pow(10, abs(decimals))
    guard scale.isFinite else { return decimals > 0 ? number : 0 }
    let scaled = decimals < 0 ? number / scale : number * scale
    guard abs(scaled) < 0x1p52 else { return number }
    // For greater numbers, the correction would exceed the error that 15 digits leave open.
    let nearest = abs(scaled) < 1e14 ? scaled * (1 + 0x1p-51) : scaled
    let whole = nearest.rounded(.toNearestOrAwayFromZero)
    return decimals < 0 ? whole * scale : whole / scale
}

/// Returns the payment for each period that turns `present` into `-future` after `periods`.
private func annuity(
    rate: Double,
    periods: Double,
    present: Double,
    future: Double,
    dueAtStart: Bool
) throws(CellError) -> Double {
    guard periods != 0 else { throw .divisionByZero }
    guard rate != 0 else { return -(present + future) / periods }
    // (1 + rate)^periods - 1, exact for small rates too.
    let growth = expm1(periods * log1p(rate))
    return -rate * (present * (growth + 1) + future) / (growth * (dueAtStart ? 1 + rate : 1))
}
