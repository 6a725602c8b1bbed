import Synchronization

/// The class of a join in the firing order of one transaction. Of the joins that are to fire, the one that comes first
/// in this order fires next:
///
/// - joins by height,
/// - effects, in the order in which they were made,
/// - joins after effects, such as `withLatest`, by height,
/// - joins that are last.
///
/// A join after effects that is to fire holds back everything downstream of it: see `JoinsHeldBack`. So the order does
/// not depend on the order in which the graph was linked.
///
/// The rank is one number, whose two highest bits are the class, so that it can be a part of a join's key in the queue.
/// It is 0 for a join that fires by height.
@usableFromInline package struct JoinRank: Equatable, Sendable {
    private let number: UInt64

    private static let effect: UInt64 = 1 << 62
    private static let effects = Atomic<UInt64>(0)
    /// By height; joins of equal height fire in the order in which values reached them.
    @usableFromInline package static let byHeight = JoinRank(number: 0)
    /// After effects, by height.
    @usableFromInline package static let afterEffects = JoinRank(number: 2 << 62)
    /// After all others, in the order in which values reached the joins.
    @usableFromInline package static let last = JoinRank(number: 3 << 62)

    /// Returns a rank after those of all effects made before.
    package static func nextEffect() -> JoinRank {
        JoinRank(number: effect | effects.wrappingAdd(1, ordering: .relaxed).newValue)
    }
    /// Returns the key of a join at `height` that is inserted after `count` others. Bits 32 to 63 of the key are the
    /// height if the join fires by height, and otherwise a number that is greater than each height.
    func key(at height: UInt32, after count: UInt64) -> UInt64 {
        switch self {
        case .byHeight, .afterEffects: number | UInt64(height) << 32 | count
        case .last: number | count
        default: number
        }
    }
}
