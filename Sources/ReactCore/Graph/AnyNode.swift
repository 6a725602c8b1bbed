/// A node whose value type is not known: what traversal and debugging work with.
///
/// Two references are equal when they are the same node. All members are safe from any thread.
///
/// A node is the handle of a vertex, which is what the engine works on. When the handle goes, the node's upstream edges
/// are taken out of their sources, and with them goes what nobody else holds.
///
/// Unchecked, because its one stored property is a constant, and the vertex is safe from any thread.
public class AnyNode: Hashable, Identifiable, @unchecked Sendable {
    @usableFromInline package final let vertex: Vertex

    @usableFromInline init(_ vertex: consuming Vertex) {
        // First, and the vertex goes there and comes back: so nothing is kept over this call where it is not made.
        var held = Unmanaged.passRetained(consume vertex)
        if Observers.isOn { held = Vertex.observed(held) }
        self.vertex = held.takeRetainedValue()
        held._withUnsafeGuaranteedRef { $0.knownHandle = .passUnretained(self) }
        #if DEBUG
        LiveObjects.nodes.add(1, ordering: .relaxed)
        MadeObjects.note(self)
        #endif
    }
    deinit {
        Unmanaged.passUnretained(vertex)._withUnsafeGuaranteedRef { $0.handleEnds() }
        #if DEBUG
        LiveObjects.nodes.subtract(1, ordering: .releasing)
        #endif
    }

    /// A name for debugging and graphs; `nil` until set. Safe from any thread.
    public final var name: String? {
        get { vertex.locking { vertex.rare?.name } }
        set { vertex.locking { vertex.rareLocked.name = newValue } }
    }
    /// Sets `name` and returns the node, for chains.
    ///
    ///     let total = MutableNode(12).named("total")
    ///     print(total)        // Node(named: total, value: 12)
    @discardableResult public final func named(_ name: String) -> Self {
        self.name = name
        return self
    }

    /// Whether the node may be set from outside.
    public final var isMutable: Bool { vertex.locking { vertex.isMutable } }
    /// Whether the node holds nothing. A node of an optional type that holds `nil` is not empty.
    ///
    ///     let choice = MutableNode<Int?>()
    ///     choice.value = nil
    ///     print(choice.isEmpty)       // false
    public final var isEmpty: Bool { vertex.locking { vertex.holdsNothing } }
    /// The type of the values, such as `Int`.
    public final var valueType: Any.Type { vertex.valueType }

    /// Whether the two are the same node.
    public static func == (lhs: AnyNode, rhs: AnyNode) -> Bool { lhs === rhs }
    /// Hashes the node's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - The handle

extension Vertex {
    /// The node that users hold, unless the last of them has let it go.
    ///
    /// The vertex does not hold it; and a `weak` property would cost each node an allocation, and all retains of it a way
    /// round, for what few are ever asked. So a weak reference is made in the moment in which somebody asks. That is safe
    /// under the lock: the handle takes it when it goes, before its memory does.
    package final var handle: AnyNode? { locking { knownHandle?.whileAlive } }

    /// Whether users still hold it. The lock is held.
    final var hasHandle: Bool { knownHandle != nil }
    /// Called when the handle goes, before its memory does.
    final func endHandle() {
        let held: Unmanaged<AnyObject>? = locking {
            knownHandle = nil
            return rare?.heldByHandle.take().map { .passRetained($0) }
        }
        if let held { Teardown.letGo(of: held) }
    }
    /// Holds `object` until the handle goes. Fails where the handle has gone, or another object is held.
    final func holdByHandle(_ object: AnyObject) -> Bool {
        locking {
            guard hasHandle, rareLocked.heldByHandle == nil else { return false }
            rareLocked.heldByHandle = object
            return true
        }
    }
    /// Tells the graph observer of the vertex, whose node is being made.
    @inline(never) fileprivate static func observed(_ vertex: Unmanaged<Vertex>) -> Unmanaged<Vertex> {
        Observers.current.made(vertex.takeUnretainedValue())
        return vertex
    }
    /// Marks the vertex as known to the graph observer; fails where that was done, or the handle has gone.
    package final func markKnown() -> Bool {
        locking {
            guard knownHandle != nil, !isKnown else { return false }
            becomeKnown()
            return true
        }
    }
}

extension AnyNode {
    /// Holds `object` until the node goes. An operator's own node holds one object at most.
    package final func hold(untilItGoes object: AnyObject) { _ = vertex.holdByHandle(object) }
    /// Names the node on record. See `SerialNumber`.
    package final var serial: UInt { vertex.serial }
    /// The place by which points of a schedule tell the node from others.
    package final var vertexAddress: UInt { vertex.address }
}
