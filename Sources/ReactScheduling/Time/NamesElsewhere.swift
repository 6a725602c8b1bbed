import ReactCore

// Names of other libraries. The compiler tells whoever tries one how to write it here. No program can call them, so no
// program contains them. *Coming from …* has all names.

@available(*, unavailable, message: "write 'deliver(on: scheduler)', or listen by 'withOnMainActor { … }'")
extension Node {
    public func receive(on queue: some Any) -> Node<Value> { fatalError() }
    public func observe(on queue: some AnyObject) -> Node<Value> { fatalError() }
}

extension Node {
    @available(*, unavailable, renamed: "mapFirst(_:)")
    public func flatMapFirst<Output>(_ transform: (Value) async throws -> Output) -> Node<Output> { fatalError() }
    @available(*, unavailable, renamed: "mapInOrder(_:)")
    public func concatMap<Output>(_ transform: (Value) async throws -> Output) -> Node<Output> { fatalError() }
}

// Intervals such as `.seconds(1)`, to which `Duration` gives a type, and others such as `0.3`.

@available(*, unavailable, renamed: "debounce(_:on:)")
extension Node {
    public func debounce(for interval: Duration, scheduler: some Any) -> Node<Value> { fatalError() }
    public func debounce(for interval: some Any, scheduler: some Any) -> Node<Value> { fatalError() }
    public func debounce(_ interval: Duration, scheduler: some Any) -> Node<Value> { fatalError() }
    public func debounce(_ interval: some Any, scheduler: some Any) -> Node<Value> { fatalError() }
}

@available(*, unavailable, renamed: "delay(_:on:)")
extension Node {
    public func delay(for interval: Duration, scheduler: some Any) -> Node<Value> { fatalError() }
    public func delay(for interval: some Any, scheduler: some Any) -> Node<Value> { fatalError() }
    public func delay(_ interval: Duration, scheduler: some Any) -> Node<Value> { fatalError() }
    public func delay(_ interval: some Any, scheduler: some Any) -> Node<Value> { fatalError() }
}

@available(*, unavailable, renamed: "timeout(_:on:)")
extension Node {
    public func timeout(_ interval: Duration, scheduler: some Any) -> Node<Value> { fatalError() }
    public func timeout(_ interval: some Any, scheduler: some Any) -> Node<Value> { fatalError() }
}

@available(*, unavailable, message: "write 'sample(every:on:)'; 'keeping: .first' is 'latest: false'")
extension Node {
    public func throttle(for interval: Duration, scheduler: some Any, latest: Bool) -> Node<Value> { fatalError() }
    public func throttle(for interval: some Any, scheduler: some Any, latest: Bool) -> Node<Value> { fatalError() }
    public func throttle(_ interval: Duration, latest: Bool = true, scheduler: some Any) -> Node<Value> { fatalError() }
    public func throttle(_ interval: some Any, latest: Bool = true, scheduler: some Any) -> Node<Value> { fatalError() }
}
