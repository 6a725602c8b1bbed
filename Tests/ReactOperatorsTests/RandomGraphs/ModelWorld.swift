/// Performs actions on the reference model.
final class ModelWorld {
    typealias Node = ReferenceModel.Node
    typealias Edge = ReferenceModel.Edge

    let model = ReferenceModel()
    private(set) var nodes: [Node] = []
    /// With whether the edge takes plain numbers, and so can be pointed at any visible node.
    private(set) var edges: [(edge: Edge, takesNumbers: Bool)] = []
    private(set) var listeners: [ReferenceModel.Attachment] = []
    private(set) var switches: [ReferenceModel.Switch] = []
    /// The nodes of `combine` and `zip`.
    private var meetings: [Node] = []
    /// Which nodes each `flatten` may follow.
    private var follows: [(nodes: [Node], result: Node)] = []
    private var log: [String] = []

    var values: [Int?] { nodes.map { $0.value?[0] } }

    /// What is linked holds itself.
    deinit { for (edge, _) in edges { model.cut(edge) } }

    func perform(_ action: Action) {
        switch action {
        case .source(let value):
            addNode().value = value.map { [$0] }
        case .unary(let unary, let source):
            let result = addNode()
            addEdge(
                from: nodes[source],
                to: result,
                .each { Self.result(of: unary, for: $0.map { $0[0] }).map { [$0] } }
            )
        case .combine(let sources):
            let tuple = Node(name: "-")
            tuple.join = ReferenceModel.Join(count: sources.count)
            for (place, source) in sources.enumerated() { addEdge(from: nodes[source], to: tuple, .join(place)) }
            addSum(of: tuple)
        case .zip(let sources):
            let tuple = Node(name: "-")
            let zip = ReferenceModel.Zip(count: sources.count)
            for (place, source) in sources.enumerated() { addEdge(from: nodes[source], to: tuple, .zip(zip, place)) }
            addSum(of: tuple)
        case .merge(let sources):
            let result = addNode()
            for source in sources { addEdge(from: nodes[source], to: result, .unchanged) }
        case .makeSwitch(let source):
            makeSwitch(of: nodes[source], branchCount: 3)
        case .makeCase(let index, let key):
            makeCase(of: switches[index], switches[index].branches[key ?? 2])
        case .makeIf(let source):
            let routes = makeSwitch(of: nodes[source], branchCount: 2, isVisible: false)
            for branch in routes.branches { makeCase(of: routes, branch) }
        case .flatten(let choices, let chooser):
            let outer = Node(name: "-")
            addEdge(from: nodes[chooser], to: outer, .unchanged)
            flatten(choices, by: outer, takesNumbers: false)
        case .flattenMap(let choices, let chooser):
            flatten(choices, by: nodes[chooser], takesNumbers: true)

        case .link(let node, let upstream):
            addEdge(from: nodes[upstream], to: nodes[node], .unchanged)
        case .sync(let node, let other):
            let sync = ReferenceModel.Sync()
            addEdge(from: nodes[other], to: nodes[node], .sync(sync, way: 1) { $0 })
            addEdge(from: nodes[node], to: nodes[other], .sync(sync, way: -1) { $0 })
        case .syncWithFunctions(let node, let other):
            let sync = ReferenceModel.Sync()
            addEdge(from: nodes[other], to: nodes[node], .sync(sync, way: 1) { [($0[0] * 3) % 10] })
            addEdge(from: nodes[node], to: nodes[other], .sync(sync, way: -1) { [($0[0] + 1) % 10] })
        case .repoint(let edge, let node):
            model.attach(edges[edge].edge, to: nodes[node])
        case .cut(let edge):
            model.cut(edges[edge].edge)

        case .listen(let node):
            listen(to: nodes[node])
        case .listenAndSet(let node, let target, let addend, let times):
            var timesLeft = times
            listen(to: nodes[node]) { [unowned self] value in
                guard timesLeft > 0 else { return }
                timesLeft -= 1
                model.set(nodes[target], to: [(value + addend) % 10])
            }
        case .listenAndCut(let node, let edge):
            listen(to: nodes[node]) { [unowned self] value in
                if value == 5 { model.cut(edges[edge].edge) }
            }
        case .stopListening(let listener):
            listeners[listener].isCut = true

        case .set(let node, let value, let context):
            model.set(nodes[node], to: [value], context: context)
        case .clean(let node):
            model.set(nodes[node], to: nil)
        case .batch(let sets):
            model.together {
                for set in sets { model.set(nodes[set.node], to: [set.value]) }
            }
        }
    }

    func takeLog() -> [String] {
        defer { log = [] }
        return log
    }

    // MARK: - What operators mean

    /// What an operator makes of the last of these values, having had all before it.
    private static func result(of unary: Action.Unary, for values: [Int]) -> Int? {
        let value = values.last!
        switch unary {
        case .fork: return value
        case .map: return (value * 2 + 1) % 10
        case .mapReplace(let replacement): return replacement
        case .compactMap: return value.isMultiple(of: 2) ? value / 2 : nil
        case .filter(let limit): return value > limit ? value : nil
        case .ignore(let ignored): return value == ignored ? nil : value
        case .select(let selected): return value == selected ? value : nil
        case .skip(let count): return values.count > count ? value : nil
        case .take(let count): return values.count <= count ? value : nil
        case .distinct: return values.dropLast().last == value ? nil : value
        case .distinctBy: return countOfDistinct(values) > countOfDistinct(values.dropLast()) ? value : nil
        case .scan: return values.reduce(1) { ($0 * 3 + $1) % 10 }
        case .scanWithIndex: return values.enumerated().reduce(1) { ($0 + $1.element * ($1.offset + 1)) % 10 }
        }
    }
    /// How many of the values differ by more than one from the last that was counted.
    private static func countOfDistinct(_ values: some Sequence<Int>) -> Int {
        var passed: [Int] = []
        for next in values where passed.isEmpty || abs(passed.last! - next) > 1 { passed.append(next) }
        return passed.count
    }

    // MARK: - Building

    private func addNode() -> Node {
        let node = Node(name: "n\(nodes.count)")
        nodes.append(node)
        return node
    }

    private func addEdge(
        from source: Node,
        to target: Node,
        _ rule: ReferenceModel.Rule,
        takesNumbers: Bool = true,
        takingOver: Bool = true
    ) {
        let edge = Edge(to: target, rule)
        edges.append((edge, takesNumbers))
        model.attach(edge, to: source, takingOver: takingOver)
    }

    private func addSum(of tuple: Node) {
        meetings.append(tuple)
        addEdge(from: tuple, to: addNode(), .each { [$0.last!.reduce(0, +) % 10] }, takesNumbers: false)
    }

    @discardableResult
    private func makeSwitch(of source: Node, branchCount: Int, isVisible: Bool = true) -> ReferenceModel.Switch {
        let routes = ReferenceModel.Switch(branchCount: branchCount)
        addEdge(from: source, to: Node(name: "-"), .route(routes))
        if isVisible { switches.append(routes) }
        return routes
    }

    private func makeCase(of routes: ReferenceModel.Switch, _ branch: Node) {
        addEdge(
            from: branch,
            to: addNode(),
            .unchanged,
            takesNumbers: false,
            takingOver: routes.lastTaken === branch
        )
    }

    private func flatten(_ choices: [Int], by outer: Node, takesNumbers: Bool) {
        let result = addNode()
        let followed = choices.map { nodes[$0] }
        follows.append((followed, result))
        addEdge(
            from: outer,
            to: result,
            .flatten(followed, inner: ReferenceModel.Inner(to: result)),
            takesNumbers: takesNumbers
        )
    }

    private func listen(to node: Node, then react: @escaping (Int) -> Void = { _ in }) {
        let number = listeners.count
        let listener = model.listen(to: node) { [unowned self] arrival in
            let value = arrival.value![0]
            let senders = arrival.senders.map(\.name).joined(separator: " ")
            let context = arrival.context.map { "\($0)" } ?? "no"
            log.append("listener \(number) heard \(value) through \(senders) with \(context) context")
            react(value)
        }
        listeners.append(listener)
    }

    // MARK: - What must not be linked

    /// Whether a new edge between two nodes leads the model nowhere where the order of joins is not promised: into a
    /// ring that has a `combine` or a `zip` in it, or to one of these upstream of a node that a `flatten` may follow.
    func allowsEdge(from source: Int, to target: Int) -> Bool { allowsEdge(from: nodes[source], to: nodes[target]) }

    private func allowsEdge(from source: Node, to target: Node) -> Bool {
        let above = meetings.filter { reaches($0, source) }
        return source !== target
            && !above.contains { reaches(target, $0) }
            && (above.isEmpty || !follows.contains { $0.nodes.contains { reaches(target, $0) } })
    }

    func allowsPointing(edge: Int, at source: Int) -> Bool {
        guard edges[edge].takesNumbers else { return false }
        return edges[edge].edge.targets.allSatisfy { allowsEdge(from: nodes[source], to: $0) }
    }

    /// Whether a `flatten` may follow the node.
    func allowsFollowing(_ node: Int) -> Bool {
        !meetings.contains { reaches($0, nodes[node]) }
    }

    private func reaches(_ start: Node, _ end: Node) -> Bool {
        var found = [start]
        var next = 0
        while next < found.count {
            let node = found[next]
            next += 1
            if node === end { return true }
            let targets =
                node.links.flatMap(\.edge.targets) + follows.filter { $0.nodes.contains { $0 === node } }.map(\.result)
            for target in targets where !found.contains(where: { $0 === target }) { found.append(target) }
        }
        return false
    }
}

extension ReferenceModel.Rule {
    static var unchanged: Self { .each { $0.last } }
}
