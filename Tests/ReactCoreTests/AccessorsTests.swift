import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Simple access") struct AccessorsTests {
    @Test("a node alone has no neighbours")
    func alone() {
        let node = Node(1)
        #expect(node.upstreamNodes == [])
        #expect(node.downstreamNodes == [])
        #expect(node.upstreamTransforms == [])
        #expect(node.downstreamTransforms == [])
        #expect(node.listenEdges == [])
        #expect(!node.hasUpstreamNode)
        #expect(!node.hasDownstreamNode)
        #expect(!node.hasListener)
    }

    @Test("neighbours are told in the order in which they were linked")
    func neighbours() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        let node = Node<Int>()
        node.link(to: b)
        node.link(to: a)
        let c = node.map { $0 }
        let d = node.map { "\($0)" }
        #expect(node.upstreamNodes == [b, a])
        #expect(node.downstreamNodes == [c, d])
        #expect(node.upstreamTransforms.map(\.source) == [b, a])
        #expect(node.downstreamTransforms.map { $0.destination === c } == [true, false])
        #expect(node.hasUpstreamNode)
        #expect(node.hasDownstreamNode)
        #expect(a.downstreamNodes == [node])
        #expect(c.upstreamNodes == [node])
        #expect(!a.hasUpstreamNode)
        #expect(!c.hasDownstreamNode)
        #expect(a.hasDownstreamNode)
        #expect(c.hasUpstreamNode)
    }

    @Test("an edge is the same seen from either end")
    func sameEdge() {
        let a = MutableNode(1)
        let b = a.map { $0 }
        #expect(a.downstreamTransforms == b.upstreamTransforms)
        #expect(a.downstreamTransforms.count == 1)
        #expect(a.downstreamTransforms[0].source === a)
        #expect(a.downstreamTransforms[0].destination === b)
    }

    @Test("an operator's transform bears the operator's name")
    func operatorNames() {
        let a = MutableNode(1)
        #expect(a.map { $0 }.upstreamTransforms.map(\.name) == ["Map"])
        #expect(a.filter { $0 > 0 }.upstreamTransforms.map(\.name) == ["Filter"])
        #expect(a.fork().upstreamTransforms.map(\.name) == ["Fork"])
        #expect(combine(a, a).upstreamTransforms.map(\.name) == ["Combine", "Combine"])
    }

    @Test("transforms from one node and to one node")
    func betweenTwo() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        let node = Node<Int>()
        node.link(to: a)
        node.link(to: b)
        node.link(to: a)
        #expect(node.upstreamTransforms(from: a).count == 2)
        #expect(node.upstreamTransforms(from: b).count == 1)
        #expect(node.upstreamTransforms(from: node) == [])
        #expect(a.downstreamTransforms(to: node) == node.upstreamTransforms(from: a))
        #expect(a.downstreamTransforms(to: b) == [])
        #expect(Set(node.upstreamNodes) == [a, b])
        #expect(Set(a.downstreamNodes) == [node])
    }

    @Test("an edge with only its from set counts among transforms, and not among nodes")
    func onlyFrom() {
        let node = MutableNode(1)
        let probe = Probe<Int>("p")
        probe.from = node
        #expect(node.downstreamTransforms == [probe])
        #expect(node.downstreamNodes == [])
        #expect(!node.hasDownstreamNode)
        #expect(node.downstreamTransforms(to: node) == [])
        #expect(probe.source === node)
        #expect(probe.destination == nil)
    }

    @Test("an edge with only its to set counts among transforms, and not among nodes")
    func onlyTo() {
        let node = MutableNode(1)
        let probe = Probe<Int>("p")
        probe.to = node
        #expect(node.upstreamTransforms == [probe])
        #expect(node.upstreamNodes == [])
        #expect(!node.hasUpstreamNode)
        #expect(node.upstreamTransforms(from: node) == [])
        #expect(probe.source == nil)
        #expect(probe.destination === node)
    }

    @Test("an edge that lost one end counts like one that never had it")
    func lostEnd() {
        let source = MutableNode(1)
        let target = Node<Int>()
        let probe = Probe("p", from: source, to: target)
        probe.from = nil
        #expect(target.upstreamNodes == [])
        #expect(target.upstreamTransforms == [probe])
        #expect(!target.hasUpstreamNode)
        probe.from = source
        probe.to = nil
        #expect(source.downstreamNodes == [])
        #expect(source.downstreamTransforms == [probe])
        #expect(!source.hasDownstreamNode)
    }

    @Test("an answer is a snapshot: it stays as it was while the graph is edited")
    func snapshots() {
        let source = MutableNode(1)
        var nodes: [Node<Int>] = (0..<5).map { index in source.map { $0 + index } }
        let before = source.downstreamNodes
        for node in source.downstreamNodes {
            node.removeUpstreamNodes()
            nodes.append(source.map { $0 })
        }
        #expect(before == Array(nodes[..<5]))
        #expect(source.downstreamNodes == Array(nodes[5...]))
    }

    @Test("a snapshot keeps its nodes and edges alive")
    func snapshotsKeep() {
        let source = MutableNode(1)
        var kept: [AnyNode]
        do {
            let mapped = source.map { $0 }
            kept = source.downstreamNodes
            withExtendedLifetime(mapped) {}
        }
        #expect(kept.count == 1)
        #expect(source.downstreamNodes == kept)
        source.value = 2
        #expect(kept.first?.valueDescription == "2")
        kept = []
        #expect(source.downstreamNodes == [])
    }

    @Test("a snapshot taken by a listener in mid-delivery may be walked and edited")
    func inMidDelivery() {
        let listener = Lifetime()
        let source = MutableNode<Int>()
        let nodes = (0..<3).map { _ in source.map { $0 } }
        source.listened(by: listener).with { _ in
            for node in source.downstreamNodes.dropFirst() { node.removeUpstreamNodes() }
            for edge in source.listenEdges { edge.name = "walked" }
        }
        source.value = 1
        #expect(nodes.map(\.value) == [1, nil, nil])
        #expect(source.listenEdges.map(\.name) == ["walked"])
    }

    @Test("access from many threads while the graph is edited returns the graph as it stood at some moment")
    func fromThreads() {
        let source = MutableNode(0)
        let count = Scale.scaled(2000)
        let done = Locked(false)
        let reader = Worker {
            while !done.value {
                for node in source.downstreamNodes where node.upstreamNodes.contains(where: { $0 != source }) {
                    Issue.record("a neighbour that was never linked")
                }
                _ = source.downstreamTransforms.map(\.name)
                _ = source.listenEdges.map(\.destination)
                _ = source.hasListener
            }
        }
        concurrently(2) { _ in
            for turn in 0..<count {
                let listener = Lifetime()
                let mapped = source.map { $0 + turn }
                mapped.listened(by: listener).with { _ in }
                source.listened(by: listener).with { _ in }
                mapped.removeUpstreamNodes()
            }
        }
        done.value = true
        reader.join()
        #expect(source.downstreamTransforms == [])
        #expect(source.listenEdges == [])
    }

    @Test("the edges of a node can be read at the very moment in which a first set has to queue there")
    func firstQueue() {
        for _ in 0..<Scale.scaled(1_000) {
            let lifetime = Lifetime()
            let source = MutableNode(0)
            let mapped = source.map { $0 }
            source.listened(by: lifetime).with { if $0 == 1 { source.value = 2 } }
            concurrently(2) { index in
                if index == 0 {
                    source.value = 1
                } else {
                    #expect(source.downstreamTransforms.count == 1)
                }
            }
            #expect(mapped.value == 2)
            withExtendedLifetime(lifetime) {}
        }
    }
}
