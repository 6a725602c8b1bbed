// What a delivery under way on this thread has yet to call.

extension Propagation {
    /// Whether `edge` is still to be called with the value that `vertex` delivers; `nil` where this thread does not deliver it.
    /// O(what is on the stack).
    func isYetToCall(_ edge: AnyEdge, from vertex: Vertex) -> Bool? {
        var frame = top - 1
        while frame >= frames {
            if frame.pointee.next != Frame.endMark,
                frame.pointee.vertex.toOpaque() == Unmanaged.passUnretained(vertex).toOpaque()
            {
                return frame.pointee.isYetToCall(edge)
            }
            frame -= 1
        }
        return nil
    }
}

extension Propagation.Frame {
    fileprivate func isYetToCall(_ edge: AnyEdge) -> Bool {
        let wanted = UInt(bitPattern: Unmanaged.passUnretained(edge).toOpaque())
        if next == 0 || next == wanted { return next == wanted }
        switch next & Self.marks {
        case 0: return false
        case Self.edgeMark: return next & ~Self.marks == wanted || Self.includes(after, wanted)
        case Self.slotMark:
            var slot = UnsafePointer<EdgeSlot>(bitPattern: next & ~Self.marks)
            let end = UnsafePointer<EdgeSlot>(bitPattern: limit & ~Self.marks)
            while let current = slot, current != end {
                if current.pointee.edge.map({ UInt(bitPattern: $0.toOpaque()) }) == wanted { return true }
                slot = current + 1
            }
            return Self.includes(after, wanted)
        default: return Self.includes(next, wanted) || Self.includes(after, wanted)
        }
    }
    /// Whether an edge is the one in a word of `EdgeSlots`, or in the list there.
    private static func includes(_ word: UInt, _ wanted: UInt) -> Bool {
        guard let list = EdgeSlots.list(in: word) else { return word == wanted }
        return list._withUnsafeGuaranteedRef { list in
            (0..<list.count).contains { list.slots[$0].edge.map { UInt(bitPattern: $0.toOpaque()) } == wanted }
        }
    }
}
