import ReactCore

/// The steps of a sum. A type for each kind of number, so that they are compiled for the type of the numbers.
@usableFromInline protocol SumSteps: Sendable {
    associatedtype Number: AdditiveArithmetic & Sendable
    func add(_ number: Number, to sum: inout Number)
    func subtract(_ number: Number, from sum: inout Number)
}

// The operators of any numbers are disfavoured, because they would be chosen for integers, too: they have fewer
// parameters.

/// The steps of integers. `+` of Swift ends an optimised program without a message if it overflows.
@usableFromInline struct CheckedSteps<Number: FixedWidthInteger & Sendable>: SumSteps {
    /// The operator's name, and the place of its call, for the message.
    @usableFromInline let (name, file, line): (StaticString, StaticString, UInt)

    @inlinable init(of name: StaticString, _ file: StaticString, _ line: UInt) {
        (self.name, self.file, self.line) = (name, file, line)
    }
    @inlinable func add(_ number: Number, to sum: inout Number) {
        let (result, overflows) = sum.addingReportingOverflow(number)
        if overflows { refuse("\(sum) + \(number)") }
        sum = result
    }
    @inlinable func subtract(_ number: Number, from sum: inout Number) {
        let (result, overflows) = sum.subtractingReportingOverflow(number)
        if overflows { refuse("\(sum) - \(number)") }
        sum = result
    }
    @usableFromInline @inline(never) func refuse(_ step: String) -> Never {
        misuse(
            "\(name): \(step) is no \(Number.self), the sum overflows; sum a wider type, or Doubles, or numbers that "
                + "saturate",
            file: file, line: line)
    }
}
