import ReactCore

// Names of other libraries. The compiler tells whoever tries one how to write it here. No program can call them, so no
// program contains them. *Coming from …* has all names.

extension Node {
    @available(*, unavailable, message: "write 'flatMapMerging', or 'flattenMap' to follow the newest node alone")
    public func flatMap<Output>(_ transform: (Value) -> Node<Output>) -> Node<Output> { fatalError() }
    @available(*, unavailable, renamed: "flattenMap(_:)")
    public func flatMapLatest<Output>(_ transform: (Value) -> Node<Output>) -> Node<Output> { fatalError() }
    @available(*, unavailable, renamed: "flattenMap(_:)")
    public func switchMap<Output>(_ transform: (Value) -> Node<Output>) -> Node<Output> { fatalError() }
    @available(*, unavailable, renamed: "flatten()")
    public func switchToLatest<Output>() -> Node<Output> where Value == Node<Output> { fatalError() }
    @available(*, unavailable, renamed: "flatten()")
    public func switchLatest<Output>() -> Node<Output> where Value == Node<Output> { fatalError() }

    @available(*, unavailable, renamed: "distinctUntilChanged()")
    public func removeDuplicates() -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "distinctUntilChanged(by:)")
    public func removeDuplicates(by areEqual: (Value, Value) -> Bool) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "distinctUntilChanged()")
    public func skipRepeats() -> Node<Value> { fatalError() }

    @available(*, unavailable, renamed: "skip(_:)")
    public func dropFirst(_ count: Int = 1) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "skip(_:)")
    public func skip(first count: Int) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "skip(while:)")
    public func drop(while condition: (Value) -> Bool) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "take(_:)")
    public func prefix(_ count: Int) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "take(_:)")
    public func take(first count: Int) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "take(while:)")
    public func prefix(while condition: (Value) -> Bool) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "take(until:)")
    public func prefix<Other>(untilOutputFrom other: Node<Other>) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "starting(with:)")
    public func prepend(_ values: Value...) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "starting(with:)")
    public func startWith(_ values: Value...) -> Node<Value> { fatalError() }

    @available(*, unavailable, message: "write 'withLatest(from: other).map(\\.0)'")
    public func skip<Other>(until other: Node<Other>) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'withLatest(from: other).map(\\.0)'")
    public func drop<Other>(untilOutputFrom other: Node<Other>) -> Node<Value> { fatalError() }

    @available(*, unavailable, message: "write 'skip(index).take(1)'")
    public func element(at index: Int) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'take(1)'")
    public func first() -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "mapReplace(_:)")
    public func map<Output>(value: Output) -> Node<Output> { fatalError() }
    @available(*, unavailable, message: "write 'scan', whose newest value is the result so far")
    public func reduce<Output>(_ initial: Output, _ next: (Output, Value) -> Output) -> Node<Output> { fatalError() }

    @available(*, unavailable, renamed: "changes()")
    public func combinePrevious() -> Node<(Value, Value)> { fatalError() }
    @available(*, unavailable, renamed: "changes()")
    public func pairwise() -> Node<(Value, Value)> { fatalError() }
    @available(*, unavailable, message: "write 'compactMap { $0 }'")
    public func skipNil<Wrapped>() -> Node<Wrapped> where Value == Wrapped? { fatalError() }
    @available(*, unavailable, message: "write 'map { $0 ?? replacement }'")
    public func replaceNil<Wrapped>(with replacement: Wrapped) -> Node<Wrapped> where Value == Wrapped? { fatalError() }
    @available(*, unavailable, message: "errors are values: write 'map { value in Result { try … } }'")
    public func tryMap<Output>(_ transform: (Value) throws -> Output) -> Node<Output> { fatalError() }
    @available(*, unavailable, message: "errors are values: write 'map' on a node of 'Result'")
    public func mapError<Failure>(_ transform: (Never) -> Failure) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "errors are values: write 'map { (try? $0.get()) ?? output }' on a 'Result'")
    public func replaceError(with output: Value) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "errors are values: write 'map { (try? $0.get()) ?? output }' on a 'Result'")
    public func catchAndReturn(_ output: Value) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "errors are values: write 'map' on a node of 'Result'")
    public func `catch`<Output>(_ handler: (Never) -> Output) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "no error ends a node: the guides 'In an app' and 'Recipes' try again")
    public func retry(_ attempts: Int = 1) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'then { $0.listened(by: listener).with { … } }'")
    public func handleEvents(receiveOutput: (Value) -> Void) -> Node<Value> { fatalError() }
    @available(*, unavailable, message: "write 'then { $0.listened(by: listener).with { … } }'")
    public func `do`(onNext: (Value) -> Void) -> Node<Value> { fatalError() }

    @available(*, unavailable, renamed: "combine(_:)")
    public func combineLatest<Other>(_ other: Node<Other>) -> Node<(Value, Other)> { fatalError() }
    @available(*, unavailable, renamed: "combine(_:)")
    public func combineLatest<Other>(with other: Node<Other>) -> Node<(Value, Other)> { fatalError() }
    @available(*, unavailable, message: "write 'combine(a, b) { … }', or 'combine(a, b, c)'")
    public func combineLatest<Other, More>(_ other: Node<Other>, _ more: More) -> Node<(Value, Other)> { fatalError() }
    @available(*, unavailable, message: "write 'combine(a, b) { … }'")
    public func combineLatest<B, C>(_ b: Node<B>, _ transform: (Value, B) -> C) -> Node<C> { fatalError() }
    @available(*, unavailable, message: "write 'combine(a, b)', or 'combine(a, b) { … }'")
    public static func combineLatest<A, B>(_ a: Node<A>, _ b: Node<B>) -> Node where Value == (A, B) { fatalError() }
    @available(*, unavailable, message: "write 'combine(a, b)', or 'combine(a, b) { … }'")
    public static func combineLatest<A, B>(_ a: Node<A>, _ b: Node<B>, resultSelector: (A, B) -> Value) -> Node {
        fatalError()
    }
    @available(*, unavailable, renamed: "merge(_:)")
    public func merge(with other: Node<Value>) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "zip(_:)")
    public func zip<Other>(with other: Node<Other>) -> Node<(Value, Other)> { fatalError() }
    @available(*, unavailable, message: "the sampler comes first: write 'sampler.withLatest(from: node)'")
    public func sample<Other>(with sampler: Node<Other>) -> Node<(Value, Other)> { fatalError() }
    @available(*, unavailable, message: "the sampler comes first: write 'sampler.withLatest(from: node).map(\\.1)'")
    public func sample<Other>(on sampler: Node<Other>) -> Node<Value> { fatalError() }
    @available(*, unavailable, renamed: "withLatest(from:)")
    public func withLatestFrom<Other>(_ other: Node<Other>) -> Node<(Value, Other)> { fatalError() }
    @available(*, unavailable, message: "write 'withLatest(from: other).map { … }'")
    public func withLatestFrom<B, C>(_ b: Node<B>, resultSelector: (Value, B) -> C) -> Node<C> { fatalError() }
}

@available(*, unavailable, renamed: "combine(_:)")
public func combineLatest<each T>(_ node: repeat Node<each T>) -> Node<(repeat each T)> { fatalError() }
@available(*, unavailable, renamed: "combine(_:_:_:)")
public func combineLatest<A, B, C>(_ a: Node<A>, _ b: Node<B>, _ transform: (A, B) -> C) -> Node<C> { fatalError() }
