import ReactCore

/// An input of a body: the value of a node that the body has read, and the edge that brings it.
///
/// Unchecked, because the lock of the target's vertex guards its fields.
@usableFromInline class AnyDependency: OperatorState, @unchecked Sendable {
    /// Its place among the inputs; -1 if it is not one of them.
    @exclusivity(unchecked) @usableFromInline final var place = Int32(-1)
    /// True if the last call read a pulse's value here, and nothing has arrived since.
    @exclusivity(unchecked) @usableFromInline final var hasReadPulse = false
    @usableFromInline final let dynamic: ComputedCore
    @usableFromInline final let join: Join
    /// The vertex that the edge leaves from, until it is disconnected.
    @exclusivity(unchecked) @usableFromInline final var sourceVertex: UnsafeRawPointer?
    /// The edge. It holds this object, and is alive while it is connected, or held by the call that makes it.
    @exclusivity(unchecked) final unowned(unsafe) var edge: BodyEdge?

    @usableFromInline init(_ dynamic: ComputedCore, _ join: Join, of node: AnyNode) {
        self.dynamic = dynamic
        self.join = join
        sourceVertex = UnsafeRawPointer(Unmanaged.passUnretained(node.vertex).toOpaque())
    }
    deinit { join.keep() }
    @usableFromInline func willDisconnect() { dynamic.lose(self) }
    @usableFromInline func discard(_ connection: Connection) { preconditionFailure("abstract") }
    @usableFromInline func emptied(_ delivery: ErasedEdgeCall) -> NextEdge { preconditionFailure("abstract") }

    /// True if a value or an emptying has arrived since the last call read this input. The lock is held.
    var hasChanged: Bool { preconditionFailure("abstract") }
    /// Returns the value that the last call read, and forgets it. The caller releases it after the lock.
    func takeValueRead() -> (any Sendable)? { preconditionFailure("abstract") }
    /// True if the newest value differs from the one that the last call read. Runs user code, so the lock is not held.
    func differs() -> Bool { preconditionFailure("abstract") }
    /// Stores the present value of the source, whose lock is held.
    func load(from source: Vertex) { preconditionFailure("abstract") }
    /// Replaces a pulse's value, which the last call read, by the one in `vertex`, a vertex apart from the graph.
    /// Returns the pulse's value. The lock is held.
    func endPulse(with vertex: Vertex?) -> (any Sendable)? { preconditionFailure("abstract") }
}
/// Unchecked, because the same lock guards the value once the edge is connected. The first value is stored while it is
/// being connected.
@usableFromInline final class Dependency<Value: Sendable>: AnyDependency, @unchecked Sendable {
    /// The newest value; `nil` while the source is empty.
    @exclusivity(unchecked) @usableFromInline var value: Value?
    /// The value that the last call read, if another has arrived since; otherwise `nil`.
    @exclusivity(unchecked) @usableFromInline var valueRead: Value??
    /// The type of the values if it is `Equatable`.
    @usableFromInline let comparable: (any Equatable.Type)?

    @inlinable
    override init(_ dynamic: ComputedCore, _ join: Join, of node: AnyNode) {
        comparable = Value.self as? any Equatable.Type
        super.init(dynamic, join, of: node)
    }
    /// Makes the edge. Its closure captures nothing, so all edges of one type share one.
    @inlinable func makeEdge() -> BodyEdge {
        BodyEdge(name: dynamic.name, state: self) { raw in
            raw.edge._withUnsafeGuaranteedRef { edge in
                let state = unsafeDowncast(edge, to: BodyEdge.self).state
                unsafeDowncast(state, to: Dependency<Value>.self).arrive(EdgeCall<Value, Never>(raw).value, raw)
            }
            return .nothing
        }
    }
    /// Stores an arriving value; `nil` if the source was emptied.
    @inlinable @inline(__always) func arrive(_ value: Value?, _ raw: ErasedEdgeCall) {
        // The edge holds both objects, and is itself held during the call, so neither is retained.
        let (dynamic, join) = (Unmanaged.passUnretained(dynamic), Unmanaged.passUnretained(join))
        dynamic._withUnsafeGuaranteedRef { dynamic in
            var new = value
            let bits = dynamic.vertex.lock()
            guard EdgeCall<Value, Never>(raw).isStillConnected else { return dynamic.vertex.unlock(bits) }
            swap(&self.value, &new)
            // The values are compared later, when the join fires, because `==` may be user code and must not run under
            // a lock.
            if comparable == nil {
                dynamic.mustCall = true
            } else if valueRead == nil, place >= 0, place < dynamic.next {
                valueRead = .some(new.take())
            }
            dynamic.noteArrival(raw.engine)
            dynamic.notePulse(self, raw)
            join._withUnsafeGuaranteedRef { join in
                raw.engine._withUnsafeGuaranteedRef { _ = join.arrive(in: $0, bits) }
            }
            withExtendedLifetime(new) {}
        }
    }
    override func load(from source: Vertex) { value = unsafeDowncast(source, to: ValueCell<Value>.self).value }
    override func endPulse(with vertex: Vertex?) -> (any Sendable)? {
        let pulse = value
        value = vertex.flatMap { unsafeDowncast($0, to: ValueCell<Value>.self).value }
        hasReadPulse = true
        return pulse
    }
    @usableFromInline override func emptied(_ delivery: ErasedEdgeCall) -> NextEdge {
        arrive(nil, delivery)
        return .nothing
    }
    @usableFromInline override func discard(_ connection: Connection) {
        let old = dynamic.vertex.locking { (value.take(), valueRead.take()) }
        withExtendedLifetime(old) {}
    }
    override var hasChanged: Bool { valueRead != nil }
    override func takeValueRead() -> (any Sendable)? { valueRead.take().map { $0 as any Sendable } }
    override func differs() -> Bool {
        let (read, newest) = dynamic.vertex.locking { (valueRead, value) }
        switch (read, newest) {
        case (.none, _), (.some(.none), .none): return false
        case (.some(.some(let read)), .some(let newest)): return comparable.map { !areEqual(read, newest, $0) } ?? true
        default: return true
        }
    }
}

/// Returns true if two values are equal. Precondition: `Value` is the type `type`.
private func areEqual<Value, Same: Equatable>(_ one: Value, _ other: Value, _ type: Same.Type) -> Bool {
    unsafeBitCast(one, to: Same.self) == unsafeBitCast(other, to: Same.self)
}

// The inputs of a dynamic join, in the order in which its last call read them. The lock of its vertex is held
// throughout.

extension ComputedCore {
    private static let fewInputs = 16

    func place(of source: Vertex) -> Int? {
        let wanted = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
        if count > ComputedCore.fewInputs {
            if places == nil { rememberPlaces() }
            return places?[wanted]
        }
        return (0..<count).first { inputs[$0]?._withUnsafeGuaranteedRef { $0.sourceVertex == wanted } ?? false }
    }
    private func rememberPlaces() {
        var known: [UnsafeRawPointer: Int] = [:]
        known.reserveCapacity(count)
        for place in 0..<count {
            if let source = inputs[place]?._withUnsafeGuaranteedRef({ $0.sourceVertex }) { known[source] = place }
        }
        places = known
    }
    private func put(_ input: Unmanaged<AnyDependency>?, at place: Int) {
        inputs[place] = input
        guard let input else { return }
        input._withUnsafeGuaranteedRef {
            $0.place = Int32(truncatingIfNeeded: place)
            if let source = $0.sourceVertex { places?[source] = place }
        }
    }
    func exchange(_ first: Int, _ second: Int) {
        guard first != second else { return }
        let input = inputs[first]
        put(inputs[second], at: first)
        put(input, at: second)
    }
    /// Inserts a new input at the place that the call has reached.
    func insert(_ input: AnyDependency) {
        // Another thread has disconnected the edge already.
        guard input.sourceVertex != nil else { return }
        inputs.append(nil)
        if next < count - 1 { put(inputs[next], at: count - 1) }
        put(.passUnretained(input), at: next)
        next += 1
    }
    /// Removes the inputs that the call has not read. Returns the edges of those that are still connected.
    func takeUnread() -> [BodyEdge] {
        let unread = inputs[next...].compactMap { $0?.takeUnretainedValue() }
        inputs.removeSubrange(next...)
        places = nil
        return unread.compactMap { input in
            input.place = -1
            return input.edge
        }
    }
}
