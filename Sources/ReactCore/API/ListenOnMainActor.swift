#if canImport(Darwin)
import Darwin
#endif

extension ListenContext {
    /// Calls `body` on the main actor: at once when the value is set there, else as soon as the main actor is free.
    ///
    ///     let lifetime = Lifetime(), total = MutableNode(1)
    ///     lifetime.listen(to: total).withOnMainActor { print("total: \($0)") }       // total: 1
    ///     total.value = 2                                                            // total: 2
    ///
    /// **Order.** The values are heard in order: one that is set on the main actor while others from elsewhere still wait
    /// is heard at once, and they just before it.
    ///
    /// **Re-entrancy.** A value that `body` sets itself is heard after `body` returns.
    ///
    /// **Lifetime.** As with `with(_:)`. What still waits when the listening is cancelled, or when the listener is gone (a
    /// `Listener`: when its `lifetime` is), is not heard.
    ///
    /// A node delivers one value at a time: a value that is set on the main actor while another thread is delivering is
    /// delivered by that thread, and so waits.
    ///
    /// The main actor must run for values from other threads: an app's does, and so does a program's whose main function is
    /// `async`; a plain command-line tool calls `dispatchMain()` or runs `RunLoop.main`. (Outside Apple's platforms,
    /// `dispatchMain()` gives the main thread up, and only what Swift itself runs on the main actor, a task or an isolated
    /// function, counts as being there; a block on the main queue does not, and what it sets waits.)
    ///
    /// - Parameter body: Called with each value.
    /// - Returns: What ends the listening.
    /// - Complexity: A piece of work on the main actor for each value.
    @discardableResult
    public func withOnMainActor(_ body: @escaping @MainActor @Sendable (Value) -> Void) -> any Cancelable {
        with(edge: MainActorListenEdge<Value> { value, _ in body(value) })
    }
}

extension ListenContext where L: Sendable {
    /// Calls a method of a listener that belongs to the main actor, there and in order, as `withOnMainActor` calls its
    /// closure; does not hold the listener: `node.listened(by: view).call(View.show)`.
    ///
    ///     @MainActor final class View: Listener {
    ///         nonisolated let lifetime = Lifetime()
    ///         func show(_ value: Int) { print("shows", value) }
    ///     }
    ///
    ///     let node = MutableNode(1), view = View()
    ///     node.listened(by: view).call(View.show)     // shows 1
    ///
    /// The compiler prefers it to the other `call`, which runs on any thread, wherever the method is the main actor's.
    @discardableResult
    public func call(_ method: @escaping @Sendable (L) -> @MainActor (Value) -> Void) -> any Cancelable {
        with(edge: MainActorListenEdge<Value> { [weak listener] value, _ in listener.map(method)?(value) })
    }
    /// The same without the value.
    @discardableResult
    public func call(_ method: @escaping @Sendable (L) -> @MainActor () -> Void) -> any Cancelable {
        with(edge: MainActorListenEdge<Value> { [weak listener] _, _ in listener.map(method)?() })
    }
    /// The same with the value and what travels beside it.
    @discardableResult
    public func call(_ method: @escaping @Sendable (L) -> @MainActor (Value, NodeContext?) -> Void) -> any Cancelable {
        with(
            edge: MainActorListenEdge<Value> { [weak listener] value, context in
                listener.map(method)?(value, context)
            })
    }
}

/// A listen edge whose values wait in line for the main actor.
///
/// Each value brings a piece of work to the main actor, which hears all that waits up to that value, the value itself last.
/// The work refers to the edge weakly, and the values wait in the edge, which lives as long as the listening.
///
/// Unchecked, as `AnyEdge` is: what it adds is a constant, or in a lock.
private final class MainActorListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    private struct Waiting {
        let value: Value
        let context: NodeContext?
        let linking: Linking
        let hold = RecordedHold()
    }
    private struct Line {
        var waiting = Queue<Waiting>()
        /// How many values have come, and up to which one they are due.
        var arrivals = 0
        var due = 0
        /// Only the main actor hears, but what it hears may set the node.
        var isHearing = false

        var isNextDue: Bool { arrivals - waiting.count < due }
    }
    private let line = Lock(Line())
    private let hear: @MainActor (Value, NodeContext?) -> Void

    init(_ hear: @escaping @MainActor (Value, NodeContext?) -> Void) {
        self.hear = hear
        super.init()
    }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        let waiting = Waiting(value: value, context: context, linking: linkingOfCall)
        waiting.hold.begin(at: self)
        let place = line.withLock { line in
            line.waiting.append(waiting)
            line.arrivals += 1
            return line.arrivals
        }
        MainActor.runNowOrSoon { [weak self] in self?.hear(upTo: place) }
    }
    @MainActor private func hear(upTo place: Int) {
        guard beginHearing(upTo: place) else { return }
        while let next = nextDue() {
            // Cut or given another end meanwhile, or nobody there to hear it any more.
            guard mayHear(whatCameBy: next.linking) else {
                next.hold.drop(at: self, .wasCut)
                continue
            }
            next.hold.hearing(by: self) { hear(next.value, next.context) }
        }
    }
    /// Whether nobody hears already, who then goes on up to that place.
    private func beginHearing(upTo place: Int) -> Bool {
        line.withLock { line in
            line.due = max(line.due, place)
            defer { line.isHearing = true }
            return !line.isHearing
        }
    }
    private func nextDue() -> Waiting? {
        line.withLock { line in
            line.isHearing = line.isNextDue
            return line.isHearing ? line.waiting.popFirst() : nil
        }
    }
}

extension MainActor {
    /// Runs `work` on the main actor: before this returns, if the caller is there already.
    package static func runNowOrSoon(_ work: @escaping @MainActor @Sendable () -> Void) {
        #if canImport(Darwin)
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            if pthread_main_np() != 0 { assumeIsolated(work) } else { Task { @MainActor in work() } }
            return
        }
        #endif
        Task.immediate { @MainActor in work() }
    }
}
