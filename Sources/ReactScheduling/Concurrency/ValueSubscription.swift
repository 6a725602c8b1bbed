import ReactCore

/// The line of an iterator, and the listening that fills it. Both end when this object goes, or earlier by `end`.
@usableFromInline final class ValueSubscription<Value: Sendable>: Sendable {
    @usableFromInline let line: ValueLine<Value>
    /// Holds the listening.
    private let lifetime: Lifetime
    private let listening: any Cancelable
    private let farewells = Lock<[Farewell]>([])

    /// Calls `listen` to begin the listening, which puts values into `line` and holds nothing else. The lifetime that
    /// `listen` receives holds it.
    ///
    /// `listen` makes the closure that is called with each value, because a closure passed through here would cost
    /// another call for each value.
    @usableFromInline init(_ line: ValueLine<Value>, _ listen: (Lifetime) -> any Cancelable) {
        self.line = line
        lifetime = Lifetime()
        listening = listen(lifetime)
        lifetime.mayGoAtOnce()
    }
    deinit { line.end() }

    /// Makes the subscription end when any of `lifetimes` goes.
    @usableFromInline func end(with lifetimes: [WeakLifetime]) {
        guard !lifetimes.isEmpty else { return }
        let new = lifetimes.map { Farewell(to: $0.lifetime) { [weak self] in self?.end() } }
        farewells.withLock { $0 = new }
    }
    /// Releases the node and all values. A loop that waits gets `nil`.
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
