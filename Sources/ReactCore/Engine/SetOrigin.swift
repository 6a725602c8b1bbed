/// The origin of a set: a call of an edge, such as a listener's, or the program outside of all calls.
///
/// The place where the set is called decides, and a set that is queued carries its origin with it.
package struct SetOrigin: Equatable, Sendable {
    /// The number of the transaction that a set from outside belongs to, unique across threads.
    package let transaction: UInt64

    /// A set by a call of an edge.
    package static let inside = SetOrigin(transaction: 0)
    /// A set from outside that had to wait, and is a transaction of its own.
    package static let alone = SetOrigin(transaction: 1)
}

extension Engine {
    /// The origin of a set that is about to be queued. The set has begun a transaction, or a part of one.
    var originOfQueuedSet: SetOrigin {
        if let origin = originOfClosure(around: passCount) { return origin }
        if isInsideCall(below: passCount) { return .inside }
        if depth == 1 { return .alone }
        // A transaction whose sets are all queued has to have a number of its own.
        epoch &+= 1
        return originOutside
    }
    /// The origin of a value that an edge sends by itself, and that is about to be queued.
    func originOfQueuedSend(_ senders: SenderList) -> SetOrigin {
        senders.path == nil && !isInsideCall(below: passCount - 1) ? .alone : .inside
    }
    /// The origin of the value that the last frame delivers.
    var originOfDelivery: SetOrigin {
        let pass = passes[passCount - 1]
        guard lastFrame == pass.bottom else { return .inside }
        if let queued = pass.queued { return queued.origin }
        if let origin = pass.origin { return origin }
        if pass.isFirst, let origin = originOfClosure(around: passCount - 1) { return origin }
        return pass.isFirst && !isInsideCall(below: passCount - 1) ? originOutside : .inside
    }
    /// The origin of a set from outside in the present transaction.
    var originOutside: SetOrigin { SetOrigin(transaction: finished) }

    /// Returns true if the pass with the index `pass` has begun, or would begin, inside the call of an edge.
    private func isInsideCall(below pass: Int) -> Bool {
        if hearings > 0 || initialDeliveries > 0 { return true }
        guard pass > 0 else { return false }
        let call = pass == passCount ? call : passes[pass].outer
        // A pass without senders and without a called edge is that of an `update` whose closure runs.
        return call.passes > 0 || !passes[pass - 1].isFirst
    }
    /// The origin of the queued `update` whose closure makes the set of the pass with the index `pass`, which has begun
    /// or would begin; `nil` if it is not such a closure that makes the set.
    ///
    /// While the closure runs, nothing has been stored, so the pass of its turn is empty.
    private func originOfClosure(around pass: Int) -> SetOrigin? {
        guard pass > 0, let queued = passes[pass - 1].queued, queued.isSet else { return nil }
        let (end, call) = pass == passCount ? (top, call) : (passes[pass].bottom - 1, passes[pass].outer)
        let isInClosure = end == passes[pass - 1].bottom && call.passes == pass && call.generation == 0
        return isInClosure ? queued.origin : nil
    }
    /// The vertex whose set has led to the present delivery; `nil` if that is not known. It is not known where a join
    /// has fired, or a value was queued, on the way: an arrival does not tell who has set its first sender.
    var beginningOfDelivery: Vertex? {
        let first = passes[0]
        let isKnown = hearings == 0 && initialDeliveries == 0 && (0..<passCount).allSatisfy { passes[$0].queued == nil }
        let isEmpty = passCount > 1 && passes[1].bottom == first.bottom + 1
        guard isKnown, first.isFirst else { return nil }
        return isEmpty ? nil : first.bottom.pointee.vertex.takeUnretainedValue()
    }
}
