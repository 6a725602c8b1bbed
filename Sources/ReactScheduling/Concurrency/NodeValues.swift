import ReactCore
import Synchronization

extension Node {
    /// The values for `for await`: the present one first, if there is one, then the newest each time the loop asks.
    ///
    ///     let temperature = MutableNode(20), lifetime = Lifetime()
    ///     let display = Task {
    ///         for await degrees in temperature.values {
    ///             print("\(degrees)°")                    // 20°
    ///             if degrees > 20 { break }               // 25°
    ///             temperature.value = 25
    ///         }
    ///     }
    ///     await display.value
    ///
    /// **Order.** The line never grows: a loop that is slower than the node skips values, and always gets the last one.
    /// Values arrive in order, and none twice. A loop goes on when the outermost set or batch that brought the value is
    /// over, so everything derived from the value is current. The present value is the one that the node holds when the
    /// iterator is made.
    ///
    /// **Threads.** The loop runs where its task runs. It never holds up a thread that sets the node.
    ///
    /// **Lifetime.** Each iterator listens by itself, from the moment it is made. It holds the node, as a listener
    /// does, until the iterator goes. If its task is cancelled, it lets go of the node while it waits in `next`, or at
    /// the next call of `next`. Then `next` returns `nil`, and waiting values are dropped. See also
    /// `NodeValues.ending(with:)`.
    ///
    /// **Emptiness.** Emptying the node is not heard.
    ///
    /// - Complexity: O(1) for each value.
    public var values: NodeValues<Value> { NodeValues(node: self, buffering: .newest(1)) }

    /// The values for `for await`, with a line of waiting values.
    ///
    ///     let orders = MutableNode<Int>()
    ///     var incoming = orders.values(buffering: .all).makeAsyncIterator()
    ///     for number in 1...3 { orders.value = number }
    ///     print(await incoming.next()!, await incoming.next()!, await incoming.next()!)       // 1 2 3
    ///
    /// - Parameters:
    ///   - buffering: The number and choice of the values that wait while the loop is elsewhere.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: The sequence. It listens to the node only once a loop begins. If another thread keeps the graph busy
    ///   then, for longer than a set waits, it listens when the graph is free, and the values before that are not in
    ///   the sequence.
    /// - Precondition: A limit is at least one.
    public func values(
        buffering: NodeBuffering, file: StaticString = #fileID, line: UInt = #line
    ) -> NodeValues<Value> {
        require(
            buffering.isPossible,
            "values(buffering:): \(buffering) keeps no value, so that a loop may miss the last; keep at least 1",
            file: file, line: line)
        return NodeValues(node: self, buffering: buffering)
    }

    /// Returns the first value for which `condition` returns true, beginning with the present value.
    ///
    ///     let progress = MutableNode(0)
    ///     Task { for percent in 1...100 { progress.value = percent } }
    ///     print(try await progress.first { $0 >= 100 })       // 100
    ///
    /// No value is skipped, however fast values come. But if another thread keeps the graph busy for longer than a set
    /// waits, this method listens when the graph is free. Until then, it asks about the present value alone. If that is
    /// the one, it returns it without waiting for the other thread.
    ///
    /// - Parameter condition: Called with each value until it returns true, on the thread that sets the value, and for
    ///   the present value of a busy graph on this one, with no lock held.
    /// - Returns: The value, once the set or batch that brought it is over.
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func first(where condition: @escaping @Sendable (Value) -> Bool) async throws -> Value {
        let line = ValueLine<Value>(.oldest(1)), hasHeard = Atomic(false), hasHeld = Atomic(false)
        let wasEmpty = isEmpty
        let subscription = ValueSubscription(line) {
            listened(by: $0).attach { raw in
                hasHeard.store(true, ordering: .relaxed)
                if hasHeld.load(ordering: .relaxed) || !condition(EdgeCall<Value, Never>(raw).value) { return .nothing }
                hasHeld.store(true, ordering: .relaxed)
                return line.receive(raw)
            }
        }
        // The listening is late if it has not heard the present value by now.
        if !wasEmpty, !hasHeard.load(ordering: .relaxed), let present = value, condition(present) { return present }
        guard let first = await subscription.next(isolation: nil) else { throw CancellationError() }
        return first
    }
}

/// The values of a node as an asynchronous sequence: see `Node.values`.
public struct NodeValues<Element: Sendable>: AsyncSequence, Sendable {
    /// The sequence never fails.
    public typealias Failure = Never

    @usableFromInline let node: Node<Element>
    @usableFromInline let buffering: NodeBuffering
    @usableFromInline var endings: [WeakLifetime] = []

    /// Begins to listen to the node. Values that arrive before the first `next` wait as the buffering says.
    @inlinable public func makeAsyncIterator() -> Iterator {
        let line = ValueLine<Element>(buffering)
        let subscription = ValueSubscription(line) { node.listened(by: $0).attach { line.receive($0) } }
        subscription.end(with: endings)
        return Iterator(subscription)
    }

    /// Ends the sequence when `lifetime` goes.
    ///
    ///     let node = MutableNode(1)
    ///     var screen: Lifetime? = Lifetime()
    ///     var values = node.values.ending(with: screen!).makeAsyncIterator()
    ///     print(await values.next() as Any)           // Optional(1)
    ///     node.value = 2
    ///     screen = nil
    ///     print(await values.next() as Any)           // nil
    ///
    /// The lifetime is not held. When it goes, or is cancelled, waiting values are dropped, and waiting loops go on at
    /// once. If you give several lifetimes, the first one that ends also ends the sequence.
    ///
    /// A loop whose function holds the lifetime, in a variable or by `self`, keeps the lifetime alive, so that the
    /// lifetime does not go before the loop ends. `cancel()` of the lifetime ends such a loop, too.
    ///
    /// A lifetime can be used again after `cancel()`. So a loop that begins after that, as in a task that starts late,
    /// goes on until the next `cancel()`, or until the lifetime goes.
    public func ending(with lifetime: Lifetime) -> NodeValues {
        var values = self
        values.endings.append(WeakLifetime(lifetime: lifetime))
        return values
    }

    /// Listens to the node for one loop. `dump` and debuggers show no values that wait: they may be redacted.
    public struct Iterator: AsyncIteratorProtocol, CustomReflectable {
        @usableFromInline let subscription: ValueSubscription<Element>

        @usableFromInline init(_ subscription: ValueSubscription<Element>) { self.subscription = subscription }

        /// Returns the next value, as soon as there is one. Returns `nil` once the task is cancelled, or a lifetime of
        /// `ending(with:)` has gone.
        ///
        /// - Precondition: No other `next` of this iterator waits.
        @inlinable public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            await subscription.next(isolation: actor)
        }
        /// The number of values that the loop has missed: each came while as many waited as the buffering allows, so
        /// that it or an older one was dropped. Values that wait when the sequence ends do not count.
        ///
        ///     let node = MutableNode<Int>()
        ///     var values = node.values(buffering: .oldest(2)).makeAsyncIterator()
        ///     for number in 1...5 { node.value = number }
        ///     print(await values.next()!, values.droppedCount)        // 1 3
        ///
        /// Safe from any thread. O(1).
        public var droppedCount: Int { subscription.line.droppedCount }
        /// Nothing, as no value that waits is to be shown.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
}

/// A lifetime that is not held.
@usableFromInline struct WeakLifetime: Sendable {
    weak let lifetime: Lifetime?
}
