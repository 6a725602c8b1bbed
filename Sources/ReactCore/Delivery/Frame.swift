/// One vertex under delivery, and how far it has come.
///
/// Below the frames of each run is one that ends it: of that, only `next` means something, and `visit`, which is what the run's value
/// came through before.
///
/// Every store to a frame is paid for by the next atomic instruction, which waits for them; so it is small, and `after`
/// and `afterNumber` are written only where a list is walked, or an edge is taken back.
@usableFromInline struct Frame {
    @usableFromInline var vertex: Unmanaged<Vertex>
    /// What comes next: nothing, or an edge and no more; or, marked as such, what `after` comes after: a list, a place
    /// in one, or an edge.
    @usableFromInline var next: UInt
    /// For an edge, the number of its linking; for a place in a list, where the list ends, marked as `next` is.
    @usableFromInline var limit: UInt
    /// See `visit` and `isCleaning`.
    @usableFromInline var state: UInt64
    /// The `EdgeSlots` word that comes after that, and the number of its linking if it is an edge.
    @usableFromInline var after: UInt
    var afterNumber: UInt

    static let listMark = EdgeSlots.listBit
    static let slotMark: UInt = 2
    static let edgeMark: UInt = 3
    static let marks: UInt = 3
    /// `next` of a frame that ends a run.
    @inlinable static var endMark: UInt { 3 }
    /// `next` where no frame was put since this was written; `limit` counts the sets then. See `Propagation.shrinkIfUnused`.
    static let unusedMark = UInt.max

    /// The record of this visit, once someone asked for one; -1 until then.
    var visit: Visits.Index { Visits.Index(truncatingIfNeeded: state) }
    /// Whether the vertex was emptied; otherwise it was given a value.
    var isCleaning: Bool { state >> 32 != 0 }
    @inlinable @inline(__always) static func state(isCleaning: Bool) -> UInt64 {
        isCleaning ? 1 << 32 | 0xFFFF_FFFF : 0xFFFF_FFFF
    }
    @inline(__always) static func state(visit: Visits.Index) -> UInt64 { UInt64(UInt32(bitPattern: visit)) }

    /// Takes the next edge in a list; `nil` where that is at its end, or there is none.
    @inline(__always) mutating func takeFromList() -> Sent? {
        let place = next
        guard place & Frame.marks == Frame.slotMark, place != limit else { return nil }
        next = place &+ UInt(MemoryLayout<EdgeSlot>.stride)
        let slot = UnsafePointer<EdgeSlot>(bitPattern: place & ~Frame.marks).unsafelyUnwrapped.pointee
        return Sent(slot.edge, number: slot.number)
    }
    /// Takes what comes next where that is not in a list. Precondition: something does.
    @inline(__always) mutating func takeElsewhere() -> Sent {
        if next & Frame.marks != 0 { return goOn() }
        let edge = UnsafeRawPointer(bitPattern: next).unsafelyUnwrapped
        next = 0
        return Sent(.fromOpaque(edge), number: UInt64(limit))
    }
    /// At the beginning or the end of a list, or at an edge before one.
    @inline(never) private mutating func goOn() -> Sent {
        if next & Frame.marks == Frame.listMark {
            EdgeSlots.list(in: next).unsafelyUnwrapped._withUnsafeGuaranteedRef {
                next = UInt(bitPattern: $0.slots) | Frame.slotMark
                limit = UInt(bitPattern: $0.slots + $0.count) | Frame.slotMark
            }
            return .nothing
        }
        let edge = EdgeSlots.edge(in: next & Frame.marks == Frame.edgeMark ? next & ~Frame.marks : 0)
        let sent = Sent(edge, number: UInt64(limit))
        (next, limit) = (after, afterNumber)
        (after, afterNumber) = (0, 0)
        return sent
    }
    /// At the beginning, where a vertex has a list of edges. Its lock is held.
    @inline(__always) mutating func beginLists(of vertex: Vertex) -> Sent {
        vertex.markWalked()
        (next, after) = (vertex.listens.word, vertex.transforms.word)
        let first = Sent(single: next)
        limit = UInt(first.number)
        afterNumber = UInt(Sent(single: after).number)
        if next == 0 || first.edge != nil {
            (next, limit) = (after, afterNumber)
            (after, afterNumber) = (0, 0)
        }
        return first
    }
    /// Takes back an edge that `push` had answered.
    mutating func takeBack(_ edge: Unmanaged<AnyEdge>, _ number: UInt64) {
        let word = UInt(bitPattern: edge.toOpaque())
        (after, afterNumber) = (next, limit)
        next = next == 0 ? word : word | Frame.edgeMark
        limit = UInt(number)
    }
}

extension Sent {
    /// The edge in a word of `EdgeSlots`, unless that is a list's. The lock of its source is held.
    fileprivate init(single word: UInt) { self.init(word: word & EdgeSlots.listBit == 0 ? word : 0) }
}

extension UnsafeMutablePointer<Frame> {
    /// Notes the record of the visit, and touches nothing else of the frame: another thread may read its vertex (see `CustomCall`).
    func note(_ visit: Visits.Index) {
        let state = UnsafeMutableRawPointer(self) + MemoryLayout<Frame>.offset(of: \.state).unsafelyUnwrapped
        let other = state.load(as: UInt64.self) & ~0xFFFF_FFFF
        state.storeBytes(of: other | UInt64(UInt32(bitPattern: visit)), as: UInt64.self)
    }
}
