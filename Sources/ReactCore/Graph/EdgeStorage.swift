/// No edge, one edge, or a list of them, in one word. Most nodes of a graph have one edge on each side.
///
/// The word is 0, or an edge that is held, or a list that is held, with the lowest bit set. `Frame` copies it: see
/// there. An empty list stays, unless its capacity is large: a node that had several edges at a time, such as one that
/// `flatten` follows, is likely to have them again.
@usableFromInline struct EdgeStorage {
    @usableFromInline private(set) var word: UInt = 0
    @usableFromInline static let listBit: UInt = 1
    /// The bits that are 0 in the address of an edge: `listBit`, and another one, by which a delivery tags its place
    /// in a list.
    static let tags: UInt = 3

    @usableFromInline init() {}

    @inline(__always) var isEmpty: Bool { count == 0 }
    @inline(__always) static func edge(in word: UInt) -> Unmanaged<AnyEdge>? {
        guard word & tags == 0, let pointer = UnsafeRawPointer(bitPattern: word) else { return nil }
        return .fromOpaque(pointer)
    }
    @inline(__always) static func list(in word: UInt) -> Unmanaged<EdgeList>? {
        guard word & listBit != 0, let pointer = UnsafeRawPointer(bitPattern: word & ~listBit) else { return nil }
        return .fromOpaque(pointer)
    }

    @inline(__always) func noteWalked() { Self.list(in: word)?._withUnsafeGuaranteedRef { $0.isWalked = true } }

    var count: Int {
        if let list = Self.list(in: word) { return list._withUnsafeGuaranteedRef { Int($0.live) } }
        return word == 0 ? 0 : 1
    }
    /// The newest edge.
    var last: AnyEdge? {
        guard let list = Self.list(in: word) else { return Self.edge(in: word)?.takeUnretainedValue() }
        return list._withUnsafeGuaranteedRef { $0.last }
    }
    func forEach(_ body: (AnyEdge) -> Void) {
        if let list = Self.list(in: word) {
            list._withUnsafeGuaranteedRef { $0.forEach(body) }
        } else {
            Self.edge(in: word)?._withUnsafeGuaranteedRef(body)
        }
    }
    var all: [AnyEdge] {
        guard !isEmpty else { return [] }
        var edges: [AnyEdge] = []
        edges.reserveCapacity(count)
        forEach { edges.append($0) }
        return edges
    }

    /// Adds an edge at the end. The list takes over the reference. `number` is the edge's generation, or a number that
    /// a lifetime gives it. If a lifetime numbers its edges, `numberOfFirst` is the number of the edge that was alone
    /// here. `deferred` takes a list that a delivery may still be walking.
    @inline(never)
    mutating func insert(
        _ held: Unmanaged<AnyEdge>, number: UInt64 = 0, numberOfFirst: UInt64? = nil, at end: EdgeEnd,
        isBusy: Bool = false,
        _ deferred: inout DeferredReleases
    ) {
        held._withUnsafeGuaranteedRef { $0.setSlot(0, at: end) }
        if word == 0 {
            word = UInt(bitPattern: held.toOpaque())
        } else if let first = Self.edge(in: word) {
            let list = EdgeList(end: end)
            list.append(first, number: numberOfFirst ?? first._withUnsafeGuaranteedRef { $0.generation })
            list.append(held, number: number)
            hold(list)
        } else {
            changeable(isBusy: isBusy, &deferred)._withUnsafeGuaranteedRef { $0.append(held, number: number) }
        }
    }
    /// Removes `edge`. `deferred` takes the list's reference to it.
    @inline(never)
    mutating func remove(_ edge: AnyEdge, isBusy: Bool = false, _ deferred: inout DeferredReleases) {
        if let only = Self.edge(in: word) {
            precondition(
                only.takeUnretainedValue() === edge,
                "an edge is not in the list that it should be in: EasyReact's engine is at fault")
            word = 0
            deferred.take(only.takeRetainedValue())
            return
        }
        let list = changeable(isBusy: isBusy, &deferred)
        deferred.take(list._withUnsafeGuaranteedRef { $0.remove(edge) }.takeRetainedValue())
        if list._withUnsafeGuaranteedRef({ $0.live == 0 && $0.isLarge }) { deferred.take(letGo()) }
    }
    /// Moves the newest edge to the front, in a list that no delivery walks.
    func moveLastToFront() { Self.list(in: word)?._withUnsafeGuaranteedRef { $0.moveLastToFront() } }
    /// Removes and returns all edges in order, and marks each as being in no list.
    mutating func removeAll() -> EdgeStorage {
        let removed = self
        word = 0
        removed.forEach { $0.setSlot(AnyEdge.noSlot, at: .destination) }
        return removed
    }
    /// Calls `body` with each edge that `removeAll` returned, in order. `body` gets the only reference that the list
    /// had; it is released then.
    consuming func consumeEach(_ body: (inout AnyEdge) -> Void) {
        if let only = Self.edge(in: word) {
            var edge = only.takeRetainedValue()
            body(&edge)
            IterativeRelease.letGo(of: .passRetained(consume edge))
        } else if word != 0 {
            var edges = all
            _ = letGo()
            edges.reverse()
            while var edge = edges.popLast() {
                body(&edge)
                IterativeRelease.letGo(of: .passRetained(consume edge))
            }
        }
    }

    /// Returns all edges in order, with their numbers. An edge that is alone has the number `onlyNumber`, or else its
    /// generation.
    func entries(onlyNumber: UInt64? = nil) -> [(edge: AnyEdge, number: UInt64)] {
        guard let list = Self.list(in: word) else {
            return Self.edge(in: word).map { $0.takeUnretainedValue() }.map { [($0, onlyNumber ?? $0.generation)] }
                ?? []
        }
        return list._withUnsafeGuaranteedRef { list in
            (0..<Int(list.count)).compactMap { index in
                list.slots[index].edge.map { ($0.takeUnretainedValue(), list.slots[index].number) }
            }
        }
    }
    /// Returns all edges as `entries` does, with the only references that the list had.
    consuming func takeEntries(onlyNumber: UInt64) -> [(edge: AnyEdge, number: UInt64)] {
        let entries = entries(onlyNumber: onlyNumber)
        if let only = Self.edge(in: word) { only.release() } else if word != 0 { _ = letGo() }
        return entries
    }

    /// Releases an empty list, for a vertex that goes. An edge would keep the vertex alive.
    @inline(__always) func letGoOfEmptyList() {
        assert(isEmpty, "a vertex goes before its edges: EasyReact's engine is at fault")
        Self.list(in: word)?.release()
    }

    private mutating func hold(_ list: EdgeList) {
        word = UInt(bitPattern: Unmanaged.passRetained(list).toOpaque()) | Self.listBit
    }
    private mutating func letGo() -> EdgeList {
        defer { word = 0 }
        return Self.list(in: word)!.takeRetainedValue()
    }
    /// Returns the list. If a delivery walks it, returns a copy that has taken its place.
    @inline(__always) private mutating func changeable(isBusy: Bool, _ deferred: inout DeferredReleases) -> Unmanaged<
        EdgeList
    > {
        let list = Self.list(in: word).unsafelyUnwrapped
        return isBusy && list._withUnsafeGuaranteedRef { $0.isWalked } ? copyList(&deferred) : list
    }
    @inline(never) private mutating func copyList(_ deferred: inout DeferredReleases) -> Unmanaged<EdgeList> {
        let list = letGo()
        let copy = list.copy()
        deferred.take(list)
        hold(copy)
        return .passUnretained(copy)
    }
}

/// One of an edge's two list positions: at its source, or at its destination.
@usableFromInline enum EdgeEnd { case source, destination }

/// An entry of a list: an edge, and the generation of the connection that put it there (see `Connection`).
@usableFromInline struct EdgeEntry {
    @usableFromInline let edge: Unmanaged<AnyEdge>?
    @usableFromInline let number: UInt64

    static var hole: EdgeEntry { EdgeEntry(edge: nil, number: 0) }
}

/// An ordered list of edges. Inserting and removing are amortised O(1), because each edge knows its position.
///
/// Invariants: an entry is a hole, or has an edge whose `slot(at: end)` is the index of the entry; `live` counts the
/// entries that are not holes; the last entry is not a hole.
///
/// The list has one reference to each of its edges, which `append` is given and `remove` gives back. Only a list of
/// edges that lead nowhere (see `Vertex.ColdState.halfConnected`) has no references; it is empty when it goes.
///
/// A list that a delivery is walking is never changed. A copy replaces it, and the old list stays until the walk is
/// over (see `Vertex`).
@usableFromInline final class EdgeList {
    let end: EdgeEnd
    /// True if a delivery has walked this list. Valid only while its vertex is busy.
    @exclusivity(unchecked) @usableFromInline var isWalked = false
    // These have 32 bits for size, as an edge's positions have.
    @exclusivity(unchecked) private var capacity: Int32
    @exclusivity(unchecked) private(set) var live: Int32 = 0
    @exclusivity(unchecked) private(set) var count: Int32 = 0
    /// The entries.
    @exclusivity(unchecked) private(set) var slots: UnsafeMutablePointer<EdgeEntry>

    init(end: EdgeEnd, capacity: Int = 2) {
        self.end = end
        self.capacity = Int32(capacity)
        slots = .allocate(capacity: capacity)
    }
    deinit {
        for index in 0..<Int(count) { slots[index].edge?.release() }
        slots.deallocate()
    }
    /// True if it has room for more than 16 edges.
    var isLarge: Bool { capacity > 16 }

    /// Returns a list of the same edges without the holes. The edges' positions become those in the copy.
    func copy() -> EdgeList {
        let copy = EdgeList(end: end, capacity: max(4, Int(live + live / 2)))
        for index in 0..<Int(count) {
            if let edge = slots[index].edge { copy.append(edge.retain(), number: slots[index].number) }
        }
        return copy
    }
    func append(_ edge: Unmanaged<AnyEdge>, number: UInt64) {
        if count == capacity { live <= capacity / 2 ? compact() : grow() }
        let slot = Int(count), end = end
        edge._withUnsafeGuaranteedRef { $0.setSlot(slot, at: end) }
        slots.advanced(by: slot).initialize(to: EdgeEntry(edge: edge, number: number))
        count += 1
        live += 1
    }
    @discardableResult func remove(_ edge: AnyEdge) -> Unmanaged<AnyEdge> {
        let slot = edge.slot(at: end)
        guard slot < count, let held = slots[slot].edge, held.toOpaque() == Unmanaged.passUnretained(edge).toOpaque()
        else {
            preconditionFailure("an edge is not in the list that it should be in: EasyReact's engine is at fault")
        }
        slots[slot] = .hole
        live -= 1
        while count > 0, slots[Int(count) - 1].edge == nil { count -= 1 }
        if live < count / 4, count > 16 { compact() }
        return held
    }
    /// Moves the newest edge to the front. O(n).
    func moveLastToFront() {
        let last = slots[Int(count) - 1]
        for index in (0..<Int(count)).reversed() {
            slots[index] = index > 0 ? slots[index - 1] : last
            slots[index].edge?._withUnsafeGuaranteedRef { $0.setSlot(index, at: end) }
        }
        while slots[Int(count) - 1].edge == nil { count -= 1 }
    }
    /// The newest edge. The last entry is not a hole.
    var last: AnyEdge? { count > 0 ? slots[Int(count) - 1].edge?.takeUnretainedValue() : nil }
    func forEach(_ body: (AnyEdge) -> Void) {
        for index in 0..<Int(count) { slots[index].edge?._withUnsafeGuaranteedRef(body) }
    }

    private func compact() {
        var next = 0
        for index in 0..<Int(count) {
            guard let edge = slots[index].edge else { continue }
            slots[next] = slots[index]
            edge._withUnsafeGuaranteedRef { $0.setSlot(next, at: end) }
            next += 1
        }
        count = Int32(next)
    }
    private func grow() {
        let larger = UnsafeMutablePointer<EdgeEntry>.allocate(capacity: 2 * Int(capacity))
        larger.moveInitialize(from: slots, count: Int(count))
        slots.deallocate()
        (slots, capacity) = (larger, 2 * capacity)
    }
}
