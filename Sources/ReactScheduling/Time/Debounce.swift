import Dispatch
import ReactCore

extension Node {
    /// "Debounce": passes a value on when no newer one has come for `interval`.
    ///
    ///     let scheduler = VirtualScheduler()
    ///     let search = MutableNode("")
    ///     let query = search.debounce(.milliseconds(300), on: scheduler)
    ///     search.value = "gra"
    ///     scheduler.advance(by: .milliseconds(200))
    ///     search.value = "graph"
    ///     scheduler.advance(by: .milliseconds(299))
    ///     print(query.value ?? "-")                   // -
    ///     scheduler.advance(by: .milliseconds(1))
    ///     print(query.value ?? "-")                   // graph
    ///
    /// A value that comes at the very moment at which the one before it would be passed on is either newer, and replaces
    /// it, or too late, whichever the scheduler runs first.
    ///
    /// **Order.** Values are passed on one at a time, in the order in which they came, on a concurrent queue too.
    ///
    /// **Re-entrancy.** No lock is held while a value is passed on: a listener may set this node.
    ///
    /// **Lifetime.** The pending value keeps neither this node nor the new one alive. It is dropped, and its timer
    /// cancelled, when the new node is released, when the transform is cut, and when its `from` changes. If its `to`
    /// changes, the pending value is dropped as well, and the present one waits for its time. Once `from =`, `to =` or
    /// `cancel()` has returned, nothing of before arrives any more.
    ///
    /// **Emptiness.** Emptying this node is not passed on, and is no newer value: the pending one still arrives.
    ///
    /// **Context and sender list** are those of the value that is passed on.
    ///
    /// - Parameters:
    ///   - interval: How long it must have been quiet, by the scheduler's clock.
    ///   - scheduler: Where everything downstream runs. It is held as long as the new node lives.
    /// - Returns: The new node: immutable, and empty until the first value has been passed on.
    /// - Precondition: `interval` is greater than zero.
    /// - Complexity: O(1) a value. At most one timer is pending, however many values come, on any scheduler that lets go
    ///   of cancelled work. If it also has a clock to read (`clockReading`), values that come while the timer runs make
    ///   no timer of their own.
    public func debounce(_ interval: Duration, on scheduler: some Scheduler) -> Node<Value> {
        debounced(by: interval, on: scheduler, operation: "debounce")
    }

    /// "Throttle": the name that EasyReact gives to `debounce`, which see.
    ///
    /// For at most one value an interval, which other libraries call `throttle`, use `sample(every:on:)`.
    ///
    /// - Parameters:
    ///   - interval: How long it must have been quiet, by the scheduler's clock.
    ///   - scheduler: Where everything downstream runs. It is held as long as the new node lives.
    /// - Returns: The new node: immutable, and empty until the first value has been passed on.
    /// - Precondition: `interval` is greater than zero.
    public func throttle(_ interval: Duration, on scheduler: some Scheduler) -> Node<Value> {
        debounced(by: interval, on: scheduler, operation: "throttle")
    }

    /// "Throttle" on the main queue.
    ///
    /// Needs a running main queue. An app has one; a plain command-line tool calls `dispatchMain()` or runs
    /// `RunLoop.main`. Until then, the value waits.
    public func throttleOnMainQueue(_ interval: Duration) -> Node<Value> {
        throttle(interval, on: .main)
    }

    private func debounced(by interval: Duration, on scheduler: some Scheduler, operation: String) -> Node<Value> {
        require(
            interval > .zero,
            "\(operation): the interval must be greater than zero, and \(interval) is not. Without one, every value is passed on."
        )
        let node = Node<Value>()
        let name = operation.prefix(1).uppercased() + operation.dropFirst()
        node.link(to: self, transform: HoldingTransform(name: name, .afterQuiet(interval), on: scheduler))
        return node
    }
}
