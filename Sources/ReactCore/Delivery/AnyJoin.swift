import Synchronization

/// What the delivery knows of a node that is made from several: when it fires. How it does, only `Join` knows.
///
/// Unchecked, because the one subclass is safe from any thread.
@usableFromInline package class AnyJoin: MeetingPlace, @unchecked Sendable {
    /// When it fires beside others.
    final let rank: JoinRank

    init(at vertex: Vertex, rank: JoinRank, inputs: Int) {
        self.rank = rank
        super.init(at: vertex, inputs: inputs)
    }
    /// Whether it fires after all others.
    final var isLast: Bool { rank == .last }
    /// Fires, when `propagation` has nothing else left, unless another holder has yet to.
    func fire(in propagation: Propagation, listedAt height: UInt32) { preconditionFailure("abstract") }
}

/// When a join fires beside the others that one thread has on its list: first the joins that go by their height, then effects in the
/// order in which they were made, then late joins by their height, then effects that are downstream of these, then those that are last.
///
/// A late join, as `withLatest` is, has a height of at least `Vertex.lateHeight`, and so has all that is downstream of it.
///
/// One number, so that it is a part of a join's key in the queue: 0 for what goes by its height.
@usableFromInline package struct JoinRank: Equatable, Sendable {
    let number: UInt64

    /// By height, and among equal heights in the order in which joins were reached.
    @usableFromInline package static let byHeight = JoinRank(number: 0)
    /// After all others, in the order in which joins were reached.
    @usableFromInline package static let last = JoinRank(number: UInt64(UInt32.max) << 32)
    /// What is added for an effect that is downstream of late joins.
    private static let lateEffect = UInt64(Vertex.heightLimit + 1) << 32
    private static let earlyEffect = UInt64(Vertex.lateHeight / 2) << 32
    private static let effects = Atomic<UInt64>(0)
    /// After the effects made before.
    static func nextEffect() -> JoinRank {
        JoinRank(number: effects.wrappingAdd(1, ordering: .relaxed).newValue)
    }
    /// The key of an effect of that height.
    func key(at height: UInt32) -> UInt64 {
        number + (height < Vertex.lateHeight ? Self.earlyEffect : Self.lateEffect)
    }
}

/// Who has joins on a list: a propagation, or a firing that waits for its turn.
@usableFromInline package class JoinHolder {
    /// Adds a join that was handed over, and is held by this one already.
    func add(_ join: AnyJoin) {}
}
