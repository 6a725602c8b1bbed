/// The regions that a thread's transaction owns. The list leads through the regions themselves, so that taking one
/// allocates nothing.
struct OwnedRegions {
    /// The region of the node that the outermost set is for. Whoever sets the node keeps it, so it is not retained.
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
    /// Takes all regions out, and leaves them. One that another has taken in is none of its own any more.
    @inline(__always) mutating func leaveAll(_ owner: UInt) {
        if let region = ofSet.take() { region._withUnsafeGuaranteedRef { $0.leaveIfRoot(owner) } }
        if last != nil { leaveOthers(owner) }
    }
    @inline(never) private mutating func leaveOthers(_ owner: UInt) {
        while let region = last?.takeRetainedValue() {
            last = region.ownedBefore.take()
            region.leaveIfRoot(owner)
        }
    }
}
