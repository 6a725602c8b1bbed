/// The regions that a thread's transaction owns. The list leads through the regions themselves, so that taking one
/// allocates nothing.
struct OwnedRegions {
    /// The region of the node that the outermost set, or the outermost removal of a node or an edge, is for. The caller
    /// keeps the node meanwhile, so the region is not retained.
    private var ofSet: Unmanaged<Region>?
    /// The last one of the others, which are retained.
    private var last: Unmanaged<Region>?

    @inline(__always) var isEmpty: Bool { ofSet == nil && last == nil }
    func contains(where isWanted: (Region) -> Bool) -> Bool {
        var next = last
        while let region = next?.takeUnretainedValue() {
            if isWanted(region) { return true }
            next = region.ownedBefore
        }
        return ofSet.map { isWanted($0.takeUnretainedValue()) } ?? false
    }
    @inline(__always) mutating func addRegionOfSet(_ region: Region) { ofSet = .passUnretained(region) }
    /// Adds a region that is not in the list.
    mutating func add(_ region: Region) {
        region.ownedBefore = last
        last = .passRetained(region)
    }
    /// Takes all regions out, and leaves them. One that another has taken in is none of its own any more. Those with
    /// removals stay if `stays`.
    @inline(__always) mutating func leaveAll(_ owner: UInt, stayingForRemovals stays: Bool) {
        if let region = ofSet.take() {
            region._withUnsafeGuaranteedRef {
                if !$0.leave(owner, stayingForRemovals: stays, LateWork.request) { add($0) }
            }
        }
        if last != nil { leaveOthers(owner, stays) }
    }
    @inline(never) private mutating func leaveOthers(_ owner: UInt, _ stays: Bool) {
        var others = OwnedRegions()
        swap(&others, &self)
        while let region = others.last?.takeRetainedValue() {
            others.last = region.ownedBefore.take()
            if !region.leave(owner, stayingForRemovals: stays, LateWork.request) { add(region) }
        }
    }
    /// Takes out the removals in all regions.
    func takeRemovals() -> [RegionLine.Removal] {
        var (removals, next) = ([RegionLine.Removal](), last)
        while let region = next?.takeUnretainedValue() {
            removals += region.takeRemovals()
            next = region.ownedBefore
        }
        return removals
    }
}
