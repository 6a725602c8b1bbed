import Synchronization

/// One of a join's inputs, for the closure that reads the newest values. The edge is not held. The join fires only
/// while none of its edges has been cut, so all are alive then.
@usableFromInline package struct JoinInput<Value: Sendable, Output: Sendable>: Sendable {
    @usableFromInline let edge: Unmanaged<JoinInputEdge<Value, Output>>

    /// Creates an input with a new edge, and with the only reference to that, until `Node.join` takes it over.
    @inlinable package init(_ name: String, from input: Node<Value>, to type: Node<Output>.Type) {
        edge = .passRetained(JoinInputEdge(name))
    }

    /// Returns whether there is a value, for an input that is not heard. Any other has one if the join fires.
    @usableFromInline package func hasValue(in engine: Engine) -> Bool {
        edge._withUnsafeGuaranteedRef { $0.hasValue(in: engine) }
    }
    /// The newest value. Precondition: there is one.
    @inlinable package var newest: Value {
        edge._withUnsafeGuaranteedRef { edge in
            edge.newestCell.unsafelyUnwrapped._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: ValueCell<Value>.self).wrappedValue()
            }
        }
    }
    /// The edge, for code that does not know the value's type.
    package var erasedEdge: Unmanaged<AnyTransform> { .passUnretained(edge.takeUnretainedValue()) }
}

extension Engine {
    /// Stores `value`: the typed half of a firing.
    @inlinable @inline(__always) package func fire<Output: Sendable>(_ join: Join, with value: Output) -> NextEdge {
        var held = value
        let sent = fire(join, exchanging: &held)
        withExtendedLifetime(held) {}
        return sent
    }
    /// Stores `value`, as above, and leaves the old value in it.
    @inlinable @inline(__always)
    package func fire<Output: Sendable>(_ join: Join, exchanging value: inout Output) -> NextEdge {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            store(&value, in: unsafeDowncast(vertex, to: ValueCell<Output>.self), by: .firing)
        }
    }
}

/// The edge from an input to a join that is made with all its inputs.
///
/// Unchecked, because only the owner of the region uses the fields that it adds.
@usableFromInline
package final class JoinInputEdge<Input: Sendable, Output: Sendable>: Transform<Input, Output>, InputEdge,
    @unchecked Sendable
{
    /// The join. Set before the edge is connected.
    @exclusivity(unchecked) @usableFromInline var ownedJoin: Join?
    @exclusivity(unchecked) @usableFromInline var kept: KeptValue? { didSet { findNewest() } }
    /// The vertex that holds the newest value, not held: the source, or that of `kept`. Used while there is a value.
    @exclusivity(unchecked) @usableFromInline private(set) var newestCell: Unmanaged<Vertex>?
    /// False if the join ignores the arrivals of this input, and does not wait for it: see `Node.join`. Set before the
    /// edge is connected.
    @exclusivity(unchecked) @usableFromInline var isHeard = true
    /// True if the edge is not heard, and was cut. Then the join misses it until another value comes.
    @exclusivity(unchecked) private var isMissed = false
    /// True if it is heard, and counts as missing when its source is empty.
    @inlinable var isPlain: Bool { isHeard && !join.keepsEmptied }
    /// True if the input has no value. Any thread may read it.
    @inlinable var isEmpty: Bool {
        get { hasNothing.load(ordering: .relaxed) }
        set { hasNothing.store(newValue, ordering: .relaxed) }
    }
    @usableFromInline let hasNothing = Atomic(true)

    @inlinable init(_ name: String) { super.init(name: name) { JoinInputEdge.arrive($0) } }
    @inlinable var join: Join { ownedJoin.unsafelyUnwrapped }
    func joinBeingMade(by engine: Engine) -> Join? { join.isBeingMade(by: engine) ? join : nil }
    private func findNewest() { newestCell = kept.map { .passUnretained($0.value) } ?? knownSource }
    override package var newestPlace: UnsafeMutableRawPointer {
        newestCell.unsafelyUnwrapped._withUnsafeGuaranteedRef { unsafeDowncast($0, to: ValueCell<Input>.self).place }
    }
    override package var inputCount: Int? { isHeard ? Int(join.inputs) : nil }
    override package var passesOn: Bool { true }
    /// Notes the arrival of a value.
    @inlinable @inline(__always) static func arrive(_ call: ErasedEdgeCall) -> NextEdge {
        guard call.isStillConnected else { return .nothing }
        call.edge._withUnsafeGuaranteedRef { edge in
            let edge = unsafeDowncast(edge, to: JoinInputEdge.self)
            if edge.isEmpty || !edge.isPlain || edge.kept != nil { return edge.arriveSlowly(call) }
            Unmanaged.passUnretained(edge.join)._withUnsafeGuaranteedRef { join in
                call.engine._withUnsafeGuaranteedRef { join.arrive(call, in: $0) }
            }
        }
        return .nothing
    }
    /// Notes an arrival that is the first, that changes `kept`, or that the join may ignore.
    @usableFromInline @inline(never) func arriveSlowly(_ call: ErasedEdgeCall) {
        if let kept, !join.keepsEmptied || kept.isOfPulse { return arriveReplacing(self.kept.take(), call) }
        if isEmpty { fill() }
        call.engine._withUnsafeGuaranteedRef {
            if isHeard { join.arrive(call, in: $0) } else { keepPulse(of: call, in: $0) }
        }
        if join.keepsEmptied, !(kept?.isOfPulse ?? false) { keepNewest(of: call.source.takeUnretainedValue()) }
    }
    /// Notes an arrival that replaces a kept value. The release comes last, because that may run user code.
    @inline(never) private func arriveReplacing(_ old: KeptValue?, _ call: ErasedEdgeCall) {
        arriveSlowly(call)
        withExtendedLifetime(old) {}
    }
    private func fill() {
        isEmpty = false
        findNewest()
        if isHeard || isMissed { join.state.fillInput() }
        isMissed = false
    }
    /// Keeps a pulse's value that the edge has brought unheard, for all firings of the set. The value goes with the
    /// next firing or arrival.
    private func keepPulse(of call: ErasedEdgeCall, in engine: Engine) {
        guard engine.hasTrail, engine.callBringsPulse else { return }
        let pulse = call.source._withUnsafeGuaranteedRef { $0.copyOfValue() }
        let after = vertices.source?.afterPulse?.copyOfValue()
        kept = .pulseUnheard(UnheardPulse(pulse, leaving: after, in: engine.epoch))
    }
    /// Returns whether an input that is not heard has a value. Lets go of a pulse's value whose set is over.
    fileprivate func hasValue(in engine: Engine) -> Bool {
        let old = kept
        if case .pulseUnheard(let pulse) = old, !engine.isOfThisTransaction(pulse.epoch) {
            kept = .newest(pulse.after ?? pulse.value)
        }
        withExtendedLifetime(old) {}
        return !isEmpty
    }
    private func keepNewest(of source: Vertex) {
        if case .newest(let value) = kept { return value.copyValue(from: source) }
        kept = .newest(source.copyOfValue())
    }
    override func loadFirst(from source: Vertex, in engine: AnyObject) -> UInt32? {
        // Another thread may own the join by now, because of its other inputs. So the join learns of the value later.
        let (value, store) = source.readCopy()
        guard !value.isEmpty else { return nil }
        kept = .newest(value)
        join.hasLoaded = true
        return store
    }
    override func fillLoaded() {
        // A source that is empty now was emptied after the load, so its value is not used.
        if isEmpty, kept != nil, !isConnected || source?.isEmpty == false { fill() }
    }
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge {
        if delivery.isStillConnected { beMissing() }
        return .nothing
    }
    override func beMissing() {
        if isEmpty || join.keepsEmptied { return }
        isEmpty = true
        if isHeard { join.state.emptyInput() }
        withExtendedLifetime(kept.take()) {}
    }
    func endPulse(leaving after: Vertex?) {
        kept = join.keepsEmptied ? (after?.copyOfValue() ?? kept?.value).map { .newest($0) } : nil
        if after == nil { beMissing() }
    }
    override var heedsSource: Bool { false }
    override var asksForSenders: Bool { false }
    override package var missingInputCount: Int? { isHeard ? join.missing : nil }
    override package var isWaitedFor: Bool { true }
    override package var isJoinPending: Bool { join.isDirty }
    override var isLastJoinPending: Bool { join.rank == .last && join.isDirty }
    override package var missesValue: Bool { isEmpty }
    override func checkTarget(_ node: AnyNode?, file: StaticString, line: UInt) {
        require(
            node == nil || node!.vertex === join.vertex,
            "to: an edge of \"\(name)\" is one of several that lead to one node, and cannot lead elsewhere; "
                + "combine the nodes anew, or link the other node to the combination",
            file: file, line: line
        )
    }
    /// From here on, the join misses the input, whether or not it is heard. So it does not fire, and reads no edge that
    /// has gone.
    override func willDisconnect() {
        let wasMissed = isHeard ? isEmpty : isMissed
        isEmpty = true
        isMissed = !isHeard
        join.inputHasGone(emptying: !wasMissed)
    }
    override func dropLoaded() {
        guard case .newest = kept, !isConnected || !join.keepsEmptied else { return }
        willDisconnect()
        withExtendedLifetime(kept.take()) {}
    }
    override func didDisconnect(_ connection: Connection) {
        let old = isEmpty ? kept.take() : nil
        withExtendedLifetime(old) {}
    }
    override func dropCall(evenIfUnread: Bool) { join.dropFiring() }
}

extension Node {
    /// Creates an immutable node that joins `inputs` others: see `Join`. The caller calls `join` as many times.
    ///
    /// If `passesPulses`, a pulse leaves no value in the node. The closure `fire` puts the newest values together, and
    /// calls `fire` of the engine with the result. If `keepsEmptied`, the last value of an input that is emptied stays
    /// in use.
    @inlinable package static func joining(
        inputs: Int, rank: JoinRank = .byHeight, passesPulses: Bool = false, keepsEmptied: Bool = false,
        _ fire: @escaping @Sendable (Join, Engine) -> NextEdge
    ) -> (node: Node<Value>, join: Join) {
        let node = MutableNode<Value>(immutable: nil)
        let join = Join(
            at: node.vertex, inputs: inputs, rank: rank, passesPulses: passesPulses, keepsEmptied: keepsEmptied,
            fire: fire)
        return (node, join)
    }
    /// Makes `input` one of the nodes that this new node joins. After the last one, the join has its first value, if no
    /// input is empty. If `isHeard` is false, this input makes the join neither fire nor wait.
    @inlinable @inline(__always) package func join<Input>(
        _ join: Join, _ end: JoinInput<Input, Value>, _ input: Node<Input>, isHeard: Bool = true
    ) {
        let edge = end.edge.takeRetainedValue()
        edge.ownedJoin = join
        edge.isHeard = isHeard
        follow(input, by: edge)
        if isHeard { join.noteInputConnected() }
    }
}

extension Engine {
    /// Ends the turn of a join that has no value to store.
    @usableFromInline package func fireNothing(_ join: Join) -> NextEdge {
        observer?.firedNothing(join.vertex, .waits)
        releaseAndDrain(join.vertex)
        return .nothing
    }
    /// Fires a combination by a function: stores the value that `make` makes of the newest values.
    ///
    /// The vertex is busy while `make`, which may be user code, runs, so an arrival waits for the next firing.
    @inlinable @inline(__always)
    package func fire<Output: Sendable>(_ join: Join, making make: @autoclosure () -> Output) -> NextEdge {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            let disconnectCount = join.disconnectCount.load(ordering: .relaxed)
            var value = make()
            let cell = unsafeDowncast(vertex, to: ValueCell<Output>.self)
            // An input may have been disconnected meanwhile, and another connected in its place. The join fires again
            // for that one.
            guard join.disconnectCount.load(ordering: .relaxed) == disconnectCount else {
                releaseAndDrain(cell)
                return .nothing
            }
            return self.store(&value, in: cell, by: .firing)
        }
    }
}
