/// One vertex on the stack, and how far its edges have been called.
///
/// The frames of each pass stand on one frame that separates them from the pass before. In that frame, only `next` and
/// `entry` have a meaning: `entry` is the trail entry before the pass began.
///
/// A frame has few fields. An atomic instruction waits for all stores before it, so each field that is written costs
/// time. `after` and `afterGeneration` are written only if a list is walked, or if an edge is put back. With an enum
/// for what comes next, and one for `EdgeStorage`, a chain takes 18 % more instructions, a map 10 %, and a set with one
/// listener 12 %.
@usableFromInline struct Frame {
    @usableFromInline var vertex: Unmanaged<Vertex>
    /// The next edge or list: 0 for none. If the two lowest bits are not 0, they tell if this is a list, a place in
    /// a list, or an edge after which another edge or list comes, which is `after`.
    @usableFromInline var next: UInt
    /// For an edge, the generation of its connection. For a place in a list, the end of the list, with the same tag as
    /// `next`.
    @usableFromInline var limit: UInt
    /// The bits of `entry` and `isEmptying`.
    @usableFromInline var state: UInt64
    /// The `EdgeStorage` word that comes after `next`, and the generation of its connection if it is an edge.
    @usableFromInline var after: UInt
    var afterGeneration: UInt

    static let listTag = EdgeStorage.listBit
    static let slotTag: UInt = 2
    static let edgeTag: UInt = 3
    static let tags: UInt = 3
    /// The `next` of a frame that separates two passes.
    @inlinable static var endTag: UInt { 3 }

    /// The trail entry of this frame, once somebody needed one; negative until then.
    var entry: Trail.Index { Trail.Index(truncatingIfNeeded: state) }
    /// True if the vertex was emptied; false if it was given a value.
    var isEmptying: Bool { state >> 32 != 0 }
    @inlinable @inline(__always) static func state(isEmptying: Bool) -> UInt64 {
        isEmptying ? 1 << 32 | 0xFFFF_FFFF : 0xFFFF_FFFF
    }
    @inline(__always) static func state(entry: Trail.Index) -> UInt64 { UInt64(UInt32(bitPattern: entry)) }

    /// Returns the next edge of the list, or `nil` if there is no list or its end is reached.
    @inline(__always) mutating func takeFromList() -> NextEdge? {
        let place = next
        guard place & Frame.tags == Frame.slotTag, place != limit else { return nil }
        next = place &+ UInt(MemoryLayout<EdgeEntry>.stride)
        let slot = UnsafePointer<EdgeEntry>(bitPattern: place & ~Frame.tags).unsafelyUnwrapped.pointee
        return NextEdge(slot.edge, generation: slot.number)
    }
    /// Returns the next edge if it is not in a list. Precondition: there is a next edge or list.
    @inline(__always) mutating func takeUnlisted() -> NextEdge {
        if next & Frame.tags != 0 { return goOn() }
        let edge = UnsafeRawPointer(bitPattern: next).unsafelyUnwrapped
        next = 0
        return NextEdge(.fromOpaque(edge), generation: UInt64(limit))
    }
    /// Goes on at the beginning or the end of a list, or at an edge before a list.
    @inline(never) private mutating func goOn() -> NextEdge {
        if next & Frame.tags == Frame.listTag {
            EdgeStorage.list(in: next).unsafelyUnwrapped._withUnsafeGuaranteedRef {
                next = UInt(bitPattern: $0.slots) | Frame.slotTag
                limit = UInt(bitPattern: $0.slots + Int($0.count)) | Frame.slotTag
            }
            return .nothing
        }
        let edge = EdgeStorage.edge(in: next & Frame.tags == Frame.edgeTag ? next & ~Frame.tags : 0)
        let sent = NextEdge(edge, generation: UInt64(limit))
        (next, limit) = (after, afterGeneration)
        (after, afterGeneration) = (0, 0)
        return sent
    }
    /// Returns the first edge of a vertex that has a list of edges.
    @inline(never) mutating func beginLists(of vertex: Vertex) -> NextEdge {
        vertex.noteWalked()
        (next, after) = (vertex.listens.word, vertex.transforms.word)
        let first = NextEdge(single: next)
        limit = UInt(first.generation)
        afterGeneration = UInt(NextEdge(single: after).generation)
        if next == 0 || first.edge != nil {
            (next, limit) = (after, afterGeneration)
            (after, afterGeneration) = (0, 0)
        }
        return first
    }
    /// Puts back an edge that `push` returned, so that it is called next.
    mutating func takeBack(_ edge: Unmanaged<AnyEdge>, _ generation: UInt64) {
        let word = UInt(bitPattern: edge.toOpaque())
        (after, afterGeneration) = (next, limit)
        next = next == 0 ? word : word | Frame.edgeTag
        limit = UInt(generation)
    }
}

extension NextEdge {
    /// Returns the single edge in a word of `EdgeStorage`; none if the word is a list.
    fileprivate init(single word: UInt) { self.init(word: word & EdgeStorage.listBit == 0 ? word : 0) }
}

extension UnsafeMutablePointer<Frame> {
    /// Stores the frame's trail entry, and writes no other field, because another thread may read the frame's vertex
    /// (see `UserCall`).
    func note(_ entry: Trail.Index) {
        let state = UnsafeMutableRawPointer(self) + MemoryLayout<Frame>.offset(of: \.state).unsafelyUnwrapped
        let other = state.load(as: UInt64.self) & ~0xFFFF_FFFF
        state.storeBytes(of: other | UInt64(UInt32(bitPattern: entry)), as: UInt64.self)
    }
}
