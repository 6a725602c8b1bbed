/// Makes tuples of the elements of a pack, each by a closure of its own.
///
/// Generic code for a pack looks up each element's type at run time, which takes hundreds of instructions an element.
/// So the places of the elements are computed once, and each closure knows its type.
@usableFromInline struct TupleOfParts<Tuple: Sendable>: Sendable {
    /// Each writes its element into the tuple that begins at the address.
    @usableFromInline var parts: [@Sendable (UnsafeMutableRawPointer) -> Void] = []
    private var size = 0

    @usableFromInline init() {}

    /// Adds the next element. It stands at the next aligned offset after the one before, as in the layout of tuples.
    @usableFromInline mutating func add<Value>(_ value: @escaping @Sendable () -> Value) {
        let alignment = MemoryLayout<Value>.alignment
        let offset = (size + alignment - 1) / alignment * alignment
        size = offset + MemoryLayout<Value>.size
        parts.append { ($0 + offset).initializeMemory(as: Value.self, to: value()) }
    }
    @inlinable @inline(__always) func make() -> Tuple {
        withUnsafeTemporaryAllocation(of: Tuple.self, capacity: 1) { tuple in
            let begin = tuple.baseAddress.unsafelyUnwrapped
            for part in parts { part(UnsafeMutableRawPointer(begin)) }
            return begin.move()
        }
    }
}
