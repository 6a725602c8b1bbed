import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

#if os(macOS) || os(Linux)
/// What must not be done ends the process, with a message that names the problem and the remedy.
@Suite("Traps") struct TrapsTests {
    /// Whether the process that `result` is of printed all of `words`, whatever stands around them.
    func expectMessage(
        _ words: String...,
        in result: ExitTest.Result?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try #require(result, sourceLocation: sourceLocation)
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        for word in words {
            #expect(message.lowercased().contains(word), sourceLocation: sourceLocation)
        }
    }

    @Test("a listener that sets its own node without end is named", .enabled(if: Scale.runsTraps))
    func endlessTurns() async throws {
        let alone = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(0).named("total"), lifetime = Lifetime()
            node.listened(by: lifetime).with { node.value = $0 + 1 }
        }
        try expectMessage("total", "100000", "listener", "if value !=", "link(to:)", in: alone)
        // Every kind takes a second, so the others run at full sizes only.
        if Scale.gate.isSmall { return }
        let inTurn = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let ping = MutableNode(0).named("ping"), pong = MutableNode(0).named("pong"), lifetime = Lifetime()
            pong.listened(by: lifetime).with { if $0 > 0 { ping.value = $0 + 1 } }
            ping.listened(by: lifetime).with { if $0 > 0 { pong.value = $0 } }
            ping.value = 1
        }
        try expectMessage("ping", "100000", "listener", "if value !=", "link(to:)", in: inTurn)
        let doubling = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(0).named("doubled"), lifetime = Lifetime()
            node.listened(by: lifetime).with {
                node.value = 2 * $0
                node.value = 2 * $0 + 1
            }
        }
        try expectMessage("doubled", "100000", "listener", "if value !=", in: doubling)
    }

    @Test(
        "a feedback through a combination or a settled node is named, with the node that is set again",
        .enabled(if: Scale.runsTraps))
    func endlessFirings() async throws {
        let pair = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(1).named("total"), lifetime = Lifetime()
            combine(node, MutableNode(1)) { $0 &+ $1 }.listened(by: lifetime).with { node.value = $0 }
        }
        // A node without a name is told with its origin.
        try expectMessage("which “combine” makes of node(named: total", in: pair)
        try expectMessage("100000", "listener", "if value !=", in: pair)
        // Every kind takes a second, so the other ways to set again run at full sizes only.
        if Scale.gate.isSmall { return }
        let closure = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(1).named("total"), other = MutableNode(1)
            let sum = combine(node, other) { one, two in
                node.value = one &+ 1
                return one &+ two
            }
            other.value = 2
            withExtendedLifetime(sum) {}
        }
        try expectMessage("total", "100000", "closure", in: closure)
        let last = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(1).named("total"), lifetime = Lifetime()
            node.settled().listened(by: lifetime).with { node.value = $0 &+ 1 }
        }
        try expectMessage("total", "100000", in: last)
        let latest = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(1).named("total"), lifetime = Lifetime()
            node.withLatest(from: MutableNode(1)).listened(by: lifetime).with { node.value = $0.0 &+ 1 }
        }
        try expectMessage("total", "100000", in: latest)
        let derived = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(1).named("total"), lifetime = Lifetime()
            computed { read in try read(node) }.listened(by: lifetime).with { node.value = $0 &+ 1 }
        }
        try expectMessage("total", "100000", in: derived)
        let body = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(1).named("total")
            _ = computed { read in
                let before = try read(node)
                node.value = before &+ 1
                return before
            }
        }
        try expectMessage("total", "100000", "closure", in: body)
    }

    @Test("a batch may set a node any number of times, and a listener may set it again very many times")
    func manySets() async {
        await #expect(processExitsWith: .success) {
            let node = MutableNode(0), lifetime = Lifetime()
            // At full sizes, the listener comes as near to the limit as can be, and the batch goes beyond it.
            let most = Scale.gate.scaled(100_000)
            batch { for value in 0..<2 * most { node.value = value } }
            node.value = 0
            combine(node, MutableNode(1)) { $0 + $1 }.listened(by: lifetime).with {
                if $0 < most - 1 { node.value = $0 }
            }
            node.value = 0
        }
    }

    @Test("setting value on an immutable node reached through a cast", .enabled(if: Scale.runsTraps))
    func setImmutable() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            guard let node = Node(1).named("total") as? MutableNode<Int> else { return }
            node.value = 2
        }
        try expectMessage("immutable", "mutablify", in: result)
    }

    @Test("emptying an immutable node reached through a cast", .enabled(if: Scale.runsTraps))
    func emptyImmutable() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            guard let node = Node(1) as? MutableNode<Int> else { return }
            node.value = nil
        }
        try expectMessage("immutable", "mutablify", in: result)
    }

    @Test("setting an operator's result reached through a cast", .enabled(if: Scale.runsTraps))
    func setResult() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            guard let node = MutableNode(1).map({ $0 }) as? MutableNode<Int> else { return }
            node.value = 2
        }
        try expectMessage(
            "node<int>(1), which “map” makes of node<int>(1), which has no name", "is immutable", "mutablify",
            in: result)
    }

    @Test("setValue, clean and update on an immutable node reached through a cast", .enabled(if: Scale.runsTraps))
    func otherWays() async throws {
        let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            (Node(1) as? MutableNode<Int>)?.setValue(2, context: "context")
        }
        let cleaned = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            (Node(1) as? MutableNode<Int>)?.clean()
        }
        let updated = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            (Node(1) as? MutableNode<Int>)?.update { $0 += 1 }
        }
        for result in [set, cleaned, updated] {
            try expectMessage("node<int>(1), which has no name", "is immutable", "mutablify", in: result)
        }
    }

    @Test("a node may be reached as mutable before it is: that alone traps nothing")
    func castAlone() {
        let node = Node(1)
        let reached = node as? MutableNode<Int>
        #expect(reached == nil || reached === node)
        #expect(!node.isMutable && node.value == 1)
        node.mutablify().value = 2
        #expect(node.value == 2)
    }

    @Test("a focus on a row of an array that is gone", .enabled(if: Scale.runsTraps))
    func focusOnRow() async {
        await #expect(processExitsWith: .failure) {
            let rows = MutableNode([1, 2, 3]), third = rows.focus(\.[2])
            guard third.value == 3 else { return }
            rows.value = [1, 2]
        }
        await #expect(processExitsWith: .failure) {
            let rows = MutableNode([1, 2, 3]), third = (rows as Node).focus(\.[2] as KeyPath & Sendable)
            guard third.value == 3 else { return }
            rows.value = [1, 2]
        }
    }
    @Test("a focus on a row of a dictionary holds nil while the row is gone, and can bring it back")
    func focusOnKey() {
        let rows = MutableNode([7: "seven"]), row = rows.focus(\.[7])
        rows.value = [:]
        #expect(row.value == .some(nil))
        row.value = "again"
        #expect(rows.value == [7: "again"])
        row.value = .some(nil)
        #expect(rows.value == [:])
    }

    @Test("linking a node to itself", .enabled(if: Scale.runsTraps))
    func linkToItself() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(1)
            node.link(to: node)
        }
        try expectMessage("node<int>(1) cannot follow itself", in: result)
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }

    @Test("linking a node to itself through a transform", .enabled(if: Scale.runsTraps))
    func linkToItselfThroughTransform() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(1)
            node.link(to: node, transform: LinkTransform<Int>())
        }
        try expectMessage("itself", in: result)
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }

    @Test("linking through a transform that links other nodes already", .enabled(if: Scale.runsTraps))
    func transformInUse() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let probe = LinkTransform<Int>()
            Node<Int>().link(to: Node(1), transform: probe)
            let source = Node(2)
            probe.from = source
            Node<Int>().link(to: Node(3), transform: probe)
        }
        try expectMessage("transform", in: result)
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 8)")
    }

    @Test("linking through a transform that has one end", .enabled(if: Scale.runsTraps))
    func transformWithOneEnd() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let probe = LinkTransform<Int>()
            let target = Node<Int>()
            probe.to = target
            target.link(to: Node(3), transform: probe)
        }
        try expectMessage("transform", in: result)
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 7)")
    }

    @Test("linking another node through an edge of a combination that has lost its ends", .enabled(if: Scale.runsTraps))
    func edgeOfCombination() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            // Linked all the same, the edge would tell the combination of its values, and not the node that it leads to.
            limitWork()
            let (a, b) = (MutableNode(1), MutableNode(2))
            let both = combine(a, b)
            guard let edge = both.upstreamTransforms(from: a).first as? Transform<Int, (Int, Int)> else { return }
            edge.cancel()
            let other = Node<(Int, Int)>()
            other.link(to: a, transform: edge)
            _ = other.isEmpty
        }
        try expectMessage("cannot lead elsewhere", in: result)
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 12)")
    }

    @Test("more combinations one below the other than there are heights", .enabled(if: Scale.runsTraps))
    func tooHigh() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            // Without the limit heights begin anew at 0, and rise for ever.
            limitWork()
            let (a, b) = (MutableNode(1), MutableNode(2))
            // As if so many stood above it.
            a.vertex.locking { a.vertex.setHeight(Vertex.heightLimit) }
            _ = combine(a, b)
        }
        try expectMessage("more than \(Vertex.heightLimit) combinations", in: result)
    }

    @Test("more threads at once than times have numbers for", .enabled(if: Scale.runsTraps))
    func tooManyThreads() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            // The last there can be.
            guard Epoch.thread(of: Epoch.start(of: 65_535)) == 65_535 else { return }
            _ = Epoch.start(of: 65_536)
        }
        try expectMessage("65,535 threads", "have fewer", in: result)
    }

    @Test("the height of a combination below the highest but one is the last there is")
    func highest() {
        let (a, b) = (MutableNode(1), MutableNode(2))
        a.vertex.locking { a.vertex.setHeight(Vertex.heightLimit - 1) }
        let both = combine(a, b)
        #expect(both.vertex.height == Vertex.heightLimit)
        a.value = 3
        #expect(both.value.map { $0 == (3, 2) } == true)
    }
}
#endif
