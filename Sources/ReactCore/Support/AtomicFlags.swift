import Synchronization

/// Bits in one word, which any thread may read. Reads and changes put nothing else in order; a change that has to uses
/// `word`.
@usableFromInline struct AtomicFlags: ~Copyable {
    @usableFromInline let word = Atomic<UInt32>(0)

    @inlinable init() {}
    @inlinable @inline(__always) var bits: UInt32 { word.load(ordering: .relaxed) }
    /// Returns true if one of these bits is set.
    @inlinable @inline(__always) func have(_ bits: UInt32) -> Bool { self.bits & bits != 0 }
    /// Sets bits while no other thread knows of the word.
    @inlinable @inline(__always) func begin(_ bits: UInt32) { word.store(self.bits | bits, ordering: .relaxed) }
    func set(_ bits: UInt32, to isSet: Bool = true) {
        if isSet { word.bitwiseOr(bits, ordering: .relaxed) } else { word.bitwiseAnd(~bits, ordering: .relaxed) }
    }
    /// Adds to a number that has a part of the bits. The sum must not overflow that part.
    func add(_ number: UInt32) { word.wrappingAdd(number, ordering: .relaxed) }
}
