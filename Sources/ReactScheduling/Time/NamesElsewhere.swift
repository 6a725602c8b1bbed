import ReactCore

// Names of other libraries. The compiler tells whoever tries one how to write it here. No program can call them, so no
// program contains them. *Coming from …* has all names.

@available(*, unavailable, message: "write 'deliver(on: scheduler)', or listen by 'withOnMainActor { … }'")
extension Node {
    public func receive<Queue>(on queue: Queue) -> Node<Value> { fatalError() }
    public func observe<Queue: AnyObject>(on queue: Queue) -> Node<Value> { fatalError() }
}

extension Node {
    @available(*, unavailable, renamed: "mapFirst(_:)")
    public func flatMapFirst<Output>(_ transform: (Value) async throws -> Output) -> Node<Output> { fatalError() }
    @available(*, unavailable, renamed: "mapInOrder(_:)")
    public func concatMap<Output>(_ transform: (Value) async throws -> Output) -> Node<Output> { fatalError() }
}

// Intervals such as `.seconds(1)`, to which `Duration` gives a type.
extension Node {
    @available(*, unavailable, renamed: "debounce(_:on:)")
    public func debounce<Queue>(for interval: Duration, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "delay(_:on:)")
    public func delay<Queue>(for interval: Duration, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'sample(every:on:)'; 'keeping: .first' is 'latest: false'")
    public func throttle<Queue>(for interval: Duration, scheduler: Queue, latest: Bool) -> Node<Value> {
        fatalError()
    }
    @available(*, unavailable, renamed: "debounce(_:on:)")
    public func debounce<Queue>(_ interval: Duration, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "delay(_:on:)")
    public func delay<Queue>(_ interval: Duration, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "timeout(_:on:)")
    public func timeout<Queue>(_ interval: Duration, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'sample(every:on:)'; 'keeping: .first' is 'latest: false'")
    public func throttle<Queue>(_ interval: Duration, latest: Bool = true, scheduler: Queue) -> Node<Value> {
        fatalError()
    }
}
// Intervals such as `0.3`.
extension Node {
    @available(*, unavailable, renamed: "debounce(_:on:)")
    public func debounce<Interval, Queue>(for interval: Interval, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "delay(_:on:)")
    public func delay<Interval, Queue>(for interval: Interval, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'sample(every:on:)'; 'keeping: .first' is 'latest: false'")
    public func throttle<Interval, Queue>(for interval: Interval, scheduler: Queue, latest: Bool) -> Node<Value> {
        fatalError()
    }
    @available(*, unavailable, renamed: "debounce(_:on:)")
    public func debounce<Interval, Queue>(_ interval: Interval, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "delay(_:on:)")
    public func delay<Interval, Queue>(_ interval: Interval, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "timeout(_:on:)")
    public func timeout<Interval, Queue>(_ interval: Interval, scheduler: Queue) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'sample(every:on:)'; 'keeping: .first' is 'latest: false'")
    public func throttle<Interval, Queue>(_ interval: Interval, latest: Bool = true, scheduler: Queue) -> Node<Value> {
        fatalError()
    }
}
