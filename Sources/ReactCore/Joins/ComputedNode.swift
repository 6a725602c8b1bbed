extension Node {
    /// Creates an immutable node that holds the result of `body`. Its inputs are the nodes that `body` reads through
    /// its argument. If `body` returns `nil`, the value stays as it is.
    ///
    /// The edges are named `name`. If `isSame` returns true for the present value and a new one, the new one is
    /// dropped.
    @inlinable @inline(__always) package static func dynamic(
        _ name: String, isSame: (@Sendable (Value, Value) -> Bool)?,
        _ body: @escaping @Sendable (ReadScope) -> Value?
    ) -> Node<Value> {
        let node = MutableNode<Value>(immutable: nil)
        let dynamic = ComputedCore(at: node.vertex, name: name, effect: nil)
        let join = Join(at: node.vertex, inputs: 0) { _, engine in
            let number = dynamic.begin(engine)
            guard number != 0 else { return .nothing }
            return dynamic.end(
                body(ReadScope(join: dynamic, number: number)), in: engine, isSame: isSame)
        }
        dynamic.start(join)
        return node
    }
}

extension Node<Void> {
    /// Calls `body`, and again whenever a node that it read through its argument has changed. Ends when `listener` goes
    /// or the result is cancelled.
    ///
    /// The edges are named `name`. Messages call the effect `effect`. It fires after the joins that are neither late
    /// nor last: see `JoinRank`.
    package static func runEffect(
        _ name: String, _ effect: String, by listener: some Listener,
        _ body: @escaping @Sendable (ReadScope) -> Void?
    ) -> any Cancelable {
        let engine = Engine.current
        engine.begin()
        defer { engine.end() }
        return startEffect(name, effect, by: listener, body)
    }
    /// Not inlined, so that only the listen edge holds the node when this returns, and while the body runs. So the
    /// effect ends with the listening.
    @inline(never) private static func startEffect(
        _ name: String, _ effect: String, by listener: some Listener,
        _ body: @escaping @Sendable (ReadScope) -> Void?
    ) -> any Cancelable {
        let (dynamic, join, listening) = makeEffect(name, effect, by: listener, body)
        dynamic.start(join)
        return listening
    }
    @inline(never) private static func makeEffect(
        _ name: String, _ effect: String, by listener: some Listener,
        _ body: @escaping @Sendable (ReadScope) -> Void?
    ) -> (ComputedCore, Join, any Cancelable) {
        let node = MutableNode<Void>(immutable: nil)
        let dynamic = ComputedCore(at: node.vertex, name: name, effect: effect)
        let join = Join(at: node.vertex, inputs: 0, rank: .nextEffect()) { _, engine in
            let number = dynamic.begin(engine)
            guard number != 0 else { return .nothing }
            return dynamic.end(body(ReadScope(join: dynamic, number: number)), in: engine, isSame: nil)
        }
        dynamic.join = .passUnretained(join)
        dynamic.holdByHandle()
        return (dynamic, join, node.listened(by: listener).with { _ in })
    }
}

// The messages for mistakes in a body.

extension ComputedCore {
    func refuseRing(_ vertices: [Vertex]) -> Never {
        let names = (vertices + [vertices[0]]).map(\.nameInMessages).joined(separator: " → ")
        misuse(
            "a computed node reads itself: \(names) (each reads the one after it); leave one of these reads out, or make it untracked"
        )
    }
    func refuseRound() -> Never {
        let read = (0..<next).compactMap { inputs[$0]?.takeUnretainedValue().source?.textInMessages }
        let last = (0..<count).compactMap { inputs[$0]?.takeUnretainedValue().source?.textInMessages }
        misuse(
            "\(effect ?? "an effect") has set itself off \(ComputedCore.mostRounds) times in one set. It read \((read.isEmpty ? last : read).joined(separator: ", ")): do not set a node that the effect reads, or only if that changes its value"
        )
    }
}

extension Vertex {
    /// The name of the node in messages; for a node without a name, its type and value.
    final var nameInMessages: String { locking { coldState?.name }.map { "“\($0)”" } ?? textInMessages }
}

// The lifetime that ends with the result of a body's call, and the object by which a node holds its body.

extension ComputedCore {
    /// Returns the lifetime of the call, which must be the one under way. The lifetime ends before the next call, or
    /// with the node.
    @usableFromInline func lifetime(ofCall call: UInt64) -> Lifetime {
        let made = Lifetime()
        let bits = vertex.lock()
        _ = checkCall(call, bits)
        let lifetime = lifetime ?? made
        self.lifetime = lifetime
        let isHeld = isHeldByHandle
        vertex.unlock(bits)
        if !isHeld { holdByHandle() }
        return lifetime
    }
    /// Ends the lifetime of the last call. Runs user code, so the lock is not held.
    func endLifetime() {
        let old = vertex.locking { lifetime.take() }
        old?.cancel()
    }
    /// Makes the node hold this join and its body, even while the body reads nothing. Does nothing if the handle has
    /// gone.
    func holdByHandle() {
        let held = vertex.locking {
            isHeldByHandle = true
            return join?.takeUnretainedValue()
        }
        guard let held else { return }
        let hold = BodyHold(self, held)
        if !vertex.holdByHandle(hold) { withExtendedLifetime(hold) {} }
    }
}

/// Holds a body until its node goes. Then it ends the lifetime of the body's last call.
private final class BodyHold {
    private let dynamic: ComputedCore
    private let join: Join

    init(_ dynamic: ComputedCore, _ join: Join) {
        self.dynamic = dynamic
        self.join = join
    }
    deinit {
        dynamic.endLifetime()
        join.keep()
    }
}
