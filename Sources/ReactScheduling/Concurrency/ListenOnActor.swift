import ReactCore

extension ListenContext {
    /// Calls `body` on `actor` with each value, in order, one at a time; at once if this thread is on the actor
    /// already.
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
    /// **Order.** The values are heard in the order in which the node delivered them. A value that is set on the actor
    /// is heard at once. If values from elsewhere still wait for the actor, they are heard just before it. A value that
    /// `body` sets itself is heard after `body` has returned.
    ///
    /// **Lifetime.** As with `with(_:)`. The listening does not hold the actor: when the actor goes, nothing more is
    /// heard. A value on its way to the actor holds the actor until it arrives. Values that still wait when the
    /// listening is cancelled, or when the listener goes, are not heard.
    ///
    /// On Apple's platforms before the releases of 2025, every value waits for the actor.
    ///
    /// - Parameters:
    ///   - actor: The actor on which `body` is called. It may have an executor of its own.
    ///   - body: Called with the actor and each value.
    /// - Returns: An object that ends the listening. You may drop it.
    /// - Complexity: One job of the actor for each value, and O(1) besides.
    @discardableResult
    public func with<A: Actor>(
        on actor: A, _ body: @escaping @Sendable (isolated A, Value) -> Void
    ) -> any Cancelable {
        let hop = ActorHop(to: actor)
        return with(
            edge: WaitingListenEdge(on: hop) { value, _, _ in
                hop.actor?.assumeIsolated { body($0, value) }
            }
        )
    }
}

/// Runs work on an actor that it does not hold.
private final class ActorHop<A: Actor>: Scheduler {
    weak let actor: A?

    init(to actor: A) { self.actor = actor }

    /// Runs `work` on the actor: at once if this thread is on the actor already, and otherwise as a job.
    func schedule(_ work: @escaping @Sendable () -> Void) {
        // The actor has gone. The value still has to leave the line.
        guard let actor else { return work() }
        // Only a function that is isolated to the actor can be given to it as a job that runs at once if possible.
        // `start` touches nothing of the actor and only declares the isolation, so it may be called from anywhere, as
        // `assumeIsolated` calls it.
        let start: (isolated A) -> Void = { ActorHop.start(work, on: $0) }
        unsafeBitCast(start, to: ((A) -> Void).self)(actor)
    }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        preconditionFailure("a listening has no timer")
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
