/// The steps of any numbers.
@usableFromInline struct PlainSteps<Number: AdditiveArithmetic & Sendable>: SumSteps {
    @inlinable init() {}
    @inlinable func add(_ number: Number, to sum: inout Number) { sum += number }
    @inlinable func subtract(_ number: Number, from sum: inout Number) { sum -= number }
}
