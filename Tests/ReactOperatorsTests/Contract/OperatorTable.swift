import ReactCore
import ReactOperators
import TestSupport
import Testing

/// One line of the table: an operator, ready to be applied to a source of optional numbers, and what it makes of the
/// values 1, `nil`, 3, as text; `nil` stands for no value at all.
struct OperatorUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let results: [String?]
    /// Whether the result is emptied with the source. Elsewhere emptiness does not travel.
    let isEmptiedWithSource: Bool
    /// Whether it is heard once for all that one set leads to, the sets that listeners make included.
    let isCombined: Bool
    let apply: @Sendable (Node<Int?>) -> OperatorResult

    static let inputs = [1, nil, 3]
    var texts: [String] { results.compactMap(\.self) }

    init<Output>(
        _ name: String,
        _ results: [String?] = ["Optional(1)", "nil", "Optional(3)"],
        isEmptiedWithSource: Bool = false,
        isCombined: Bool = false,
        _ build: @escaping @Sendable (Node<Int?>) -> Node<Output>
    ) {
        self.init(
            name, results, isEmptiedWithSource: isEmptiedWithSource, isCombined: isCombined, tied: { (build($0), nil) })
    }

    /// For operators whose result lives until something is cancelled.
    init<Output>(
        _ name: String,
        _ results: [String?] = ["Optional(1)", "nil", "Optional(3)"],
        isEmptiedWithSource: Bool = false,
        isCombined: Bool = false,
        tied build: @escaping @Sendable (Node<Int?>) -> (Node<Output>, (any Cancelable)?)
    ) {
        testDescription = name
        self.results = results
        self.isEmptiedWithSource = isEmptiedWithSource
        self.isCombined = isCombined
        apply = { source in
            let (node, tie) = build(source)
            return OperatorResult(node, tie: tie)
        }
    }

    /// Every operator that passes values on at once. To ask all questions of a new one, give it a line.
    static let all: [Self] =
        [
            Self("fork") { $0.fork() },
            Self("map", ["10", "0", "30"]) { $0.map { ($0 ?? 0) * 10 } },
            Self("mapReplace", ["x", "x", "x"]) { $0.mapReplace("x") },
            Self("compactMap", ["10", nil, "30"]) { $0.compactMap { $0.map { $0 * 10 } } },
            Self("filter", ["Optional(1)", "nil", nil]) { $0.filter { $0 != 3 } },
            Self("ignore", ["Optional(1)", "nil", nil]) { $0.ignore(3) },
            Self("select", ["Optional(1)", nil, nil]) { $0.select(1) },
            Self("skip") { $0.skip(0) },
            Self("take", ["Optional(1)", "nil", nil]) { $0.take(2) },
            Self("take while", ["Optional(1)", "nil", nil]) { $0.take(while: { $0 != 3 }) },
            Self("skip while") { $0.skip(while: { $0 == 7 }) },
            Self("collect", ["[Optional(1)]", "[nil]", "[Optional(3)]"]) { $0.collect(count: 1) },
            Self("focus", ["Optional(1)", "nil", "Optional(3)"]) { $0.focus(\.self) },
            Self("distinctUntilChanged") { $0.distinctUntilChanged() },
            Self("distinctUntilChanged(by:)") { $0.distinctUntilChanged { $0 == $1 } },
            Self("scan", ["1", "11", "14"]) { $0.scan(0) { $0 + ($1 ?? 10) } },
            Self("scan into", ["1", "11", "14"]) { $0.scan(into: 0) { $0 += $1 ?? 10 } },
            Self("scanWithIndex", ["0:1 ", "0:1 1:- ", "0:1 1:- 2:3 "]) {
                $0.scanWithIndex("") { text, value, index in text + "\(index):\(value.map(String.init) ?? "-") " }
            },
            Self("transformed", ["10", "0", "30"]) {
                $0.transformed("Tenfold") { value, send in send((value ?? 0) * 10) }
            },
            Self("transformed, with a state", ["1", "11", "14"]) {
                $0.transformed("Sum", state: 0) { sum, value, send in
                    sum += value ?? 10
                    send(sum)
                }
            },
            // Without what it starts with, which is there for an empty source too.
            Self("starting") { $0.starting(with: 7).ignore(7) },
            Self("settled", isCombined: true) { $0.settled() },
            Self("take until") { $0.take(until: Node<Int>()) },
            Self("changes, the new value") { $0.changes().map(\.new) },
            Self("changes, the old value", ["nil", "Optional(Optional(1))", "Optional(nil)"]) {
                $0.changes().map(\.old)
            },
            Self("successes", ["Optional(1)", nil, "Optional(3)"]) { $0.map(result).successes() },
            Self("failures", ["Odd()", nil, "Odd()"]) { $0.map { result($0 == nil ? 1 : nil) }.failures() },
            Self("combine", ["(Optional(1), 7)", "(nil, 7)", "(Optional(3), 7)"], isCombined: true) {
                combine($0, Node(7))
            },
            Self("combine, three", ["(1, Optional(1), 2)", "(1, nil, 2)", "(1, Optional(3), 2)"], isCombined: true) {
                combine(Node(1), $0, Node(2))
            },
            Self("combine, by a function", ["3", "2", "5"], isCombined: true) {
                combine($0, Node(2)) { ($0 ?? 0) + $1 }
            },
            Self("combine, last", ["(7, Optional(1))", "(7, nil)", "(7, Optional(3))"], isCombined: true) {
                Node(7).combine($0)
            },
            Self("combine, array", ["[Optional(1)]", "[nil]", "[Optional(3)]"], isCombined: true) {
                Node.combine([$0])
            },
            Self("combine, a sequence", ["[Optional(1)]", "[nil]", "[Optional(3)]"], isCombined: true) {
                combine(CollectionOfOne($0))
            },
            Self("zip", ["(Optional(1), Optional(1))", "(nil, nil)", "(Optional(3), Optional(3))"]) { zip($0, $0) },
            Self(
                "zip, three",
                [
                    "(Optional(1), Optional(1), Optional(1))", "(nil, nil, nil)",
                    "(Optional(3), Optional(3), Optional(3))",
                ]
            ) { zip($0, $0, $0) },
            Self("zip, two nodes", ["(Optional(1), Optional(1))", "(nil, nil)", "(Optional(3), Optional(3))"]) {
                $0.zip($0)
            },
            Self("zip, array", ["[Optional(1)]", "[nil]", "[Optional(3)]"]) { Node.zip([$0]) },
            Self("zip, a sequence", ["[Optional(1)]", "[nil]", "[Optional(3)]"]) { zip(CollectionOfOne($0)) },
            Self("withLatest", ["(Optional(1), 7)", "(nil, 7)", "(Optional(3), 7)"], isCombined: true) {
                $0.withLatest(from: Node(7))
            },
            Self("merge") { merge($0, Node()) },
            Self("merge, two nodes") { Node().merge($0) },
            Self("merge, array") { Node.merge([$0]) },
            Self("merge, a sequence") { merge(CollectionOfOne($0)) },
            Self("mapEach", ["8", "7", "10"], isCombined: true) { combine($0, Node(7)).mapEach { ($0 ?? 0) + $1 } },
            Self("switch and case") { $0.switch { _ in "a" }.case("a") },
            Self("switchMap and case", ["10", nil, "30"]) { $0.switchMap { ($0 == nil, ($0 ?? 0) * 10) }.case(false) },
            Self("switchMap and default", ["10", "0", "30"]) {
                $0.switchMap { (String?.none, ($0 ?? 0) * 10) }.default()
            },
            Self("if, then", ["Optional(1)", nil, "Optional(3)"]) { $0.if { $0 != nil }.thenNode },
            Self("if, else", ["Optional(1)", nil, "Optional(3)"]) { $0.if { $0 == nil }.elseNode },
            Self(
                "sync",
                tied: { source in
                    let node = Node<Int?>()
                    return (node, node.sync(with: source))
                }
            ),
            Self(
                "sync with functions",
                ["10", "0", "30"],
                tied: { source in
                    let node = Node<Int>()
                    return (node, node.sync(with: source, transform: { ($0 ?? 0) * 10 }, revert: { $0 / 10 }))
                }
            ),
            Self("flatten, of the outer node") { $0.map { Node($0) }.flatten() },
            Self("flatten, of the inner node", isEmptiedWithSource: true) { Node<Node<Int?>>($0).flatten() },
            Self("flatMapMerging") { $0.flatMapMerging { Node($0) } },
            Self("flattenMap", isEmptiedWithSource: true) { $0.flattenMap { Node($0) } },
        ] + tables
}

private struct Odd: Error {}
/// A failure for `nil`.
@Sendable private func result(_ value: Int?) -> Result<Int?, Odd> { value.map { .success($0) } ?? .failure(Odd()) }

/// An operator's result with its type left out. When it goes, so does what ties the node to its source both ways.
final class OperatorResult {
    let node: AnyNode
    private let tie: (any Cancelable)?
    private let listen: (Lifetime, Recorder<Heard>) -> Void
    private let notify: (Lifetime, @escaping @Sendable () -> Void) -> Void

    init<Value>(_ node: Node<Value>, tie: (any Cancelable)?) {
        self.node = node
        self.tie = tie
        notify = { listener, body in node.listened(by: listener).with { _ in body() } }
        listen = { listener, log in
            node.listened(by: listener).withSenderListAndContext { value, senders, context in
                log.record(Heard(text: String(describing: value), senders: senders, context: context))
            }
        }
    }

    deinit { tie?.cancel() }

    struct Heard: Sendable {
        let text: String
        let senders: SenderList
        let context: NodeContext?
    }

    /// Listens for as long as the answer lives.
    func recorded() -> Hearing {
        let hearing = Hearing(of: self)
        listen(hearing.lifetime, hearing.log)
        return hearing
    }

    /// Calls `body` at every value, for as long as the answer lives.
    func onValue(_ body: @escaping @Sendable () -> Void) -> AnyObject {
        let listener = Lifetime()
        notify(listener, body)
        return listener
    }

    final class Hearing {
        private let result: OperatorResult
        fileprivate let lifetime = Lifetime()
        fileprivate let log = Recorder<Heard>()
        var heard: [Heard] { log.events }
        var texts: [String] { log.events.map(\.text) }

        fileprivate init(of result: OperatorResult) { self.result = result }
    }
}
