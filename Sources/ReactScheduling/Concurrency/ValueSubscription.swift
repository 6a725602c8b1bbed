import ReactCore

/// What an iterator holds: its line, and the listening that fills it. Both end when this goes, or earlier, by `end`.
@usableFromInline final class ValueSubscription<Value: Sendable>: Sendable {
    @usableFromInline let line: ValueLine<Value>
    /// Holds the listening.
    private let lifetime: Lifetime
    private let listening: any Cancelable
    private let farewells = Lock<[Farewell]>([])

    /// Has `forward` called with the node's values: it puts them into `line`, and holds no more than that.
    @inlinable convenience init(
        to node: Node<Value>, _ line: ValueLine<Value>, _ forward: @escaping @Sendable (RawDelivery) -> Sent
    ) {
        let lifetime = Lifetime()
        self.init(line, lifetime, node.listened(by: lifetime).attach(forward))
    }
    @usableFromInline init(_ line: ValueLine<Value>, _ lifetime: Lifetime, _ listening: any Cancelable) {
        self.line = line
        self.lifetime = lifetime
        self.listening = listening
    }
    deinit { line.end() }

    /// Ends when any of `lifetimes` goes.
    @usableFromInline func end(with lifetimes: [WeakLifetime]) {
        guard !lifetimes.isEmpty else { return }
        let new = lifetimes.map { Farewell(to: $0.lifetime) { [weak self] in self?.end() } }
        farewells.withLock { $0 = new }
    }
    /// Lets go of the node and of all values; a loop that waits gets `nil`.
    @usableFromInline func end() {
        listening.cancel()
        line.end()
        let farewells = farewells.withLock { held in
            let farewells = held
            held = []
            return farewells
        }
        withExtendedLifetime(farewells) {}
    }
    @inlinable func next(isolation actor: isolated (any Actor)?) async -> Value? {
        if Task.isCancelled { end() }
        switch line.take() {
        case .value(let value): return value
        case .ended: return nil
        case .nothingYet: break
        }
        return await withTaskCancellationHandler(
            operation: { await withUnsafeContinuation(isolation: actor) { line.wait($0) } },
            onCancel: { end() },
            isolation: actor)
    }
}
