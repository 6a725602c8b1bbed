import ReactCore

/// The line of an iterator, and the listening that fills it. Both end when this object goes, or earlier by `end`.
@usableFromInline final class ValueSubscription<Value: Sendable>: Sendable {
    @usableFromInline let line: ValueLine<Value>
    /// Holds the listening.
    private let lifetime: Lifetime
    private let listening: any Cancelable
    /// The objects by which the lifetimes end the subscription.
    private let farewells = Lock<[BlockCancelable]>([])

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
    deinit { end() }

    /// Makes the subscription end when any of `lifetimes` goes.
    @usableFromInline func end(with lifetimes: [WeakLifetime]) {
        for ending in lifetimes {
            guard let lifetime = ending.lifetime else { return end() }
            let farewell = BlockCancelable { [weak self] in self?.end() }
            farewells.withLock { $0.append(farewell) }
            lifetime.hold(farewell)
        }
    }
    /// Releases the node and all values. A loop that waits gets `nil`.
    @usableFromInline func end() {
        listening.cancel()
        line.end()
        for farewell in farewells.withLock({ exchange(&$0, with: []) }) { farewell.cancel() }
    }
    @inlinable func next(isolation actor: isolated (any Actor)?) async -> Value? {
        if Task.isCancelled { end() }
        if let answer = line.take() { return answer }
        return await withTaskCancellationHandler(
            operation: { await withCheckedContinuation(isolation: actor) { line.wait($0) } },
            onCancel: { end() },
            isolation: actor)
    }
}
