// The stack of frames; see `Frame`.
extension Propagation {
    /// The last frame. There is always one: the first frame stands below the first pass.
    @inline(__always) var lastFrame: UnsafeMutablePointer<Frame> { top - 1 }

    /// Pushes a frame for a busy vertex, and returns the vertex's first edge, which is called next. The lock is held,
    /// and there is room for a frame.
    @inlinable @inline(__always) func push(_ vertex: Vertex, isCleaning: Bool = false) -> Sent {
        let listens = vertex.listens.word
        let transforms = vertex.transforms.word
        vertex.visited = now
        let frame = top
        top = frame + 1
        frame.pointee.vertex = .passUnretained(vertex)
        frame.pointee.state = Frame.state(isCleaning: isCleaning)
        // One test after the other, because this order takes the fewest instructions for one transform.
        if (listens | transforms) & EdgeSlots.listBit != 0 { return OutOfLine.beginLists(of: vertex, frame) }
        if listens == 0 {
            frame.pointee.next = 0
            return Sent(word: transforms)
        }
        frame.pointee.next = transforms
        if transforms != 0 { frame.pointee.limit = UInt(Sent(word: transforms).number) }
        return Sent(word: listens)
    }
    /// Pushes a frame for a busy vertex that a value passes without being delivered there. The lock is held, and there
    /// is room for a frame.
    @inlinable @inline(__always) func pushWithoutEdges(_ vertex: Vertex) {
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
    /// Puts the edge `sent` back on the stack. It is called when its frame is the last.
    @usableFromInline func leaveOnStack(_ sent: Sent) {
        if let edge = sent.edge { lastFrame.pointee.takeBack(edge, sent.number) }
    }

    // MARK: Capacity

    static let firstCapacity = 64

    /// Allocates a stack, with the frame that stands below the first pass.
    static func makeFrames() -> (
        frames: UnsafeMutablePointer<Frame>, top: UnsafeMutablePointer<Frame>, limit: UnsafeMutablePointer<Frame>
    ) {
        let frames = UnsafeMutablePointer<Frame>.allocateOwnLines(capacity: firstCapacity)
        frames.pointee.next = Frame.endMark
        return (frames, frames + 1, frames + firstCapacity)
    }
    /// Moves the stack to a block of twice the size.
    func grow() {
        // Other threads may read the frames that are about to move, so the calls under way first note their senders.
        customCall._withUnsafeGuaranteedRef { $0.forEach { $0.putDown() } }
        let capacity = 2 * (limit - frames)
        let old = frames
        frames = old.moved(top - old, toOwnLinesFor: capacity)
        func moved(_ frame: UnsafeMutablePointer<Frame>) -> UnsafeMutablePointer<Frame> { frames + (frame - old) }
        top = moved(top)
        limit = frames + capacity
        setFastLimit(hasTrail: hasTrail)
        call.top = moved(call.top)
        customCall._withUnsafeGuaranteedRef { $0.forEach { $0.top = $0.top.map(moved) } }
        for run in 0..<max(runCount, 1) {
            runs[run].bottom = moved(runs[run].bottom)
            runs[run].outer.top = moved(runs[run].outer.top)
        }
        if capacity > Propagation.firstCapacity << 8 { lastDuties.insert(.shrink) }
    }
    /// The number of outermost transactions in a row that need little of a large stack before it is given back.
    static let setsToShrinkAfter: UInt = 256

    /// Shrinks a large stack when 256 outermost transactions in a row have needed less than a quarter of it. Until then
    /// keeps it, because the kernel takes long to map new pages and to unmap them. Nothing is under way.
    func shrinkIfUnused() {
        let quarter = frames + (limit - frames) / 4
        if quarter.pointee.next == Frame.unusedMark {
            quarter.pointee.limit += 1
            if quarter.pointee.limit == Propagation.setsToShrinkAfter { return shrink() }
        } else {
            (quarter.pointee.next, quarter.pointee.limit) = (Frame.unusedMark, 0)
        }
        lastDuties.insert(.shrink)
    }
    @inline(never) func shrink() {
        frames.deallocate()
        (frames, top, limit) = Propagation.makeFrames()
        setFastLimit(hasTrail: false)
        call.top = top
        runs.pointee.bottom = top
        runs.pointee.outer.top = top
    }
}

/// Slow paths, called from code that is inlined into other modules.
///
/// These are static functions, because a method would take `self` in a register that its caller had to save in every
/// call.
@usableFromInline enum OutOfLine {
    @usableFromInline @inline(never) static func grow(_ propagation: Propagation) { propagation.grow() }
    @usableFromInline @inline(never)
    static func beginLists(of vertex: Vertex, _ frame: UnsafeMutablePointer<Frame>) -> Sent {
        frame.pointee.beginLists(of: vertex)
    }
}
