extension Propagation {
    /// One vertex under delivery, and how far it has come.
    ///
    /// Below the frames of each run is one that ends it: of that, only `next` means something.
    ///
    /// Every store to a frame is paid for by the next atomic instruction, which waits for them; so it is small, and `after`
    /// and `end` are written only where a list is walked.
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

        /// The record of this visit, once someone asked for one; -1 until then.
        var visit: Visits.Index {
            get { Visits.Index(truncatingIfNeeded: state) }
            set { state = state & ~0xFFFF_FFFF | UInt64(UInt32(bitPattern: newValue)) }
        }
        /// Whether the vertex was emptied; otherwise it was given a value.
        var isCleaning: Bool { state >> 32 != 0 }
        @inlinable @inline(__always) static func state(isCleaning: Bool) -> UInt64 {
            isCleaning ? 1 << 32 | 0xFFFF_FFFF : 0xFFFF_FFFF
        }

        /// At the beginning or the end of a list, or at an edge before one.
        @inline(never) mutating func goOn() -> Sent {
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
        /// At the beginning, where a vertex has more than one edge. Its lock is held.
        fileprivate mutating func beginLists(of vertex: Vertex) -> Sent {
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
        fileprivate mutating func takeBack(_ edge: Unmanaged<AnyEdge>, _ number: UInt64) {
            let word = UInt(bitPattern: edge.toOpaque())
            (after, afterNumber) = (next, limit)
            next = next == 0 ? word : word | Frame.edgeMark
            limit = UInt(number)
        }
    }

    /// The last one. There is always one: the first ends the first run.
    @inline(__always) var lastFrame: UnsafeMutablePointer<Frame> { top - 1 }

    /// Puts a busy vertex on the stack, and answers its first edge, which is to be called next. Its lock is held, and there is
    /// room for a frame.
    @inlinable @inline(__always) func push(_ vertex: Vertex, isCleaning: Bool = false) -> Sent {
        let listens = vertex.listens.word
        let transforms = vertex.transforms.word
        vertex.visited = now
        let frame = top
        top = frame + 1
        frame.pointee.vertex = .passUnretained(vertex)
        frame.pointee.state = Frame.state(isCleaning: isCleaning)
        // One test after the other, because that takes the fewest instructions where there is one transform.
        if (listens | transforms) & EdgeSlots.listBit != 0 { return OutOfLine.beginLists(of: vertex, frame) }
        if listens == 0 {
            frame.pointee.next = 0
            return Sent(word: transforms)
        }
        if transforms != 0 { return OutOfLine.beginLists(of: vertex, frame) }
        frame.pointee.next = 0
        return Sent(word: listens)
    }
    /// Puts a busy vertex on the stack that a value passes through without being delivered there. There is room for a frame.
    func pushWithoutEdges(_ vertex: Vertex) {
        vertex.visited = now
        let frame = top
        top = frame + 1
        frame.pointee.vertex = .passUnretained(vertex)
        frame.pointee.state = Frame.state(isCleaning: false)
        frame.pointee.next = 0
    }
    /// Makes room for a frame.
    @inlinable @inline(__always) func makeRoom() {
        if top == limit { OutOfLine.grow(self) }
    }
    /// Puts what ends a run on the stack.
    func pushEnd() {
        makeRoom()
        top.pointee.next = Frame.endMark
        top += 1
    }
    /// Puts back what was sent: it is called when it is its turn on the stack.
    func leaveOnStack(_ sent: Sent) {
        if let edge = sent.edge { lastFrame.pointee.takeBack(edge, sent.number) }
    }

    // MARK: Room

    static let firstCapacity = 64

    /// A stack with the frame that ends the first run.
    static func makeFrames() -> (
        frames: UnsafeMutablePointer<Frame>, top: UnsafeMutablePointer<Frame>, limit: UnsafeMutablePointer<Frame>
    ) {
        let frames = UnsafeMutablePointer<Frame>.allocate(capacity: firstCapacity)
        frames.pointee.next = Frame.endMark
        return (frames, frames + 1, frames + firstCapacity)
    }
    /// Moves the stack to a place of twice the size.
    fileprivate func grow() {
        let capacity = 2 * (limit - frames)
        let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity)
        larger.moveInitialize(from: frames, count: top - frames)
        let old = frames
        func moved(_ frame: UnsafeMutablePointer<Frame>) -> UnsafeMutablePointer<Frame> { larger + (frame - old) }
        let hadSenders = hasSenders
        frames = larger
        top = moved(top)
        limit = larger + capacity
        usualRoom = tape == nil ? limit : frames - 1
        room = hadSenders ? frames : usualRoom
        call.top = moved(call.top)
        for run in 0..<max(runCount, 1) {
            runs[run].bottom = moved(runs[run].bottom)
            runs[run].outer.top = moved(runs[run].outer.top)
        }
        old.deallocate()
    }
    /// Makes every edge that sends ask `OutOfLine.admits`, and no longer.
    func narrowRoom() { setUsualRoom(frames - 1) }
    func widenRoom() { setUsualRoom(limit) }
    private func setUsualRoom(_ usual: UnsafeMutablePointer<Frame>) {
        if !hasSenders { room = usual }
        usualRoom = usual
    }
    /// Gives back what an unusually deep delivery took. Nothing is being called.
    @inline(never) func shrink() {
        guard runCount == 0 else { return }
        frames.deallocate()
        (frames, top, limit) = Propagation.makeFrames()
        usualRoom = limit
        room = limit
        call.top = top
        runs.pointee.bottom = top
        runs.pointee.outer.top = top
    }
}

extension Sent {
    /// The edge in a word of `EdgeSlots`, unless that is a list's. The lock of its source is held.
    fileprivate init(single word: UInt) { self.init(word: word & EdgeSlots.listBit == 0 ? word : 0) }
}

/// What the paths call that are compiled into the users of a module; most of it seldom.
///
/// Functions of nobody's: a method has its `self` in a register that its caller would have to save, in every call.
@usableFromInline enum OutOfLine {
    @usableFromInline @inline(never)
    static func quickPropagation() -> Unmanaged<Propagation>? { Propagation.quick }
    @usableFromInline @inline(never) static func grow(_ propagation: Propagation) { propagation.grow() }
    @usableFromInline @inline(never)
    static func beginLists(of vertex: Vertex, _ frame: UnsafeMutablePointer<Propagation.Frame>) -> Sent {
        frame.pointee.beginLists(of: vertex)
    }
    /// Whether a value may be stored in `vertex`, which was idle: not if it came through it. Makes room for a frame.
    @usableFromInline @inline(never)
    static func admits(_ vertex: Vertex, by edge: Unmanaged<AnyEdge>, _ propagation: Propagation) -> Bool {
        propagation.makeRoom()
        if propagation.hasSenders {
            if propagation.cameThroughIdle(vertex) {
                propagation.noteCameRound()
                return false
            }
            propagation.pulse(through: edge)?.note(vertex, at: propagation.now)
        }
        propagation.stageStored(in: vertex)
        return true
    }
    /// Sends a value to a vertex that is locked or busy.
    @inlinable @inline(never) static func send<Output>(
        _ value: Output, to store: Store<Output>, _ edge: Unmanaged<AnyEdge>, _ propagation: Propagation
    ) -> Sent {
        // Most often a ring's end, or a second way to the same node: told apart before a turn is made.
        if propagation.isComing(from: store) {
            propagation.noteCameRound()
        } else {
            propagation.sendContended(value, to: store, edge)
        }
        return .nothing
    }
}
