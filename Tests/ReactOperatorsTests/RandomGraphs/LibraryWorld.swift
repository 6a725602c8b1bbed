import ReactCore
import ReactOperators
import TestSupport

/// Performs the same actions on the library.
final class LibraryWorld {
    private(set) var nodes: [Node<Int>] = []
    private(set) var edges: [AnyTransform] = []
    /// Keeps what operators put between two visible nodes, so that cutting it off does not take it out of sender lists.
    private var sources: [AnyNode] = []
    private var listeners: [Lifetime] = []
    private var switches: [Node<SwitchedNode<Int, Int>>] = []
    private let log = Recorder<String>()
    private var logged = 0

    var values: [Int?] { nodes.map(\.value) }

    /// A ring would hold itself.
    deinit { for edge in edges { edge.cancel() } }

    func perform(_ action: Action) {
        switch action {
        case .source(let value):
            add(value.map { Node($0) } ?? Node())
        case .unary(let unary, let source):
            let result = apply(unary, to: nodes[source])
            addEdges(of: result)
            add(result)
        case .combine(let sources):
            if sources.count == 2 {
                let tuple = combine(nodes[sources[0]], nodes[sources[1]])
                addEdges(of: tuple)
                addSum(tuple.mapEach { ($0 + $1) % 10 })
            } else {
                let tuple = Node.combine(sources.map { nodes[$0] })
                addEdges(of: tuple)
                addSum(tuple.map { $0.reduce(0, +) % 10 })
            }
        case .zip(let sources):
            if sources.count == 2 {
                let tuple = ReactOperators.zip(nodes[sources[0]], nodes[sources[1]])
                addEdges(of: tuple)
                addSum(tuple.mapEach { ($0 + $1) % 10 })
            } else {
                let tuple = Node.zip(sources.map { nodes[$0] })
                addEdges(of: tuple)
                addSum(tuple.map { $0.reduce(0, +) % 10 })
            }
        case .merge(let sources):
            let result = Node.merge(sources.map { nodes[$0] })
            addEdges(of: result)
            add(result)
        case .makeSwitch(let source):
            let result = nodes[source].switch { $0 % 3 == 2 ? nil : $0 % 3 }
            addEdges(of: result)
            switches.append(result)
        case .makeCase(let index, let key):
            let result = key == nil ? switches[index].default() : switches[index].case(key)
            addEdges(of: result, named: "Case")
            add(result)
        case .makeIf(let source):
            let result = nodes[source].if { $0.isMultiple(of: 2) }
            let routes = nodes[source].downstreamTransforms.last!
            edges.append(routes)
            for branch in [result.thenNode, result.elseNode] {
                addEdges(of: branch, named: "Case")
                add(branch)
            }
        case .flatten(let choices, let chooser):
            let followed = choices.map { nodes[$0] }
            let outer = nodes[chooser].map { followed[$0 % followed.count] }
            addEdges(of: outer)
            let result = outer.flatten()
            addEdges(of: result, named: "Flatten")
            add(result)
        case .flattenMap(let choices, let chooser):
            let followed = choices.map { nodes[$0] }
            let result = nodes[chooser].flattenMap { followed[$0 % followed.count] }
            addEdges(of: result, named: "FlattenMap")
            add(result)

        case .link(let node, let upstream):
            let link = LinkTransform<Int>()
            nodes[node].link(to: nodes[upstream], transform: link)
            edges.append(link)
        case .sync(let node, let other):
            nodes[node].sync(with: nodes[other])
            addSyncEdges(node, other)
        case .syncWithFunctions(let node, let other):
            nodes[node].sync(with: nodes[other], transform: { ($0 * 3) % 10 }, revert: { ($0 + 1) % 10 })
            addSyncEdges(node, other)
        case .repoint(let edge, let node):
            (edges[edge] as! any TakesNumbers).point(at: nodes[node])
        case .cut(let edge):
            cut(edges[edge])

        case .listen(let node):
            listen(to: nodes[node]) { _ in }
        case .listenAndSet(let node, let target, let addend, let times):
            let allowance = Allowance(times)
            let target = mutable(target)
            listen(to: nodes[node]) { value in
                if allowance.take() { target.value = (value + addend) % 10 }
            }
        case .listenAndCut(let node, let edge):
            let edge = edges[edge]
            listen(to: nodes[node]) { value in
                if value == 5 { cut(edge) }
            }
        case .stopListening(let listener):
            listeners[listener] = Lifetime()

        case .set(let node, let value, let context):
            mutable(node).setValue(value, context: context)
        case .clean(let node):
            mutable(node).clean()
        case .batch(let sets):
            batch {
                for set in sets { mutable(set.node).value = set.value }
            }
        }
    }

    func takeLog() -> [String] {
        defer { logged = log.events.count }
        return Array(log.events[logged...])
    }
    // MARK: - Helpers

    private func apply(_ unary: Action.Unary, to node: Node<Int>) -> Node<Int> {
        switch unary {
        case .fork: node.fork()
        case .map: node.map { ($0 * 2 + 1) % 10 }
        case .mapReplace(let replacement): node.mapReplace(replacement)
        case .compactMap: node.compactMap { $0.isMultiple(of: 2) ? $0 / 2 : nil }
        case .filter(let limit): node.filter { $0 > limit }
        case .ignore(let ignored): node.ignore(ignored)
        case .select(let selected): node.select(selected)
        case .skip(let count): node.skip(count)
        case .take(let count): node.take(count)
        case .distinct: node.distinctUntilChanged()
        case .distinctBy: node.distinctUntilChanged { abs($0 - $1) <= 1 }
        case .scan: node.scan(1) { ($0 * 3 + $1) % 10 }
        case .scanWithIndex: node.scanWithIndex(1) { ($0 + $1 * ($2 + 1)) % 10 }
        }
    }

    private func add(_ node: Node<Int>) {
        nodes.append(node.named("n\(nodes.count)"))
    }

    private func addSum(_ sum: Node<Int>) {
        addEdges(of: sum)
        add(sum)
    }

    /// Remembers the edges that a result came with, by name where it has others for its own use.
    private func addEdges(of result: AnyNode, named name: String? = nil) {
        let added = result.upstreamTransforms.filter { name == nil || $0.name == name }
        edges += added
        sources += added.compactMap(\.source)
    }

    private func addSyncEdges(_ node: Int, _ other: Int) {
        edges.append(nodes[node].upstreamTransforms(from: nodes[other]).last!)
        edges.append(nodes[other].upstreamTransforms(from: nodes[node]).last!)
    }

    private func mutable(_ node: Int) -> MutableNode<Int> { nodes[node].mutablify() }

    private func listen(to node: Node<Int>, then react: @escaping @Sendable (Int) -> Void) {
        let listener = Lifetime()
        let number = listeners.count
        listeners.append(listener)
        node.listened(by: listener).withSenderListAndContext { [log] value, senders, context in
            let senders = senders.senders.map { $0.name ?? "-" }.joined(separator: " ")
            let context = (context as? Int).map { "\($0)" } ?? "no"
            log.record("listener \(number) heard \(value) through \(senders) with \(context) context")
            react(value)
        }
    }
}

/// Takes an edge from its source; it may be pointed at another one later.
private func cut(_ edge: AnyTransform) { (edge as! any Cuttable).cut() }

private protocol Cuttable { func cut() }
extension Transform: Cuttable {
    fileprivate func cut() { from = nil }
}
private protocol TakesNumbers { func point(at node: Node<Int>) }
extension Transform: TakesNumbers where Input == Int {
    fileprivate func point(at node: Node<Int>) { from = node }
}

/// How often something may still be done.
private final class Allowance: Sendable {
    private let left: Lock<Int>
    init(_ count: Int) { left = Lock(count) }
    func take() -> Bool {
        left.withLock { left in
            defer { left -= 1 }
            return left > 0
        }
    }
}
