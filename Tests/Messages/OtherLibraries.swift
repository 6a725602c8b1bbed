import ReactCore
import ReactOperators
import ReactScheduling

final class Label { var text = "" }

func newcomers(
    _ a: MutableNode<Int>, _ b: Node<Int?>, _ text: MutableNode<String>, _ nested: Node<Node<Int>>,
    _ taps: MutableNode<Void>, _ object: Label, _ link: any Cancelable
) {
    var bag: Set<Int> = [], shown = 0
    _ = a.sink { print($0) }  // 'sink(receiveValue:)' is unavailable: write 'listened(by: listener).with { … }'
    _ = a.sink(receiveValue: { print($0) })  // 'sink(receiveValue:)' is unavailable: write 'listened(by:
    _ = a.subscribe(onNext: { print($0) })  // is unavailable: write 'listened(by:
    _ = a.subscribe { print($0) }  // 'subscribe(onNext:onError:onCompleted:onDisposed:)' is unavailable: write
    _ = a.subscribe(onNext: { print($0) }, onError: { print($0) })  // is unavailable: write 'listened(by:
    _ = a.subscribe(onNext: { print($0) }, onCompleted: {})  // is unavailable: write 'listened(by:
    _ = a.observe { print($0) }  // 'observe' is unavailable: write 'listened(by:
    _ = a.observeValues { print($0) }  // 'observeValues' is unavailable: write 'listened(by:
    _ = a.assign(to: \.text, on: object)  // 'assign(to:on:)' is unavailable: write 'listened(by:
    _ = text.assign(to: \.text, on: object)  // 'assign(to:on:)' is unavailable: write 'listened(by:
    _ = a.bind(to: MutableNode(2))  // 'bind(to:)' is unavailable: the node that follows comes first
    _ = a.bind(onNext: { print($0) })  // 'bind(onNext:)' is unavailable: write 'listened(by:
    _ = a.drive(MutableNode(2))  // 'drive' is unavailable: the node that follows comes first
    _ = a.drive(onNext: { print($0) })  // 'drive(onNext:)' is unavailable: write 'listened(by:
    link.store(in: &bag)  // 'store(in:)' is unavailable: leave it out
    link.disposed(by: bag)  // 'disposed(by:)' is unavailable: leave it out
    a.send(1)  // 'send' is unavailable: set 'value', or 'pulse' an event
    taps.send()  // 'send()' has been renamed to 'pulse()'
    a.accept(2)  // 'accept' is unavailable: set 'value', or 'pulse' an event
    a.onNext(3)  // 'onNext' is unavailable: set 'value', or 'pulse' an event
    _ = a.share()  // 'share()' is unavailable: leave it out: every node is shared
    _ = a.share(replay: 1)  // 'share(replay:)' is unavailable: leave it out: every node is shared
    _ = a.eraseToAnyPublisher()  // 'eraseToAnyPublisher()' is unavailable: leave it out
    _ = a.asDriver()  // 'asDriver()' is unavailable: leave it out
    _ = a.asDriver(onErrorJustReturn: 0)  // 'asDriver(onErrorJustReturn:)' is unavailable: leave it out
    a.assign(to: &shown)  // 'assign(to:)' is unavailable: the node that follows comes first
    _ = a.asObservable()  // 'asObservable()' is unavailable: leave it out, or write 'fork()'
    _ = a.asSignal()  // 'asSignal()' is unavailable: write 'pulses()'
    _ = Node.just(1)  // 'just' is unavailable: write 'Node(value)'
    _ = a.withUnretained(object)  // 'withUnretained' is unavailable: write 'listened(by: object).call(method)'
    _ = a.subscribe(on: object)  // 'subscribe(on:)' is unavailable: leave it out
    _ = a.swap(4)  // 'swap' is unavailable: write 'withUpdate { … }'
    a.modify { $0 += 1 }  // 'modify' has been renamed to 'update(_:)'

    _ = a.removeDuplicates()  // 'removeDuplicates()' has been renamed to 'distinctUntilChanged()'
    _ = a.removeDuplicates(by: { $0 == $1 })  // 'removeDuplicates(by:)' has been renamed to 'distinctUntilChanged(by:)'
    _ = a.skipRepeats()  // 'skipRepeats()' has been renamed to 'distinctUntilChanged()'
    _ = a.flatMap { Node($0) }  // 'flatMap' is unavailable: write 'flatMapMerging', or 'flattenMap'
    _ = a.flatMapLatest { Node($0) }  // 'flatMapLatest' has been renamed to 'flattenMap(_:)'
    _ = a.switchMap { Node($0) }  // 'switchMap' has been renamed to 'flattenMap(_:)'
    _ = nested.switchToLatest()  // 'switchToLatest()' has been renamed to 'flatten()'
    _ = nested.switchLatest()  // 'switchLatest()' has been renamed to 'flatten()'
    _ = a.combineLatest(b)  // 'combineLatest' has been renamed to 'combine(_:)'
    _ = a.combineLatest(with: b)  // 'combineLatest(with:)' has been renamed to 'combine(_:)'
    _ = combineLatest(a, b)  // 'combineLatest' has been renamed to 'combine(_:)'
    _ = combineLatest(a, b) { $0 + ($1 ?? 0) }  // 'combineLatest' has been renamed to 'combine(_:_:_:)'
    _ = Node.combineLatest(a, b)  // 'combineLatest' is unavailable: write 'combine(a, b)', or 'combine(a, b) { … }'
    _ = Node.combineLatest(a, b) { $0 + ($1 ?? 0) }  // is unavailable: write 'combine(a, b)', or 'combine(a, b) { … }'
    _ = a.withLatestFrom(b) { $0 + ($1 ?? 0) }  // is unavailable: write 'withLatest(from: other).map { … }'
    _ = a.withLatestFrom(b)  // 'withLatestFrom' has been renamed to 'withLatest(from:)'
    _ = a.startWith(1)  // 'startWith' has been renamed to 'starting(with:)'
    _ = a.prepend(1, 2)  // 'prepend' has been renamed to 'starting(with:)'
    _ = a.dropFirst()  // 'dropFirst' has been renamed to 'skip(_:)'
    _ = a.skip(first: 2)  // 'skip(first:)' has been renamed to 'skip(_:)'
    _ = a.drop(while: { $0 > 1 })  // 'drop(while:)' has been renamed to 'skip(while:)'
    _ = a.prefix(3)  // 'prefix' has been renamed to 'take(_:)'
    _ = a.take(first: 2)  // 'take(first:)' has been renamed to 'take(_:)'
    _ = a.prefix(while: { $0 > 1 })  // 'prefix(while:)' has been renamed to 'take(while:)'
    _ = a.prefix(untilOutputFrom: b)  // 'prefix(untilOutputFrom:)' has been renamed to 'take(until:)'
    _ = a.drop(untilOutputFrom: b)  // is unavailable: write 'withLatest(from: other).map(\.0)'
    _ = a.skip(until: b)  // 'skip(until:)' is unavailable: write 'withLatest(from: other).map(\.0)'
    _ = a.element(at: 2)  // 'element(at:)' is unavailable: write 'skip(index).take(1)'
    _ = a.first()  // 'first()' is unavailable: write 'take(1)'
    _ = a.map(value: 3)  // 'map(value:)' has been renamed to 'mapReplace(_:)'
    _ = a.reduce(0) { $0 + $1 }  // 'reduce' is unavailable: write 'scan'
    _ = a.pairwise()  // 'pairwise()' has been renamed to 'changes()'
    _ = a.mapError { $0 }  // 'mapError' is unavailable: errors are values
    _ = a.replaceError(with: 3)  // 'replaceError(with:)' is unavailable: errors are values
    _ = a.catchAndReturn(3)  // 'catchAndReturn' is unavailable: errors are values
    _ = a.catch { _ in Node(3) }  // 'catch' is unavailable: errors are values
    _ = a.retry(3)  // 'retry' is unavailable: no error ends a node
    _ = a.combineLatest(b) { $0 + ($1 ?? 0) }  // 'combineLatest' is unavailable: write 'combine(a, b) { … }'
    _ = a.combineLatest(b, a)  // 'combineLatest' is unavailable: write 'combine(a, b) { … }', or 'combine(a, b, c)'
    _ = a.merge(with: a)  // 'merge(with:)' has been renamed to 'merge(_:)'
    _ = a.zip(with: b)  // 'zip(with:)' has been renamed to 'zip(_:)'
    _ = a.sample(with: taps)  // 'sample(with:)' is unavailable: the sampler comes first
    _ = a.sample(on: taps)  // 'sample(on:)' is unavailable: the sampler comes first
    _ = a.combinePrevious()  // 'combinePrevious()' has been renamed to 'changes()'
    _ = b.skipNil()  // 'skipNil()' is unavailable: write 'compactMap { $0 }'
    _ = b.replaceNil(with: 3)  // 'replaceNil(with:)' is unavailable: write 'map { $0 ?? replacement }'
    _ = a.tryMap { $0 }  // 'tryMap' is unavailable: errors are values
    _ = a.handleEvents(receiveOutput: { print($0) })  // 'handleEvents(receiveOutput:)' is unavailable: write 'then {
    _ = a.do(onNext: { print($0) })  // 'do(onNext:)' is unavailable: write 'then {

    _ = a.receive(on: 4)  // 'receive(on:)' is unavailable: write 'deliver(on: scheduler)'
    _ = a.observe(on: object)  // 'observe(on:)' is unavailable: write 'deliver(on: scheduler)'
    _ = a.debounce(for: 3, scheduler: 4)  // 'debounce(for:scheduler:)' has been renamed to 'debounce(_:on:)'
    _ = a.delay(for: 3, scheduler: 4)  // 'delay(for:scheduler:)' has been renamed to 'delay(_:on:)'
    _ = a.throttle(for: 3, scheduler: 4, latest: true)  // 'throttle(for:scheduler:latest:)' is unavailable
    _ = a.debounce(for: .seconds(1), scheduler: object)  // 'debounce(for:scheduler:)' has been renamed to
    _ = a.delay(for: .seconds(1), scheduler: object)  // 'delay(for:scheduler:)' has been renamed to 'delay(_:on:)'
    _ = a.throttle(for: .seconds(1), scheduler: object, latest: true)  // write 'sample(every:on:)'
    _ = a.debounce(.milliseconds(300), scheduler: object)  // 'debounce(_:scheduler:)' has been renamed to
    _ = a.delay(.milliseconds(300), scheduler: object)  // 'delay(_:scheduler:)' has been renamed to 'delay(_:on:)'
    _ = a.timeout(.seconds(1), scheduler: object)  // 'timeout(_:scheduler:)' has been renamed to 'timeout(_:on:)'
    _ = a.throttle(.milliseconds(300), scheduler: object)  // write 'sample(every:on:)'
    _ = a.debounce(3, scheduler: 4)  // 'debounce(_:scheduler:)' has been renamed to 'debounce(_:on:)'
    _ = a.delay(3, scheduler: 4)  // 'delay(_:scheduler:)' has been renamed to 'delay(_:on:)'
    _ = a.timeout(3, scheduler: 4)  // 'timeout(_:scheduler:)' has been renamed to 'timeout(_:on:)'
    _ = a.throttle(3, scheduler: 4)  // 'throttle(_:latest:scheduler:)' is unavailable: write 'sample(every:on:)'
    _ = a.flatMapFirst { $0 }  // 'flatMapFirst' has been renamed to 'mapFirst(_:)'
    _ = a.concatMap { $0 }  // 'concatMap' has been renamed to 'mapInOrder(_:)'
}
