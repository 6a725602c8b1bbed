import ReactCore

extension ListenContext {
    /// Calls `body` on `actor`, in order, one value at a time; at once where this thread is on it already.
    ///
    ///     actor Log {
    ///         private(set) var lines: [String] = []
    ///         func add(_ line: String) { lines.append(line) }
    ///     }
    ///     let log = Log(), temperature = MutableNode(20), lifetime = Lifetime()
    ///     temperature.listened(by: lifetime).with(on: log) { log, degrees in log.add("\(degrees)°") }
    ///     temperature.value = 21
    ///     print(await log.lines)      // ["20°", "21°"]
    ///
    /// `body` may use everything that is isolated to the actor, without `await`.
    ///
    /// **Order.** The values are heard in the order in which the node delivered them. One that is set on the actor while
    /// others from elsewhere still wait for it is heard at once, and they just before it. A value that `body` sets itself is
    /// heard after `body` has returned.
    ///
    /// **Lifetime.** As with `with(_:)`. Does not hold the actor: when the actor goes, nothing more is heard. A value
    /// on its way to the actor holds it until the value is there. Values that still wait when the listening is
    /// cancelled, or when the listener is gone, are not heard.
    ///
    /// On Apple's platforms before the versions of 2025, values wait for the actor in any case.
    ///
    /// - Parameters:
    ///   - actor: The actor on which `body` is called: any actor, also one with an executor of its own.
    ///   - body: Called with the actor and each value.
    /// - Returns: An object that ends the listening. You may drop it.
    /// - Complexity: One job of the actor a value, O(1) beside it.
    @discardableResult
    public func with<A: Actor>(
        on actor: A, _ body: @escaping @Sendable (isolated A, Value) -> Void
    ) -> any Cancelable {
        let hop = ActorHop(to: actor)
        return with(
            edge: WaitingListenEdge(schedule: { hop.run($0) }) { value, _, _ in
                hop.actor?.assumeIsolated { body($0, value) }
            }
        )
    }
}

/// Runs work on an actor that it does not hold.
private final class ActorHop<A: Actor>: Sendable {
    weak let actor: A?

    init(to actor: A) { self.actor = actor }

    /// Runs `work` on the actor: at once where this thread is on it already, else as a job of its own.
    func run(_ work: @escaping @Sendable () -> Void) {
        // Nobody is there to hear the value, but it has to leave the line.
        guard let actor else { return work() }
        // Only a function that is isolated to the actor can be given to it as a job that runs at once if possible.
        // `start` touches nothing of the actor and only declares the isolation, so it may be called from anywhere, as
        // `assumeIsolated` calls it.
        let start: (isolated A) -> Void = { ActorHop.start(work, on: $0) }
        unsafeBitCast(start, to: ((A) -> Void).self)(actor)
    }
    private static func start(_ work: @escaping @Sendable () -> Void, on actor: isolated A) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate {
                _ = actor
                work()
            }
        } else {
            Task {
                _ = actor
                work()
            }
        }
    }
}
