/// The regions that a thread's transaction owns. The list leads through the regions themselves, so that taking one
/// allocates nothing.
struct OwnedRegions {
    /// The region of the node that the outermost set, or the outermost end of a node or an edge, is for. The caller
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
    /// ends stay if `keepsEnds`.
    @inline(__always) mutating func leaveAll(_ owner: UInt, unlessTheyHaveEnds keepsEnds: Bool) {
        if let region = ofSet.take() {
            region._withUnsafeGuaranteedRef {
                if !$0.leave(owner, unlessHasEnds: keepsEnds, LateWork.request) { add($0) }
            }
        }
        if last != nil { leaveOthers(owner, keepsEnds) }
    }
    @inline(never) private mutating func leaveOthers(_ owner: UInt, _ keepsEnds: Bool) {
        var others = OwnedRegions()
        swap(&others, &self)
        while let region = others.last?.takeRetainedValue() {
            others.last = region.ownedBefore.take()
            if !region.leave(owner, unlessHasEnds: keepsEnds, LateWork.request) { add(region) }
        }
    }
    /// Takes out the ends in all regions.
    func takeEnds() -> [RegionLine.End] {
        var (ends, next) = ([RegionLine.End](), last)
        while let region = next?.takeUnretainedValue() {
            ends += region.takeEnds()
            next = region.ownedBefore
        }
        return ends
    }
}
