/// No edge, one, or a list of them, in one word: most nodes of a graph have one edge on each side.
///
/// The word is 0, or an edge that is held, or a list that is held with the lowest bit set. A list that is empty stays, unless it
/// has much room: a node that had several edges at a time, as those have that `flatten` follows, is likely to have them again.
@usableFromInline struct EdgeSlots {
    @usableFromInline private(set) var word: UInt = 0
    @usableFromInline static let listBit: UInt = 1
    /// The bits that are 0 in the address of an edge: `listBit`, and another, by which a delivery marks its place in a list.
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

    @inline(__always) func markWalked() { Self.list(in: word)?._withUnsafeGuaranteedRef { $0.isWalked = true } }

    var count: Int {
        if let list = Self.list(in: word) { return list._withUnsafeGuaranteedRef { $0.live } }
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
    #if DEBUG
    /// The same with the number of the linking by which each is listed: of one that is alone, its own.
    func forEachSlot(_ body: (AnyEdge, UInt64) -> Void) {
        guard let list = Self.list(in: word) else { return forEach { body($0, $0.linkingNumber) } }
        list._withUnsafeGuaranteedRef { list in
            for index in 0..<list.count {
                let slot = list.slots[index]
                slot.edge?._withUnsafeGuaranteedRef { body($0, slot.number) }
            }
        }
    }
    #endif
    var all: [AnyEdge] {
        guard !isEmpty else { return [] }
        var edges: [AnyEdge] = []
        edges.reserveCapacity(count)
        forEach { edges.append($0) }
        return edges
    }

    /// Adds the edge, with the hold on it, by the linking `number`, at the end. `deferred` takes what a delivery may still be walking.
    mutating func insert(
        _ held: Unmanaged<AnyEdge>, number: UInt64 = 0, at end: EdgeEnd, isBusy: Bool = false,
        _ deferred: inout Deferred
    ) {
        held._withUnsafeGuaranteedRef { $0.setSlot(0, at: end) }
        if word == 0 {
            word = UInt(bitPattern: held.toOpaque())
        } else if let first = Self.edge(in: word) {
            let list = EdgeList(end: end)
            list.append(first, number: first._withUnsafeGuaranteedRef { $0.linkingNumber })
            list.append(held, number: number)
            hold(list)
        } else {
            changeable(isBusy: isBusy, &deferred)._withUnsafeGuaranteedRef { $0.append(held, number: number) }
        }
    }
    /// Takes `edge` out; the hold on it goes to `deferred`.
    @inline(__always)
    mutating func remove(_ edge: AnyEdge, isBusy: Bool = false, _ deferred: inout Deferred) {
        if let only = Self.edge(in: word) {
            assert(only.takeUnretainedValue() === edge, "an edge is in no list that it should be in")
            word = 0
            deferred.take(only.takeRetainedValue())
            return
        }
        let list = changeable(isBusy: isBusy, &deferred)
        deferred.take(list._withUnsafeGuaranteedRef { $0.remove(edge) }.takeRetainedValue())
        if list._withUnsafeGuaranteedRef({ $0.live == 0 && $0.isLarge }) { deferred.take(letGo()) }
    }
    /// Takes all out: answers them in order, and marks each as being in no list.
    mutating func removeAll() -> EdgeSlots {
        let removed = self
        word = 0
        removed.forEach { $0.setSlot(AnyEdge.noSlot, at: .destination) }
        return removed
    }
    /// Hands over each edge of what `removeAll` answered, in order, as the only hold that the list had, and lets go of it then.
    consuming func consumeEach(_ body: (inout AnyEdge) -> Void) {
        if let only = Self.edge(in: word) {
            var edge = only.takeRetainedValue()
            body(&edge)
            Teardown.letGo(of: .passRetained(consume edge))
        } else if word != 0 {
            var edges = all
            _ = letGo()
            edges.reverse()
            while var edge = edges.popLast() {
                body(&edge)
                Teardown.letGo(of: .passRetained(consume edge))
            }
        }
    }

    /// For a vertex that is going: an edge would keep it.
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
    /// The list, or a copy of it in its place when a delivery walks it.
    @inline(__always) private mutating func changeable(isBusy: Bool, _ deferred: inout Deferred) -> Unmanaged<EdgeList>
    {
        let list = Self.list(in: word).unsafelyUnwrapped
        return isBusy && list._withUnsafeGuaranteedRef { $0.isWalked } ? copyList(&deferred) : list
    }
    @inline(never) private mutating func copyList(_ deferred: inout Deferred) -> Unmanaged<EdgeList> {
        let list = letGo()
        let copy = list.copy()
        deferred.take(list)
        hold(copy)
        return .passUnretained(copy)
    }
}
