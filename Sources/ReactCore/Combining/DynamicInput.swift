/// An edge from a node that was read to what is made of it.
///
/// Unchecked, because its fields are guarded by the lock of the vertex that it leads to.
@usableFromInline class AnyDynamicInput: AnyTransform, LeadsToJoin, @unchecked Sendable {
    /// Where it stands among the inputs; -1 where it does not.
    @exclusivity(unchecked) @usableFromInline final var place = Int32(-1)
    /// The first call after which its value goes, which a pulse has brought; 0 where none has.
    @exclusivity(unchecked) final var lastCall: UInt64 = 0
    @usableFromInline final let dynamic: DynamicJoin
    @usableFromInline final let join: Join
    /// The vertex that it leaves from, until it is unlinked.
    @exclusivity(unchecked) @usableFromInline final var sourceVertex: UnsafeRawPointer?

    @usableFromInline init(_ dynamic: DynamicJoin, _ join: Join, of node: AnyNode, forward: @escaping Forward) {
        self.dynamic = dynamic
        self.join = join
        sourceVertex = UnsafeRawPointer(Unmanaged.passUnretained(node.vertex).toOpaque())
        super.init(name: dynamic.name, forward: forward)
    }
    override package final var isOfBody: Bool { true }
    deinit { join.keep() }
    override final func linkingEnds() { dynamic.lose(self) }

    /// Links the edge, which is in no linking yet, unless nobody has the node of `target` any more; answers whether it did. `read` is
    /// called with the source, and under its lock: its present value is not delivered.
    final func connect(from source: AnyNode, to target: Vertex, reading read: (Vertex) -> Void) -> Bool {
        var isLed = false
        _ = relink(mayDangle: false, replays: false, reading: read) { deferred in
            setTarget(target, &deferred)
            isLed = leads(to: target)
            if isLed { fromNode = source }
        }
        return isLed
    }
    /// Whether something has come since the last call read this. The lock is held.
    var hasChanged: Bool { preconditionFailure("abstract") }
    /// Gives away what the last call read, which is to be let go of when the lock is.
    func takeValueRead() -> (any Sendable)? { preconditionFailure("abstract") }
    /// Whether the newest value differs from what the last call read. Runs user code: the lock is not held.
    func differs() -> Bool { preconditionFailure("abstract") }
    /// Takes the present value of the source, whose lock is held.
    func load(from source: Vertex) { preconditionFailure("abstract") }
    /// Gives the value away, which is to be let go of when the lock is.
    func takeValue() -> (any Sendable)? { preconditionFailure("abstract") }
}
/// Unchecked, because the value is guarded by that lock as well, once the edge is linked; the first one is put there while it is being linked.
@usableFromInline final class DynamicInput<Value: Sendable>: AnyDynamicInput, @unchecked Sendable {
    /// The newest value; `nil` while the source is empty.
    @exclusivity(unchecked) @usableFromInline var value: Value?
    /// What the last call read, once something else has come; `nil` while nothing has.
    @exclusivity(unchecked) @usableFromInline var valueRead: Value??
    /// The type of the values where they can be compared.
    @usableFromInline let comparable: (any Equatable.Type)?

    @inlinable
    init(_ dynamic: DynamicJoin, _ join: Join, of node: AnyNode) {
        comparable = Value.self as? any Equatable.Type
        super.init(dynamic, join, of: node) { raw in
            raw.edge._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: DynamicInput<Value>.self).arrive(Delivery<Value, Never>(raw).value, raw)
            }
            return .nothing
        }
    }
    /// Takes what comes; `nil` where the source was emptied.
    @inlinable @inline(__always) func arrive(_ value: Value?, _ raw: RawDelivery) {
        // The edge holds these two, and is held while it is called.
        let (dynamic, join) = (Unmanaged.passUnretained(dynamic), Unmanaged.passUnretained(join))
        dynamic._withUnsafeGuaranteedRef { dynamic in
            var new = value
            let bits = dynamic.vertex.lock()
            guard Delivery<Value, Never>(raw).isCurrent else { return dynamic.vertex.unlock(bits) }
            swap(&self.value, &new)
            // Compared when the join fires: that may be the user's code, and is not called under a lock.
            if comparable == nil {
                dynamic.mustCall = true
            } else if valueRead == nil, place >= 0, place < dynamic.next {
                valueRead = .some(new.take())
            }
            dynamic.noteArrival(raw.propagation)
            dynamic.notePulse(self, raw.propagation)
            join._withUnsafeGuaranteedRef { join in
                raw.propagation._withUnsafeGuaranteedRef { _ = ReactCore.arrive(at: join, $0, bits) }
            }
            withExtendedLifetime(new) {}
        }
    }
    override func load(from source: Vertex) { value = unsafeDowncast(source, to: Store<Value>.self).value }
    override func takeValue() -> (any Sendable)? { value.take() }
    override package var missingInputCount: Int? { 0 }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent {
        arrive(nil, delivery)
        return .nothing
    }
    override func linkingHasEnded(_ linking: Linking) {
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

/// Whether two values are equal, whose type is known to be `type`.
private func areEqual<Value, Same: Equatable>(_ one: Value, _ other: Value, _ type: Same.Type) -> Bool {
    unsafeBitCast(one, to: Same.self) == unsafeBitCast(other, to: Same.self)
}
