import ReactCore
import ReactOperators
import ReactScheduling

final class Label { var text = "" }

func newcomers(
    _ a: MutableNode<Int>, _ b: Node<Int?>, _ text: MutableNode<String>, _ nested: Node<Node<Int>>,
    _ taps: MutableNode<Void>, _ object: Label, _ link: any Cancelable
) {
    var bag: Set<Int> = []
    _ = a.sink { print($0) }  // 'sink(receiveValue:)' is unavailable: write 'listened(by: listener).with { … }'
    _ = a.sink(receiveValue: { print($0) })  // 'sink(receiveValue:)' is unavailable: write 'listened(by:
    _ = a.subscribe(onNext: { print($0) })  // 'subscribe(onNext:)' is unavailable: write 'listened(by:
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
    _ = a.eraseToAnyPublisher()  // 'eraseToAnyPublisher()' is unavailable: leave it out
    _ = a.asDriver()  // 'asDriver()' is unavailable: leave it out

    _ = a.removeDuplicates()  // 'removeDuplicates()' has been renamed to 'distinctUntilChanged()'
    _ = a.removeDuplicates(by: { $0 == $1 })  // 'removeDuplicates(by:)' has been renamed to 'distinctUntilChanged(by:)'
    _ = a.skipRepeats()  // 'skipRepeats()' has been renamed to 'distinctUntilChanged()'
    _ = a.flatMap { Node($0) }  // 'flatMap' is unavailable: write 'flatMapMerging', or 'flattenMap'
    _ = a.flatMapLatest { Node($0) }  // 'flatMapLatest' has been renamed to 'flattenMap(_:)'
    _ = nested.switchToLatest()  // 'switchToLatest()' has been renamed to 'flatten()'
    _ = nested.switchLatest()  // 'switchLatest()' has been renamed to 'flatten()'
    _ = a.combineLatest(b)  // 'combineLatest' has been renamed to 'combine(_:)'
    _ = a.combineLatest(with: b)  // 'combineLatest(with:)' has been renamed to 'combine(_:)'
    _ = combineLatest(a, b)  // 'combineLatest' has been renamed to 'combine(_:)'
    _ = a.withLatestFrom(b)  // 'withLatestFrom' has been renamed to 'withLatest(from:)'
    _ = a.startWith(1)  // 'startWith' has been renamed to 'starting(with:)'
    _ = a.prepend(1)  // 'prepend' has been renamed to 'starting(with:)'
    _ = a.dropFirst()  // 'dropFirst' has been renamed to 'skip(_:)'
    _ = a.skip(first: 2)  // 'skip(first:)' has been renamed to 'skip(_:)'
    _ = a.drop(while: { $0 > 1 })  // 'drop(while:)' has been renamed to 'skip(while:)'
    _ = a.prefix(3)  // 'prefix' has been renamed to 'take(_:)'
    _ = a.take(first: 2)  // 'take(first:)' has been renamed to 'take(_:)'
    _ = a.prefix(while: { $0 > 1 })  // 'prefix(while:)' has been renamed to 'take(while:)'
    _ = a.prefix(untilOutputFrom: b)  // 'prefix(untilOutputFrom:)' has been renamed to 'take(until:)'
    _ = a.combinePrevious()  // 'combinePrevious()' has been renamed to 'changes()'
    _ = b.skipNil()  // 'skipNil()' is unavailable: write 'compactMap { $0 }'
    _ = b.replaceNil(with: 3)  // 'replaceNil(with:)' is unavailable: write 'map { $0 ?? replacement }'
    _ = a.tryMap { $0 }  // 'tryMap' is unavailable: errors are values
    _ = a.handleEvents(receiveOutput: { print($0) })  // 'handleEvents(receiveOutput:)' is unavailable: write 'then {
    _ = a.do(onNext: { print($0) })  // 'do(onNext:)' is unavailable: write 'then {

    _ = a.receive(on: 4)  // 'receive(on:)' is unavailable: write 'deliver(on: scheduler)'
    _ = a.observe(on: 4)  // 'observe(on:)' is unavailable: write 'deliver(on: scheduler)'
    _ = a.debounce(for: 3, scheduler: 4)  // 'debounce(for:scheduler:)' has been renamed to 'debounce(_:on:)'
    _ = a.delay(for: 3, scheduler: 4)  // 'delay(for:scheduler:)' has been renamed to 'delay(_:on:)'
    _ = a.throttle(for: 3, scheduler: 4, latest: true)  // 'throttle(for:scheduler:latest:)' is unavailable
    _ = a.flatMapFirst { $0 }  // 'flatMapFirst' has been renamed to 'mapFirst(_:)'
    _ = a.concatMap { $0 }  // 'concatMap' has been renamed to 'mapInOrder(_:)'
}
