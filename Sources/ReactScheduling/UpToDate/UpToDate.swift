import ReactCore

extension AnyNode {
    /// True if no value is on its way to this node.
    ///
    ///     let clock = VirtualScheduler(), text = MutableNode("a")
    ///     let query = text.debounce(.milliseconds(300), on: clock)
    ///     print(query.isUpToDate)                         // false
    ///     clock.advance(by: .milliseconds(300))
    ///     print(query.isUpToDate)                         // true
    ///
    /// A value is on its way if it was set upstream, and an edge on the way has taken it for later, and has neither
    /// delivered nor dropped it. Such edges are those of `deliver`, `delay`, `debounce`, `throttle`, `sample`,
    /// `collect(every:)` and `combine(_:sampledEvery:on:)`, and those of `mapLatest`, `mapFirst` and `mapInOrder` while
    /// their work runs or waits. `ticks`, `timeout`, `follow` and listeners take no value for later.
    ///
    /// The answer is also false while this node, or one upstream, is in the middle of a delivery, has pending values,
    /// or is a combination that an open batch has reached. It is a snapshot. Safe from any thread.
    ///
    /// - Complexity: O(nodes and edges upstream).
    public var isUpToDate: Bool { vertex.isUpToDate }
}

extension Node {
    /// "UpToDate": a node that holds false while a value is on its way to this node, and true otherwise. `isUpToDate`
    /// says which values are on their way.
    ///
    ///     let clock = VirtualScheduler(), screen = Lifetime(), text = MutableNode<String>()
    ///     let results = text.debounce(.milliseconds(300), on: clock)
    ///     let isSearching = results.upToDate().map { !$0 }
    ///     isSearching.listened(by: screen).with { print($0) }     // false
    ///     text.value = "gra"                                      // true
    ///     clock.advance(by: .milliseconds(300))                   // false
    ///
    /// **Order.** The answer changes in the same set or batch that gives the value to the waiting edge, and in the same
    /// delivery that brings the value. So a combination of the answer and of this node fires once for each, and never
    /// shows an old value beside `true` while a newer one is on its way. A plain listener of the source that was added
    /// before the waiting edge may still read `true`. A listener of the answer hears the value of this node before
    /// `true`.
    ///
    /// If combinations or a `settled` lie before the waiting edge, a combination that also reads their source by a
    /// shorter way may fire once before the value has come to that edge, with the old value and `true`.
    ///
    /// A value that waits behind `settled` upstream has not come yet: the answer becomes true when that has fired.
    ///
    /// **Graph.** The answer follows changes of the graph upstream, such as a `flattenMap` that switches. All nodes
    /// upstream become one graph with this one, also those behind `deliver`, `delay`, `debounce` or `collect(every:)`,
    /// which does one thing at a time: see *Threads and order*.
    ///
    /// **Rings.** If the answer leads back into a waiting edge upstream of itself, the graph never comes to rest.
    ///
    /// - Returns: A new immutable node, which holds a value at once.
    /// - Complexity: No cost for values. When a waiting edge begins or ceases to buffer values, and when a `settled`
    ///   node fires: O(edges between it and those who ask), and O(nodes and edges upstream) for each answer. A changed
    ///   edge costs nothing where nobody downstream asks.
    public func upToDate() -> Node<Bool> {
        let node = Node<Bool>(!vertex.isWaiting(countingLast: true))
        let question = Question(at: node.vertex)
        _ = node.vertex.holdByHandle(question)
        node.follow(self, "UpToDate", state: question) { _ in .nothing }
        Askers.begin(at: node.vertex)
        // A value may have been taken before the flags were set.
        node.inGraph { question.ask(in: Engine.current) }
        return node
    }

    /// Waits until `isUpToDate` is true, and returns the value then. Returns at once if it is true already.
    ///
    ///     let clock = VirtualScheduler(), text = MutableNode("gra")
    ///     let query = text.debounce(.milliseconds(300), on: clock)
    ///     async let found = query.whenUpToDate()
    ///     clock.advance(by: .milliseconds(300))
    ///     print(try await found ?? "-")       // gra
    ///
    /// Runs on the caller's actor.
    ///
    /// - Returns: The value, or `nil` if the node is empty.
    /// - Throws: `CancellationError` if the task is cancelled first.
    nonisolated(nonsending) public func whenUpToDate() async throws -> Value? {
        while !isUpToDate {
            try Task.checkCancellation()
            if !vertex.isWaiting() {
                // A delivery or a batch is open on another thread, or further up this stack.
                for await _ in endOfPresentWork {}
                try Task.checkCancellation()
            } else {
                _ = try await upToDate().first { $0 }
            }
        }
        return value
    }
}

/// The question whether something upstream of a node buffers values. Its node is a join without inputs, so the answer
/// fires after everything upstream of it, and once in a transaction. The node's handle holds the question.
private final class Question: OperatorState, Asker {
    let vertex: Vertex
    private let join: Join

    init(at vertex: Vertex) {
        self.vertex = vertex
        join = Join(at: vertex, inputs: 0) { [unowned vertex] _, engine in Question.fire(vertex, in: engine) }
    }
    // The join may be in a queue.
    deinit { vertex.asOwner { [join] _ in join.retainItself() } }

    var facts: OperatorFacts { .asksForWaiting }
    var wanted: String? { "only whether values are on their way" }
    var isJoinPending: Bool { join.isDirty }
    func ask(in engine: Engine) { join.requireFiring(in: engine) }

    /// Stores the answer, if it has changed. The turn is this thread's.
    private static func fire(_ vertex: Vertex, in engine: Engine) -> NextEdge {
        engine.enterCall(0)
        let cell = unsafeDowncast(vertex, to: ValueCell<Bool>.self)
        var isUpToDate = !vertex.isWaiting(countingLast: cell.value != true)
        guard cell.value != isUpToDate else {
            engine.observer?.firedNothing(vertex, .same)
            engine.takeTurns(at: .passUnretained(vertex))
            return .nothing
        }
        return engine.store(&isUpToDate, in: cell, by: .firing)
    }
}
