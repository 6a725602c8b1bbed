import ReactCore
import ReactOperators

/// Long chains, wide fans, large rings, on a stack of 512 KB; the deliveries are counted, and must be linear.
let depth = Check(name: "depth and width") { round in
    try onThreads(1, stackSize: 512 * 1_024) { _ in
        try longChain(100_000)
        try longLinks(100_000)
        try wideFan(20_000)
        try parallelLinks(2_000)
        try largeRing(10_000)
        try lattice(500)
    }
    round.tally.add(6, "shapes")
}

private func longChain(_ length: Int) throws {
    let lifetime = Lifetime()
    let source = MutableNode(0)
    let calls = Counter()
    let end = (0..<length).reduce(source as Node<Int>) { node, _ in
        node.map {
            calls.add(1)
            return $0 + 1
        }
    }
    end.listened(by: lifetime).with { _ in calls.add(1) }
    let built = calls.count
    source.value = 1
    try expect(end.value == length + 1, "a chain of \(length) ended with \(end.value ?? -1)")
    try expect(calls.count - built == length + 1, "a chain of \(length) made \(calls.count - built) calls")
}

/// Dropped from the front: the sources first, with links that were made the other way round.
private func longLinks(_ length: Int) throws {
    let obituary = Obituary()
    do {
        var nodes = (0..<length).map { _ in obituary.watch(MutableNode<Int>()) }
        for index in 1..<length { nodes[index].link(to: nodes[index - 1]) }
        nodes[0].value = 5
        try expect(nodes[length - 1].value == 5, "\(length) links ended with \(nodes[length - 1].value ?? -1)")
        nodes.removeAll()
    }
    try expect(obituary.survivors.isEmpty, "\(obituary.survivors.count) of \(length) linked nodes are left over")
}

private func wideFan(_ width: Int) throws {
    let lifetime = Lifetime()
    let source = MutableNode<Int>()
    let heard = Counter()
    for _ in 0..<width { source.listened(by: lifetime).with { heard.add($0) } }
    source.value = 1
    try expect(heard.count == width, "\(heard.count) of \(width) listeners heard")
}

private func parallelLinks(_ count: Int) throws {
    let lifetime = Lifetime()
    let (source, target) = (MutableNode<Int>(), MutableNode<Int>())
    let links = (0..<count).map { _ in target.link(to: source) }
    let heard = Counter()
    target.listened(by: lifetime).with { heard.add($0) }
    source.value = 1
    try expect(heard.count == count, "\(count) parallel links delivered \(heard.count) times")
    for link in links { link.cancel() }
    try expect(!target.hasUpstreamNode, "parallel links are left over")
}

private func largeRing(_ size: Int) throws {
    let nodes = (0..<size).map { _ in MutableNode<Int>() }
    let lifetime = Lifetime()
    let heard = Counter()
    for (index, node) in nodes.enumerated() {
        node.link(to: nodes[(index + size - 1) % size])
        node.listened(by: lifetime).with { heard.add($0) }
    }
    nodes[size / 2].value = 1
    try expect(heard.count == size, "a ring of \(size) delivered \(heard.count) times")
    nodes[0].removeUpstreamNodes()
}

/// The field's cellx: every value parts and meets again at every layer, which costs 2ⁿ deliveries without order.
private func lattice(_ layers: Int) throws {
    let start = [1, 2, 3, 4].map { MutableNode($0) }
    let calls = Counter()
    @Sendable func counted(_ value: Int) -> Int {
        calls.add(1)
        return value
    }
    let end = (0..<layers).reduce(start as [Node<Int>]) { layer, _ in
        [
            layer[1].map { counted($0) },
            layer[0].combine(layer[2]).mapEach { counted($0 &- $1) },
            layer[1].combine(layer[3]).mapEach { counted($0 &+ $1) },
            layer[2].map { counted($0) },
        ]
    }
    let built = calls.count
    batch {
        for (node, value) in zip(start, [4, 3, 2, 1]) { node.value = value }
    }
    try expect(calls.count - built == 4 * layers, "\(layers) layers made \(calls.count - built) calls")
    let values = end.map { $0.value(or: 0) }
    try expect(values == [-2, 1, -4, -4], "\(layers) layers end with \(values)")
}
