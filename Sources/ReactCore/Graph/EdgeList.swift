/// Which of an edge's two list positions is meant: where it leaves from, or where it leads to.
@usableFromInline enum EdgeEnd { case source, destination }

/// An edge in a list, and the number of the linking that put it there (see `Linking`).
@usableFromInline struct EdgeSlot {
    @usableFromInline let edge: Unmanaged<AnyEdge>?
    @usableFromInline let number: UInt64

    static var hole: EdgeSlot { EdgeSlot(edge: nil, number: 0) }
}

/// An ordered list of edges: inserting and removing are O(1) amortised, because each edge knows its slot.
///
/// Invariants: a slot is a hole, or has an edge whose `slot(at: end)` is that slot's index; `live` counts the slots that are
/// not holes; the last slot is not a hole.
///
/// It has one hold on each of its edges, which `append` is given and `remove` gives back; only a list of edges that lead
/// nowhere (see `Vertex.Rare.dangling`) has none, and is empty when it goes.
///
/// A list that a delivery is walking is never changed; it is copied, and the old one lives on until the walk is over
/// (see `Vertex`).
@usableFromInline final class EdgeList {
    let end: EdgeEnd
    /// Whether a delivery has walked this list; only means something while its vertex is busy.
    @exclusivity(unchecked) @usableFromInline var isWalked = false
    // Numbers of 32 bits, as an edge's own, for size.
    @exclusivity(unchecked) private var liveCount: Int32 = 0
    @exclusivity(unchecked) private var slotCount: Int32 = 0
    @exclusivity(unchecked) private var capacity: Int32 = 2
    /// `ownSlots`, or more room elsewhere.
    @exclusivity(unchecked) private(set) var slots = UnsafeMutablePointer<EdgeSlot>(bitPattern: 16)!
    /// The slots until there are more: most nodes with several edges have two.
    @exclusivity(unchecked) private var ownSlots = (EdgeSlot.hole, EdgeSlot.hole)

    private(set) var live: Int {
        get { Int(liveCount) }
        set { liveCount = Int32(truncatingIfNeeded: newValue) }
    }
    private(set) var count: Int {
        get { Int(slotCount) }
        set { slotCount = Int32(truncatingIfNeeded: newValue) }
    }

    init(end: EdgeEnd) {
        self.end = end
        slots = ownPlace
    }
    /// A list with more room than a small one has of its own.
    private init(end: EdgeEnd, capacity: Int) {
        self.end = end
        self.capacity = Int32(capacity)
        slots = .allocate(capacity: capacity)
    }
    deinit {
        for index in 0..<count { slots[index].edge?.release() }
        if !hasOwnSlots { slots.deallocate() }
    }
    /// Whether it has much room.
    var isLarge: Bool { capacity > 16 }
    private var hasOwnSlots: Bool { slots == ownPlace }
    /// Where `ownSlots` are, for as long as the list is there: a class's property does not move.
    private var ownPlace: UnsafeMutablePointer<EdgeSlot> {
        func address(of slots: UnsafeMutablePointer<(EdgeSlot, EdgeSlot)>) -> UnsafeMutablePointer<EdgeSlot> {
            UnsafeMutableRawPointer(slots).assumingMemoryBound(to: EdgeSlot.self)
        }
        return address(of: &ownSlots)
    }

    /// A list of the same edges without the holes. The edges' slots become those in the copy.
    func copy() -> EdgeList {
        let copy = EdgeList(end: end, capacity: max(4, live + live / 2))
        for index in 0..<count {
            if let edge = slots[index].edge { copy.append(edge.retain(), number: slots[index].number) }
        }
        return copy
    }
    /// Adds an edge.
    func append(_ edge: Unmanaged<AnyEdge>, number: UInt64) {
        if slotCount == capacity { liveCount <= capacity / 2 ? compact() : grow() }
        let slot = count, end = end
        edge._withUnsafeGuaranteedRef { $0.setSlot(slot, at: end) }
        slots.advanced(by: count).initialize(to: EdgeSlot(edge: edge, number: number))
        count += 1
        live += 1
    }
    /// Takes the edge out.
    @discardableResult func remove(_ edge: AnyEdge) -> Unmanaged<AnyEdge> {
        let slot = edge.slot(at: end)
        guard slot < count, let held = slots[slot].edge, held.toOpaque() == Unmanaged.passUnretained(edge).toOpaque()
        else {
            preconditionFailure("an edge is not in the list that it should be in: EasyReact's engine is at fault")
        }
        slots[slot] = .hole
        live -= 1
        while count > 0, slots[count - 1].edge == nil { count -= 1 }
        if live < count / 4, count > 16 { compact() }
        return held
    }
    /// The newest edge: the last slot is not a hole.
    var last: AnyEdge? { count > 0 ? slots[count - 1].edge?.takeUnretainedValue() : nil }
    func forEach(_ body: (AnyEdge) -> Void) {
        for index in 0..<count { slots[index].edge?._withUnsafeGuaranteedRef(body) }
    }

    private func compact() {
        var next = 0
        for index in 0..<count {
            guard let edge = slots[index].edge else { continue }
            slots[next] = slots[index]
            edge._withUnsafeGuaranteedRef { $0.setSlot(next, at: end) }
            next += 1
        }
        count = next
    }
    private func grow() {
        let larger = UnsafeMutablePointer<EdgeSlot>.allocate(capacity: 2 * Int(capacity))
        larger.moveInitialize(from: slots, count: count)
        if !hasOwnSlots { slots.deallocate() }
        (slots, capacity) = (larger, 2 * capacity)
    }
}
