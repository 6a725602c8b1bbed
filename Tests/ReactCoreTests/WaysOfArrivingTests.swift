import ReactCore
import ReactOperators
import TestSupport
import Testing

/// How a value may come to a node.
private enum Way: CaseIterable {
    case set, setWithContext, updated, operated, sent, sentTwice, sentLater, linked, queued, combined, zipped,
        flattened,
        fromInnerNode, fromBranch

    /// Whether it comes as the target of one edge of `source`, before that goes on to its next.
    var isOnTheWay: Bool {
        switch self {
        case .operated, .sent, .sentTwice, .zipped, .flattened, .fromBranch: true
        default: false
        }
    }
    /// Whether it comes last of all that `source` leads to.
    var isLast: Bool { self == .combined }
    var values: [Int] { self == .sentTwice || self == .queued ? [1, 2] : [1] }
}

/// Sends what it receives, and perhaps the next number too; or keeps it until it is told to send.
private final class Sender: Transform<Int, Int>, @unchecked Sendable {
    let count: Int
    init(count: Int) {
        self.count = count
        super.init(name: "Sender")
    }
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        for more in 0..<count { send(value + more, from: senders, context: context) }
    }
}

/// A node, with listeners and transforms, that is about to be given a value.
private struct Arrival {
    let log = Recorder<String>()
    let listener = Lifetime()
    let source = MutableNode<Int>()
    /// What is upstream.
    var kept: [AnyNode] = []
    var give: () -> Void = {}

    /// With `siblings`, `source` leads to one node before, and to one after.
    init(_ way: Way, listeners: Int, transforms: Int, siblings: Bool) {
        if siblings { addSibling("before") }
        let source = source
        give = { source.value = 1 }
        switch way {
        case .set, .setWithContext, .updated, .queued:
            let target = MutableNode<Int>()
            if way == .queued { setAgain(target) }
            if way == .updated { target.value = 0 }
            receive(at: target, listeners, transforms) { $0 }
            switch way {
            case .setWithContext: give = { target.setValue(1, context: "context") }
            case .updated: give = { target.update { $0 += 1 } }
            default: give = { target.value = 1 }
            }
        case .operated: receive(at: source.map { $0 }, listeners, transforms) { $0 }
        case .sent, .sentTwice, .sentLater:
            let sender = Sender(count: way == .sent ? 1 : way == .sentTwice ? 2 : 0)
            let target = Node<Int>()
            target.link(to: source, transform: sender)
            receive(at: target, listeners, transforms) { $0 }
            if way == .sentLater { give = { sender.send(1, from: SenderList(), context: nil) } }
        case .linked:
            let target = Node<Int>()
            receive(at: target, listeners, transforms) { $0 }
            give = { target.link(to: Node(1)) }
        case .combined: receive(at: combine(source, Node(0)), listeners, transforms) { $0.0 }
        case .zipped: receive(at: zip(source, Node(0)), listeners, transforms) { $0.0 }
        case .flattened: receive(at: source.flattenMap { Node($0) }, listeners, transforms) { $0 }
        case .fromInnerNode:
            let inner = MutableNode<Int>()
            receive(at: Node(0).flattenMap { _ in inner }, listeners, transforms) { $0 }
            give = { inner.value = 1 }
        case .fromBranch:
            let switched = source.switch { _ in "key" }
            kept.append(switched)
            receive(at: switched.case("key"), listeners, transforms) { $0 }
        }
        if siblings { addSibling("after") }
    }

    private mutating func receive<Value>(
        at target: Node<Value>, _ listeners: Int, _ transforms: Int, _ number: @escaping @Sendable (Value) -> Int
    ) {
        let log = log
        kept.append(target)
        for index in 0..<transforms {
            let below = target.map { value in
                log.record("transform \(index): \(number(value))")
                return number(value)
            }
            below.log("below \(index): ", to: log, by: listener)
            kept.append(below)
        }
        for index in 0..<listeners {
            target.listened(by: listener).with { log.record("listener \(index): \(number($0))") }
        }
        _ = log.take()
    }
    private mutating func addSibling(_ name: String) {
        let sibling = source.map { $0 }
        sibling.log("\(name) ", to: log, by: listener)
        kept.append(sibling)
    }
    /// Has 1 followed by 2, which is set before anyone else has heard of 1.
    private func setAgain(_ target: MutableNode<Int>) {
        target.listened(by: listener).with { [weak target, log] value in
            guard value == 1 else { return }
            target?.value = 2
            log.record("set again")
        }
    }
}

@Suite("Ways of arriving") struct WaysOfArrivingTests {
    @Test(
        "a node calls listeners in order, then transforms in order, each with all nodes below it, for every way in which a value arrives",
        arguments: Way.allCases)
    fileprivate func order(way: Way) {
        withEvery("listeners", in: [0, 1, 3]) { listeners in
            withEvery("transforms", in: [0, 1, 3]) { transforms in
                withEvery("siblings", in: [false, true]) { siblings in
                    let arrival = Arrival(way, listeners: listeners, transforms: transforms, siblings: siblings)
                    arrival.give()
                    var expected = way.values.flatMap { value in
                        (0..<listeners).map { "listener \($0): \(value)" }
                            + (0..<transforms).flatMap { ["transform \($0): \(value)", "below \($0): \(value)"] }
                    }
                    if way == .queued { expected.insert("set again", at: 0) }
                    if siblings, way.isOnTheWay { expected = ["before 1"] + expected + ["after 1"] }
                    if siblings, way.isLast { expected = ["before 1", "after 1"] + expected }
                    #expect(arrival.log.events == expected, "\(Trace.current)")
                }
            }
        }
    }

    @Test("a set by a node's first edge waits, whichever edge that is", arguments: [true, false], [1, 3])
    func setByFirstEdge(isListener: Bool, count: Int) {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let log = Recorder<String>()
        @Sendable func called(_ index: Int, _ value: Int) {
            if index == 0, value == 1 { node.value = 2 }
            log.record("\(index): \(value)")
        }
        let nodes = (0..<count).compactMap { index in
            if isListener { node.listened(by: listener).with { called(index, $0) } }
            return isListener ? nil : node.map { called(index, $0) }
        }
        node.value = 1
        #expect(log.events == [1, 2].flatMap { value in (0..<count).map { "\($0): \(value)" } })
        nodes.forEach { node.removeDownstreamNode($0) }
        node.stopListening(by: listener)
    }
}
