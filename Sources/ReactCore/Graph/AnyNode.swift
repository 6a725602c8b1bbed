/// A node of any value type, for traversal and debugging.
///
/// Two references are equal when they are the same node. All members are safe from any thread.
///
/// A node is the handle of a vertex, which the engine works on. When the handle goes, the node's upstream edges are
/// taken out of their sources' lists. Objects that nobody else holds go with them.
///
/// Unchecked, because its one stored property is a constant, and the vertex is safe from any thread.
public class AnyNode: Hashable, Identifiable, @unchecked Sendable {
    @usableFromInline package final let vertex: Vertex

    @usableFromInline init(_ vertex: consuming Vertex) {
        // This comes first, and the vertex is passed in and back, so that nothing has to be kept over the call if it is
        // not made.
        var held = Unmanaged.passRetained(consume vertex)
        if Observers.isOn { held = Vertex.observed(held) }
        self.vertex = held.takeRetainedValue()
        held._withUnsafeGuaranteedRef { $0.knownHandle = .passUnretained(self) }
        #if DEBUG
        InstanceCounts.nodes.add(1, ordering: .relaxed)
        MadeObjects.note(self)
        #endif
    }
    deinit {
        Unmanaged.passUnretained(vertex)._withUnsafeGuaranteedRef { $0.handleEnds() }
        #if DEBUG
        InstanceCounts.nodes.subtract(1, ordering: .releasing)
        #endif
    }

    /// A name for debugging and graphs; `nil` until set. Safe from any thread.
    public final var name: String? {
        get { vertex.locking { vertex.coldState?.name } }
        set { vertex.locking { vertex.coldStateLocked.name = newValue } }
    }
    /// Sets `name` and returns the node, for chains.
    ///
    ///     let total = MutableNode(12).named("total")
    ///     print(total)        // Node(named: total, value: 12)
    @discardableResult public final func named(_ name: String) -> Self {
        self.name = name
        return self
    }

    /// True if the node may be set from outside.
    public final var isMutable: Bool { vertex.locking { vertex.isMutable } }
    /// True if the node holds nothing. A node of an optional type that holds `nil` is not empty.
    ///
    ///     let choice = MutableNode<Int?>()
    ///     choice.value = nil
    ///     print(choice.isEmpty)       // false
    public final var isEmpty: Bool { vertex.readsEmpty }
    /// The type of the values, such as `Int`.
    public final var valueType: Any.Type { vertex.valueType }

    /// Returns whether the two are the same node.
    public static func == (lhs: AnyNode, rhs: AnyNode) -> Bool { lhs === rhs }
    /// Hashes the node's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - The handle

extension Vertex {
    /// The node that users hold, unless the last reference has gone.
    ///
    /// The vertex does not hold it. A `weak` property would cost each node an allocation, and each retain of the node a
    /// detour, though few are ever asked for. So a weak reference is made at the moment of asking. That is safe under
    /// the lock, because the handle takes the lock when it goes, before its memory is freed.
    package final var handle: AnyNode? { locking { knownHandle?.whileAlive } }

    /// True if users still hold the node. The lock is held.
    final var hasHandle: Bool { knownHandle != nil }
    /// Called when the handle goes, before its memory is freed. Returns true if the vertex has edges.
    final func endHandle() -> Bool {
        let (held, hasEdges): (Unmanaged<AnyObject>?, Bool) = locking {
            knownHandle = nil
            setHasEnded()
            return (
                coldState?.heldByHandle.take().map { .passRetained($0) },
                !(upstream.isEmpty && listens.isEmpty && transforms.isEmpty)
            )
        }
        if let held { IterativeRelease.letGo(of: held) }
        return hasEdges
    }
    /// Holds `object` until the handle goes. Fails if the handle has gone, or another object is held.
    package final func holdByHandle(_ object: AnyObject) -> Bool {
        locking {
            guard hasHandle, coldStateLocked.heldByHandle == nil else { return false }
            coldStateLocked.heldByHandle = object
            return true
        }
    }
    /// Reports the vertex, whose node is being made, to the graph observer.
    @inline(never) fileprivate static func observed(_ vertex: Unmanaged<Vertex>) -> Unmanaged<Vertex> {
        Observers.current.made(vertex.takeUnretainedValue())
        return vertex
    }
    /// Marks the vertex as known to the graph observer. Fails if it was marked before, or the handle has gone.
    package final func tryBecomeKnown() -> Bool {
        locking {
            guard hasHandle, !isKnown else { return false }
            becomeKnown()
            return true
        }
    }
}

extension AnyNode {
    /// The number by which records name the node. See `SerialNumber`.
    package final var serial: UInt { vertex.serial }
}
