import Synchronization

/// A connected part of the graph: vertices that edges connect which may pass a value on within the set that brings it.
///
/// One thread at a time owns a region, for a whole transaction. Everything inside belongs to the owner. Two regions
/// that an edge comes to connect become one (`merge`), and stay one. So each vertex refers to the region in which it
/// was made (`Vertex.home`), and `root` leads from there to the region that has taken that one in.
///
/// Unchecked, because the word is atomic, the lock guards the line, and only the owner uses the rest.
final class Region: @unchecked Sendable {
    /// `RegionState`, as a word.
    private let word = Atomic<UInt>(0)
    /// A region that has taken this one in, as far up as is known; `nil` for a root. `parent` and its parents hold it.
    private let ancestor = Atomic<Unmanaged<Region>?>(nil)
    @exclusivity(unchecked) private var parent: Region?
    @exclusivity(unchecked) private var mergeRank: Int32 = 0
    private let lock = Lock(())
    /// The requests and the late work. Used under the lock.
    @exclusivity(unchecked) private var line = RegionLine()
    /// True once an edge has been connected here that may ask for the nodes that a value has passed. The owner uses it.
    @exclusivity(unchecked) var notesSenders = false
    /// The region that the owner had taken last before this one: see `OwnedRegions`.
    @exclusivity(unchecked) var ownedBefore: Unmanaged<Region>?

    var address: UInt { Unmanaged.passUnretained(self).address }

    /// The region that has taken this one in; this one if none has.
    @inline(__always) var root: Unmanaged<Region> {
        guard let next = ancestor.load(ordering: .acquiring) else { return .passUnretained(self) }
        return rootAbove(next)
    }
    @inline(never) private func rootAbove(_ next: Unmanaged<Region>) -> Unmanaged<Region> {
        var known = next
        while let above = known._withUnsafeGuaranteedRef({ $0.ancestor.load(ordering: .acquiring) }) { known = above }
        ancestor.store(known, ordering: .releasing)
        return known
    }
    var isRoot: Bool { ancestor.load(ordering: .acquiring) == nil }
    private var state: RegionState { RegionState(word: knownWord) }
    @inline(__always) private var knownWord: UInt { word.load(ordering: .relaxed) }
    /// Replaces the state by the one that `next` returns for it. Returns false, and changes nothing, if that is `nil`.
    /// `next` is called again if another thread has changed the state meanwhile.
    private func replaceState(by next: (RegionState) -> RegionState?) -> Bool {
        var seen = knownWord
        while let state = next(RegionState(word: seen)) {
            let (isDone, now) = word.compareExchange(
                expected: seen, desired: state.word, ordering: .acquiringAndReleasing)
            if isDone { return true }
            seen = now
        }
        return false
    }

    // MARK: Taking and leaving

    /// Takes the region, also where others sleep that may be overtaken. Fails if another thread owns it.
    @inline(__always) func tryTake(for owner: UInt) -> Bool {
        ScheduleFuzzing.pause(at: .regionIsToBeTaken, of: address)
        let isTaken =
            word.compareExchange(expected: 0, desired: owner, ordering: .acquiring).exchanged || tryOvertake(owner)
        if isTaken { ScheduleFuzzing.pause(at: .regionIsTaken, of: address) }
        return isTaken
    }
    @inline(never) private func tryOvertake(_ owner: UInt) -> Bool { replaceState { $0.taken(by: owner) } }
    /// The owner; 0 if there is none.
    var owner: UInt { if case .owned(let owner, _) = state { owner } else { 0 } }
    /// True if `owner` has the region. Acquiring, because another thread may have granted it since it was asked for.
    @inline(__always) func isOwned(by owner: UInt) -> Bool { word.load(ordering: .acquiring) & ~7 == owner }
    /// Ends the ownership, unless another region has taken this one in. Wakes the first in line, or makes it the owner.
    /// Returns false, and leaves nothing, if `stays` and there are removals for the owner to do. Otherwise these are
    /// late; `makeRequest` makes the request for them.
    @inline(__always) func leave(
        _ owner: UInt, stayingForRemovals stays: Bool, _ makeRequest: (Vertex) -> Request
    ) -> Bool {
        guard isRoot else { return true }
        let address = address
        ScheduleFuzzing.pause(at: .regionIsToBeLeft, of: address)
        defer { ScheduleFuzzing.pause(at: .regionIsLeft, of: address) }
        return word.compareExchange(expected: owner, desired: 0, ordering: .releasing).exchanged
            || leaveToNext(owner, stayingForRemovals: stays, makeRequest)
    }
    @inline(never) private func leaveToNext(
        _ owner: UInt, stayingForRemovals stays: Bool, _ makeRequest: (Vertex) -> Request
    ) -> Bool {
        if replaceState(by: { $0.afterLeaving(by: owner) }) { return true }
        var notified: Request?
        let leaves = lock.locking {
            if stays, !line.removals.isEmpty { return false }
            for removal in line.takeRemovals() { line.add(removal.work) { makeRequest(removal.vertex) } }
            notified = settle(leaving: true)
            return true
        }
        if let notified { notified.notify(notified) }
        return leaves
    }
    /// Takes out the removals that the owner has to do.
    func takeRemovals() -> [RegionLine.Removal] { lock.locking { line.takeRemovals() } }
    /// Makes the thread with the engine `engine` the owner in the place of `old`.
    func changeOwner(from old: UInt, to engine: UInt) {
        let isChanged = replaceState {
            if case .owned(by: old, let line) = $0 { .owned(by: engine, line) } else { nil }
        }
        precondition(isChanged, "late work has a region that is not its own: EasyReact's engine is at fault")
    }

    // MARK: The line

    /// Calls `body` with the line of the region that a vertex is in, under its lock, and settles the line. Then
    /// notifies the request that is first, if it has to be notified and is not `own`.
    @inline(__always) static func change<Result>(
        of vertex: Vertex, by own: Request? = nil, _ body: (Region, inout RegionLine) -> Result
    ) -> Result {
        var result: Result?
        change(of: vertex, by: own) { result = body($0, &$1) }
        return result.unsafelyUnwrapped
    }
    /// Compiled once, and not for each closure. It runs where threads meet.
    @_optimize(none) private static func change(
        of vertex: Vertex, by own: Request?, _ body: (Region, inout RegionLine) -> Void
    ) {
        while true {
            let region = vertex.region
            var notified: Request?
            let isDone = region.lock.locking {
                guard region.state != .merged else { return false }
                body(region, &region.line)
                notified = region.settle()
                return true
            }
            if let notified, notified !== own { notified.notify(notified) }
            if isDone { return }
        }
    }
    /// Brings the word into line with the requests. Returns the request that has to be notified. The lock is held.
    private func settle(leaving: Bool = false) -> Request? {
        var due = RegionLine.Handover.nothing
        _ = replaceState {
            let (state, handover) = line.settled(leaving ? .free(.isEmpty) : $0)
            due = handover
            return state
        }
        return line.apply(due)
    }
    /// True if a part of a batch waits, or late work.
    private var blocksLinks: Bool {
        if case .owned(_, .isEmpty) = state { false } else { lock.locking { line.blocksLinks } }
    }
    /// True if late work for the region of a vertex is not done yet.
    static func hasLate(at vertex: Vertex) -> Bool { change(of: vertex) { $1.openChanges > 0 } }

    // MARK: Merging

    /// Makes two regions one, and returns it. One thread owns both. Returns `nil`, and does nothing, if a part of a
    /// batch waits at one of them: its other part may be done in the other region, and a link would show the half.
    static func merge(_ one: Region, _ other: Region) -> Region? {
        if one === other { return one }
        if one.blocksLinks || other.blocksLinks { return nil }
        let (root, child) = one.mergeRank < other.mergeRank ? (other, one) : (one, other)
        if root.mergeRank == child.mergeRank { root.mergeRank += 1 }
        if child.notesSenders { root.notesSenders = true }
        ScheduleFuzzing.pause(at: .regionsAreToMerge, of: child.address)
        let (first, second) = root.address < child.address ? (root, child) : (child, root)
        var replaced: Request?
        first.lock.locking {
            second.lock.locking {
                child.parent = root
                child.ancestor.store(.passUnretained(root), ordering: .releasing)
                replaced = root.line.merge(&child.line)
                child.word.store(RegionState.merged.word, ordering: .releasing)
                // This thread owns it, and goes on to, so nobody has to be notified.
                _ = root.settle()
            }
        }
        withExtendedLifetime(replaced) {}
        ScheduleFuzzing.pause(at: .regionsHaveMerged, of: child.address)
        return root
    }
}

extension Vertex {
    /// The region that the vertex is in.
    final var region: Region { root.takeUnretainedValue() }
    @inline(__always) final var root: Unmanaged<Region> {
        (home.load(ordering: .acquiring) ?? makeHome())._withUnsafeGuaranteedRef { $0.root }
    }
    @inline(never) private final func makeHome() -> Unmanaged<Region> {
        enter(Region())
        return home.load(ordering: .acquiring).unsafelyUnwrapped
    }
    /// True if the vertex is in a region. A new one is in none until somebody asks for it.
    final var hasRegion: Bool { home.load(ordering: .acquiring) != nil }
    /// The address of the region that the vertex is in; 0 if it is in none.
    package final var addressOfRegion: UInt { hasRegion ? root.address : 0 }
    /// True if a thread has ever waited for the region while another one owned it.
    package final var hasBeenWaitedFor: Bool { hasRegion && Region.change(of: self) { $1.wasUsed } }
    @inline(__always) final func isOwned(by owner: UInt) -> Bool {
        hasRegion && root._withUnsafeGuaranteedRef { $0.isOwned(by: owner) }
    }
    @inline(__always) final func isInRegion(of other: Vertex) -> Bool {
        hasRegion && other.hasRegion && root.address == other.root.address
    }
    /// Makes a vertex that has no region yet a part of `region`. Fails if it has one.
    @discardableResult final func enter(_ region: Region) -> Bool {
        if hasRegion { return false }
        let held = Unmanaged.passRetained(region)
        let isSet = home.compareExchange(expected: nil, desired: held, ordering: .acquiringAndReleasing).exchanged
        if !isSet { held.release() }
        return isSet
    }
}
