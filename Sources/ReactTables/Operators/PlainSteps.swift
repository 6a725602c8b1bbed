/// The steps of any numbers.
@usableFromInline enum PlainSteps<Number: AdditiveArithmetic & Sendable>: SumSteps {
    @inlinable static func add(_ number: Number, to sum: inout Number) { sum += number }
    @inlinable static func subtract(_ number: Number, from sum: inout Number) { sum -= number }
}
