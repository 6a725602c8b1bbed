import ReactCore

/// The steps of a sum. A type for each kind of number, so that they are compiled for the type of the numbers.
@usableFromInline protocol SumSteps {
    associatedtype Number: AdditiveArithmetic & Sendable
    static func add(_ number: Number, to sum: inout Number)
    static func subtract(_ number: Number, from sum: inout Number)
}

/// The steps of integers. `+` of Swift ends an optimised program without a message if it overflows.
@usableFromInline enum CheckedSteps<Number: FixedWidthInteger & Sendable>: SumSteps {
    @inlinable static func add(_ number: Number, to sum: inout Number) {
        let (result, overflows) = sum.addingReportingOverflow(number)
        if overflows { refuseOverflow("\(sum) + \(number)", Number.self) }
        sum = result
    }
    @inlinable static func subtract(_ number: Number, from sum: inout Number) {
        let (result, overflows) = sum.subtractingReportingOverflow(number)
        if overflows { refuseOverflow("\(sum) - \(number)", Number.self) }
        sum = result
    }
}

@usableFromInline @inline(never) func refuseOverflow(_ step: String, _ type: Any.Type) -> Never {
    misuse("sum(of:): \(step) is no \(type), the sum overflows; sum a wider type, or Doubles, or numbers that saturate")
}
