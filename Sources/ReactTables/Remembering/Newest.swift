/// The output of an operator that makes it of the newest input alone, by no closure of the user's.
@usableFromInline struct Newest<Input: Sendable, Output: Equatable & Sendable>: Incremental {
    @usableFromInline let make: @Sendable (Input) -> Output
    @usableFromInline var output: Output

    /// `output` is that of an empty input.
    @inlinable init(_ output: Output, _ make: @escaping @Sendable (Input) -> Output) {
        self.output = output
        self.make = make
    }
    @inlinable static var wanted: StaticString { "only a value that differs from the last one" }
    @inlinable static var hasClosures: Bool { false }

    @inlinable mutating func update(to input: Input, _: inout Int) -> Bool {
        let old = output
        output = make(input)
        return output != old
    }
}
