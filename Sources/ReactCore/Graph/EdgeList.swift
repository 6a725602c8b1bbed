/// Which of an edge's two list positions is meant: where it leaves from, or where it leads to.
@usableFromInline enum EdgeEnd { case source, destination }

/// An ordered list of edges that it holds: inserting and removing are O(1) amortised, because each edge knows its slot.
///
/// Invariants: a slot is `nil` (a hole) or holds an edge whose `slot(at: end)` is that slot's index; `live` counts the
/// slots that are not holes; the last slot is not a hole.
///
/// A list that a delivery is walking is never changed; it is copied, and the old one lives on until the walk is over
/// (see `Vertex`).
@usableFromInline final class EdgeList {
    @usableFromInline typealias Slot = Unmanaged<AnyEdge>?

    let end: EdgeEnd
    @exclusivity(unchecked) @usableFromInline private(set) var slots: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) @usableFromInline private(set) var count = 0
    @exclusivity(unchecked) private(set) var live = 0
    @exclusivity(unchecked) private var capacity: Int
    /// Whether a delivery has walked this list; only means something while its vertex is busy.
    @exclusivity(unchecked) @usableFromInline var isWalked = false

    init(end: EdgeEnd, capacity: Int = 4) {
        self.end = end
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
    }
    deinit {
        for index in 0..<count { slots[index]?.release() }
        slots.deallocate()
    }

    /// A list of the same edges without the holes. The edges' slots become those in the copy.
    func copy() -> EdgeList {
        let copy = EdgeList(end: end, capacity: max(4, live + live / 2))
        forEach { copy.append(.passRetained($0)) }
        return copy
    }
    /// Adds an edge; the list has the hold on it from now on.
    func append(_ held: Unmanaged<AnyEdge>) {
        if count == capacity { live <= capacity / 2 ? compact() : grow() }
        let slot = count, end = end
        held._withUnsafeGuaranteedRef { $0.setSlot(slot, at: end) }
        slots.advanced(by: count).initialize(to: held)
        count += 1
        live += 1
    }
    /// Takes the edge out and returns the list's hold on it.
    func remove(_ edge: AnyEdge) -> Unmanaged<AnyEdge> {
        let slot = edge.slot(at: end)
        guard slot < count, let held = slots[slot], held.toOpaque() == Unmanaged.passUnretained(edge).toOpaque() else {
            preconditionFailure("an edge is not in the list that it should be in: EasyReact's engine is at fault")
        }
        slots[slot] = nil
        live -= 1
        while count > 0, slots[count - 1] == nil { count -= 1 }
        if live < count / 4, count > 16 { compact() }
        return held
    }
    func forEach(_ body: (AnyEdge) -> Void) {
        for index in 0..<count {
            if let edge = slots[index] { body(edge.takeUnretainedValue()) }
        }
    }

    private func compact() {
        var next = 0
        for index in 0..<count {
            guard let edge = slots[index] else { continue }
            slots[next] = edge
            edge._withUnsafeGuaranteedRef { $0.setSlot(next, at: end) }
            next += 1
        }
        count = next
    }
    private func grow() {
        let larger = UnsafeMutablePointer<Slot>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: slots, count: count)
        slots.deallocate()
        slots = larger
        capacity *= 2
    }
}

/// No edge, one, or a list of them, in one word: most nodes of a graph have one edge on each side.
///
/// The word is 0, or an edge that is held, or a list that is held with the lowest bit set.
@usableFromInline struct EdgeSlots {
    @usableFromInline private(set) var word: UInt = 0
    @usableFromInline static let listBit: UInt = 1
    /// What a word that is an edge has none of; the engine marks its places in lists with the other.
    static let tags: UInt = 3

    @usableFromInline init() {}

    @usableFromInline var isEmpty: Bool { word == 0 }
    @inline(__always) static func edge(in word: UInt) -> Unmanaged<AnyEdge>? {
        guard word & tags == 0, let pointer = UnsafeRawPointer(bitPattern: word) else { return nil }
        return .fromOpaque(pointer)
    }
    @inline(__always) static func list(in word: UInt) -> Unmanaged<EdgeList>? {
        guard word & listBit != 0, let pointer = UnsafeRawPointer(bitPattern: word & ~listBit) else { return nil }
        return .fromOpaque(pointer)
    }

    func markWalked() { Self.list(in: word)?._withUnsafeGuaranteedRef { $0.isWalked = true } }

    var count: Int {
        if let list = Self.list(in: word) { return list._withUnsafeGuaranteedRef { $0.live } }
        return word == 0 ? 0 : 1
    }
    func forEach(_ body: (AnyEdge) -> Void) {
        if let list = Self.list(in: word) {
            list._withUnsafeGuaranteedRef { $0.forEach(body) }
        } else if let edge = Self.edge(in: word) {
            body(edge.takeUnretainedValue())
        }
    }
    var all: [AnyEdge] {
        guard word != 0 else { return [] }
        var edges: [AnyEdge] = []
        edges.reserveCapacity(count)
        forEach { edges.append($0) }
        return edges
    }

    /// Adds `edge` at the end. `remains` takes what a delivery may still be walking.
    mutating func insert(_ edge: consuming AnyEdge, at end: EdgeEnd, isBusy: Bool = false, _ remains: inout Remains) {
        let held = Unmanaged.passRetained(consume edge)
        if word == 0 {
            word = UInt(bitPattern: held.toOpaque())
        } else if let first = Self.edge(in: word) {
            let list = EdgeList(end: end)
            list.append(first)
            list.append(held)
            hold(list)
        } else {
            changeable(isBusy: isBusy, &remains)._withUnsafeGuaranteedRef { $0.append(held) }
        }
    }
    /// Takes `edge` out; the hold on it goes to `remains`.
    mutating func remove(_ edge: AnyEdge, isBusy: Bool = false, _ remains: inout Remains) {
        if let only = Self.edge(in: word) {
            assert(only.takeUnretainedValue() === edge, "an edge is in no list that it should be in")
            word = 0
            remains.take(only.takeRetainedValue())
            return
        }
        let isEmpty = changeable(isBusy: isBusy, &remains)._withUnsafeGuaranteedRef { list in
            remains.take(list.remove(edge).takeRetainedValue())
            return list.live == 0
        }
        if isEmpty { remains.take(letGo()) }
    }
    /// Takes all out; the hold on them goes to `remains`.
    mutating func removeAll(_ remains: inout Remains) {
        if let only = Self.edge(in: word) {
            word = 0
            remains.take(only.takeRetainedValue())
        } else if word != 0 {
            remains.take(letGo())
        }
    }

    /// Takes all out, one by one, and hands each over as the only hold that the list had.
    mutating func removeEach(_ body: (inout AnyEdge) -> Void) {
        if let only = Self.edge(in: word) {
            word = 0
            var edge = only.takeRetainedValue()
            body(&edge)
        } else if word != 0 {
            var edges = all
            _ = letGo()
            edges.reverse()
            while var edge = edges.popLast() { body(&edge) }
        }
    }

    private mutating func hold(_ list: EdgeList) {
        word = UInt(bitPattern: Unmanaged.passRetained(list).toOpaque()) | Self.listBit
    }
    private mutating func letGo() -> EdgeList {
        defer { word = 0 }
        return Self.list(in: word)!.takeRetainedValue()
    }
    /// The list, or a copy of it in its place when a delivery walks it.
    @inline(__always) private mutating func changeable(isBusy: Bool, _ remains: inout Remains) -> Unmanaged<EdgeList> {
        let list = Self.list(in: word).unsafelyUnwrapped
        return isBusy && list._withUnsafeGuaranteedRef { $0.isWalked } ? copyList(&remains) : list
    }
    @inline(never) private mutating func copyList(_ remains: inout Remains) -> Unmanaged<EdgeList> {
        let list = letGo()
        let copy = list.copy()
        remains.take(list)
        hold(copy)
        return .passUnretained(copy)
    }
}

/// What a change of the graph lets go of. Letting go may run a `deinit` of the user's, so it waits until no lock is held.
///
/// Invariant: `first` is `nil` only where nothing was taken.
@usableFromInline struct Remains {
    private var first: AnyObject?
    private var second: AnyObject?
    private var more: [AnyObject]?

    @usableFromInline init() {}

    var isEmpty: Bool { first == nil }
    @inline(__always) mutating func take(_ object: consuming AnyObject) {
        if first == nil { first = consume object } else { takeMore(object) }
    }
    @inline(__always) mutating func take(_ other: consuming Remains) {
        if isEmpty { self = consume other } else { takeMore(other) }
    }
    /// Gives `edge` back, if that was taken first.
    @inline(__always) mutating func giveBack(_ edge: AnyEdge) -> AnyEdge? {
        guard first === edge, let held = first.take() else { return nil }
        first = second.take()
        return unsafeDowncast(held, to: AnyEdge.self)
    }
    @inline(never) private mutating func takeMore(_ object: AnyObject) {
        if second == nil {
            second = object
        } else if more?.append(object) == nil {
            more = [object]
        }
    }
    @inline(never) private mutating func takeMore(_ other: consuming Remains) {
        if let object = other.first { take(object) }
        if let object = other.second { take(object) }
        other.more?.forEach { take($0) }
    }
}
