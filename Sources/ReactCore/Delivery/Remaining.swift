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
