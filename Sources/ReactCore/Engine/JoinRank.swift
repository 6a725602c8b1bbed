import Synchronization

/// The class of a join in the firing order of one transaction. Joins fire in this order:
///
/// - joins by height,
/// - effects, in the order in which they were made,
/// - late joins by height,
/// - effects downstream of late joins,
/// - joins that are last.
///
/// A late join, such as `withLatest`, has a height of at least `Vertex.lateHeight`, and so has every vertex downstream
/// of it.
///
/// The rank is one number, so that it can be a part of a join's key in the queue. It is 0 for a join that fires by
/// height.
@usableFromInline package struct JoinRank: Equatable, Sendable {
    let number: UInt64

    /// By height; joins of equal height fire in the order in which values reached them.
    @usableFromInline package static let byHeight = JoinRank(number: 0)
    /// After all others, in the order in which values reached the joins.
    @usableFromInline package static let last = JoinRank(number: UInt64(UInt32.max) << 32)
    /// The number that is added to the rank of an effect downstream of late joins.
    private static let lateEffect = UInt64(Vertex.heightLimit + 1) << 32
    private static let earlyEffect = UInt64(Vertex.lateHeight / 2) << 32
    private static let effects = Atomic<UInt64>(0)
    /// Returns a rank after those of all effects made before.
    package static func nextEffect() -> JoinRank {
        JoinRank(number: effects.wrappingAdd(1, ordering: .relaxed).newValue)
    }
    /// Returns the key of an effect at `height`.
    func key(at height: UInt32) -> UInt64 {
        number + (height < Vertex.lateHeight ? Self.earlyEffect : Self.lateEffect)
    }
}
