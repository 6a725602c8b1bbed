/// The word that says which linking an edge is in, and how it is to be called there.
///
/// An edge's linkings are numbered: each has a number of its own, which no later one has. A list has an edge beside the number
/// of the linking that put it there; so that the two numbers are the same says everything: the edge was not cut since,
/// nor cut and linked again, nor given another end. The number outlives the linking, so that the next one is another.
///
/// The three lowest bits are the mode; no bit set is the plain one.
enum LinkWord {
    /// The edge is catching up with its source's present value: later ones have to wait for it (see `Replay`).
    static let replaying: UInt64 = 1
    /// Whether the listener is still there has to be asked each time, because nothing tells when it goes.
    static let asks: UInt64 = 2
    /// The edge is in no linking now.
    static let cut: UInt64 = 4
    static let modes: UInt64 = 7
    private static let step: UInt64 = 8

    /// The number in a word.
    @inline(__always) static func number(of word: UInt64) -> UInt64 { word & ~modes }
    /// The number of the linking after the one in `word`.
    @inline(__always) static func next(after word: UInt64) -> UInt64 { number(of: word) &+ step }
    /// Whether an edge with this word is in the linking `number`.
    @inline(__always) static func isCurrent(_ word: UInt64, _ number: UInt64) -> Bool { word ^ number < cut }
}

/// One linking of an edge: from the moment at which it has two ends until either changes.
///
/// What an operator keeps belongs to the linking by which it came. The operator compares: so no callback has to reset it in time,
/// and none can come too late.
@usableFromInline package struct Linking: Equatable, Sendable {
    @usableFromInline package let number: UInt64

    @usableFromInline init(number: UInt64) { self.number = number }
    /// That of an edge that is not linked.
    @usableFromInline package static var none: Linking { Linking(number: 0) }
}

/// An edge, as it was linked when it made a choice. Used while the edge is held: in its call, or in what waits for a turn of it.
@usableFromInline package struct EdgeChoice {
    @usableFromInline package let edge: Unmanaged<AnyEdge>
    @usableFromInline package let number: UInt64

    /// Whether the edge is still linked so.
    @usableFromInline package var isCurrent: Bool { edge._withUnsafeGuaranteedRef { $0.isLinked(by: number) } }
}
