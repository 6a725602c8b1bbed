import Synchronization

/// A request for a region: of a thread that waits for it, or for its late work.
///
///     waits ──who leaves wakes it──▶ isWoken ──▶ isGranted        or it is taken out of the line, when its time is over
///       └──────────────────────────────────────────▲ who leaves makes it the owner
///
/// Unchecked, because the region's lock guards the fields that are not constant.
final class Request: @unchecked Sendable {
    enum Progress: UInt8, AtomicRepresentable {
        case waits
        /// The region is free, or was.
        case isWoken
        /// The request's `owner` has the region.
        case isGranted
    }
    private let storedProgress = Atomic(Progress.waits)
    /// Finds the region, also after that was merged into another.
    let vertex: Vertex
    /// The owner of the region when the request is granted: an engine, or this object.
    private let asking: UInt
    /// Called when the request is woken or granted. No lock is held.
    let notify: @Sendable (Request) -> Void
    /// True if nobody may overtake it.
    @exclusivity(unchecked) var isOrdered: Bool
    /// True if the request is of a transaction that has other work done already, or of late work. Meanwhile the region
    /// is not linked, because a link could show half of a batch.
    let blocksLinks: Bool

    #if DEBUG
    /// The time at which somebody began to wait.
    @exclusivity(unchecked) var since = Platform.clock
    #endif

    /// Makes a request of the thread whose engine has the address `asking`; 0 for a request that is its own owner.
    init(
        for vertex: Vertex, by asking: UInt = 0, isOrdered: Bool, blocksLinks: Bool,
        notify: @escaping @Sendable (Request) -> Void
    ) {
        (self.vertex, self.asking, self.isOrdered) = (vertex, asking, isOrdered)
        (self.blocksLinks, self.notify) = (blocksLinks, notify)
    }
    var owner: UInt { asking == 0 ? Unmanaged.passUnretained(self).address : asking }
    var progress: Progress { storedProgress.load(ordering: .acquiring) }
    /// The region's lock is held.
    func become(_ progress: Progress) { storedProgress.store(progress, ordering: .releasing) }
}
