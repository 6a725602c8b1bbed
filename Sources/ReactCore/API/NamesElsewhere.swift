// Names of other libraries. The compiler tells whoever tries one how to write it here. No program can call them, so no
// program contains them. *Coming from …* in ReactOperators has all names. The parameters are loose, so that the
// compiler finds the declaration, and not a fault in the closure.

@available(*, unavailable, message: "write 'listened(by: listener).with { … }', which ends with its listener")
extension Node {
    public func sink(receiveValue: (Value) -> Void) -> any Cancelable { fatalError() }
    public func sink(receiveCompletion: (Never) -> Void, receiveValue: (Value) -> Void) -> any Cancelable {
        fatalError()
    }
    public func subscribe(
        onNext: ((Value) -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Cancelable { fatalError() }
    public func bind(onNext: (Value) -> Void) -> any Cancelable { fatalError() }
    public func drive(onNext: (Value) -> Void) -> any Cancelable { fatalError() }
    public func observe(_ action: (Value) -> Void) -> any Cancelable { fatalError() }
    public func observeValues(_ action: (Value) -> Void) -> any Cancelable { fatalError() }
    public func startWithValues(_ action: (Value) -> Void) -> any Cancelable { fatalError() }
    public func assign<Root, Part>(to path: ReferenceWritableKeyPath<Root, Part>, on object: Root) -> any Cancelable {
        fatalError()
    }
}

@available(*, unavailable, message: "the node that follows comes first: write 'other.link(to: node)'")
extension Node {
    public func bind(to target: AnyNode) -> any Cancelable { fatalError() }
    public func drive(_ target: AnyNode) -> any Cancelable { fatalError() }
    public func assign<Target>(to target: inout Target) { fatalError() }
}

@available(*, unavailable, message: "leave it out: every node is shared, holds its newest value, and never fails")
extension Node {
    public func share() -> Node<Value> { fatalError() }
    public func share(replay: Int) -> Node<Value> { fatalError() }
    public func eraseToAnyPublisher() -> Node<Value> { fatalError() }
    public func asDriver() -> Node<Value> { fatalError() }
    public func asDriver(onErrorJustReturn value: Value) -> Node<Value> { fatalError() }
}

extension Node {
    @available(*, unavailable, message: "leave it out, or write 'fork()' for a node that nobody can set")
    public func asObservable() -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'pulses()'")
    public func asSignal() -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'listened(by: object).call(method)', which does not hold the object")
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Node<(Object, Value)> { fatalError() }
    @available(*, unavailable, message: "write 'Node(value)'")
    public static func just(_ value: Value) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "leave it out, and set the node on the thread that you want")
    public func subscribe<Queue: AnyObject>(on queue: Queue) -> Node<Value> { fatalError() }
}

@available(*, unavailable, message: "set 'value', or 'pulse' an event, which no node keeps")
extension MutableNode {
    public func send(_ value: Value) { fatalError() }
    public func accept(_ value: Value) { fatalError() }
    public func onNext(_ value: Value) { fatalError() }
}
extension MutableNode {
    @available(*, unavailable, message: "no node ends: an error is a value, such as a 'Result'")
    public func send<Completion>(completion: Completion) { fatalError() }
    @available(*, unavailable, renamed: "update(_:)")
    public func modify(_ change: (inout Value) -> Void) { fatalError() }
    @available(*, unavailable, message: "write 'withUpdate { … }', which returns the result of its closure")
    public func swap(_ value: Value) -> Value { fatalError() }
}
extension MutableNode where Value == Void {
    @available(*, unavailable, renamed: "pulse()")
    public func send() { fatalError() }
}

@available(
    *, unavailable, message: "leave it out: a listening ends with its listener; a link ends 'cancelled(by: lifetime)'"
)
extension Cancelable {
    public func store<Bag>(in bag: inout Bag) { fatalError() }
    public func disposed<Bag>(by bag: Bag) { fatalError() }
}
