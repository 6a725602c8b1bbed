import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@testable import ReactGraph

@Suite("lint of a live graph")
struct LiveLintTests {
    @Test("a node that shows the value of a redacted one, by a listener, an effect or a function, is found")
    func copiedSecrets() throws {
        let password = MutableNode("hunter2").named("password").redacted(), lifetime = Lifetime()
        let heard = MutableNode("").named("heard"), read = MutableNode("").named("read"), user = MutableNode("ada")
        password.listened(by: lifetime).with { heard.value = $0 }
        lifetime.effect { read.value = "“\(try $0(password))”" }
        let account = password.map { ["password": $0] }.named("account"), length = password.map(\.count)
        let all = combine(password, heard, read, user).named("all"), shown = combine(user, length)
        let findings = password.lint().filter { $0.rule == .copiedSecret }
        let names = password.graph.nodes.map(\.name)
        #expect(findings.allSatisfy { names[$0.nodes[0]] == "password" })
        #expect(Set(findings.map { names[$0.nodes[1]] }) == ["heard", "read", "account"])
        let finding = try #require(findings.first { names[$0.nodes[1]] == "heard" })
        let copy = "“heard” (node \(finding.nodes[1]))"
        #expect(
            finding.description
                == "copiedSecret: \(copy) shows the value of “password” (node 0), which is redacted: a listener, an effect "
                + "or a function has copied it, or it came from there. Call redacted() on \(copy), too.")
        for node in [heard, read, account] as [AnyNode] { node.redacted() }
        #expect(password.lint().allSatisfy { $0.rule != .copiedSecret })
        withExtendedLifetime((all, shown)) {}
    }

    @Test("short texts, and a graph without a secret, have no copies")
    func noCopies() {
        let pin = MutableNode("123").redacted(), other = MutableNode("123"), both = combine(pin, other)
        let isOn = MutableNode(true).redacted(), isOff = MutableNode(true), flags = combine(isOn, isOff)
        #expect(pin.lint().isEmpty && isOn.lint().isEmpty)
        let plain = MutableNode("hunter2"), copy = MutableNode("hunter2"), texts = combine(plain, copy)
        #expect(plain.lint().isEmpty)
        withExtendedLifetime((both, flags, texts)) {}
    }

    /// What an operator that waits for partners keeps.
    private final class Queue: OperatorState {
        let waitingCount: Int?

        init(waitingCount: Int) { self.waitingCount = waitingCount }
        func startOver() {}
        func disconnected() {}
    }

    @Test("an operator at which more values wait than the limit is found, one with as many is not")
    func waiting() {
        let source = MutableNode(1).named("source")
        let zipped: Node<Int> = source.following("Zip", state: Queue(waitingCount: 5)) { _ in .nothing }
        #expect(source.lint(zipLimit: 4).filter { $0.rule == .zipAhead }.map(\.nodes) == [[0, 1]])
        #expect(source.lint(zipLimit: 5).allSatisfy { $0.rule != .zipAhead })
        withExtendedLifetime(zipped) {}
    }

    @Test("links in parallel and loose ends are found, and gone once cut")
    func edges() {
        let (a, b) = (MutableNode(1), MutableNode<Int>())
        b.link(to: a)
        let second = b.link(to: a)
        let loose = LinkTransform<Int>()
        loose.from = b
        let listener = Lifetime()
        b.listened(by: listener).with { _ in }
        #expect(a.lint().map(\.rule) == [.parallelEdges, .looseEnd])
        second.cancel()
        loose.from = nil
        #expect(a.lint().isEmpty)
    }

    @Test("a branch that was not taken, and a flatten that has nothing to follow, have no loose end, nor in pictures")
    func operatorsOwnEnds() {
        let number = MutableNode(1), inner = MutableNode<Node<Int>>(), lifetime = Lifetime()
        let branches = number.if { $0 > 0 }
        let merged = merge(branches.thenNode, branches.elseNode, inner.flatten(), number.flattenMap { _ in Node() })
        merged.listened(by: lifetime).with { _ in }
        inner.link(to: number.compactMap { _ in nil })
        #expect(findings(.looseEnd, number).isEmpty)
        #expect(!number.graph.dot.contains("shape=point"))
    }

    @Test("a node that a focus leads back to is no mistake, and a focus that nobody holds goes")
    func focused() {
        struct Pair: Sendable { var left: Int, right: Int }
        func makePart() -> MutableNode<Int> { MutableNode(Pair(left: 1, right: 2)).focus(\.left) }
        let part = makePart()
        #expect(part.lint().isEmpty)
        let pair = MutableNode(Pair(left: 1, right: 2))
        _ = pair.focus(\.left)
        #expect(pair.downstreamNodes.isEmpty)
        withExtendedLifetime(part) {}
    }

    @Test("a node that both brings the values of take(until:) and says when to stop is no mistake")
    func ownEnd() {
        let a = MutableNode(1), lifetime = Lifetime()
        a.take(until: a).listened(by: lifetime).with { _ in }
        #expect(a.lint().isEmpty)
    }

    @Test("a node that is two inputs of one combination, or both sides of a zip, is no mistake")
    func sameInput() {
        let a = MutableNode(1), lifetime = Lifetime()
        let (both, pairs) = (combine(a, a), zip(a, a))
        both.listened(by: lifetime).with { _ in }
        pairs.listened(by: lifetime).with { _ in }
        #expect(a.lint().isEmpty)
    }

    private func findings(_ rule: LintFinding.Rule, _ node: AnyNode) -> [LintFinding] {
        node.lint().filter { $0.rule == rule }
    }

    @Test("a combination and a zip that lost an input are found, those that have all of them are not")
    func lostInput() throws {
        let kinds: [([Node<Int>]) -> AnyNode] = [
            { Node.combine($0) }, { Node.zip($0) }, { combine($0[0], $0[1], $0[2]) },
        ]
        for make in kinds {
            let inputs = (1...3).map { MutableNode($0) }
            let joined = make(inputs).named("joined")
            #expect(findings(.lostInput, joined).isEmpty)
            let kind = joined.upstreamTransforms[0].name
            joined.removeUpstreamNode(inputs[1])
            let finding = try #require(findings(.lostInput, joined).first)
            #expect(finding.nodes == [0])
            #expect(
                finding.message
                    == "\(kind) “joined” (node 0) was made of 3 inputs and has lost 1 of them, so it does not change any more."
            )
            joined.removeUpstreamNode(inputs[0])
            #expect(findings(.lostInput, joined)[0].message.contains("has lost 2 of them"))
        }
    }

    @Test("a combination and a zip that wait for an empty node are found, with its name, until it is set")
    func waitsForEmpty() throws {
        for isZip in [false, true] {
            let full = MutableNode(1).named("full"), empty = MutableNode<Int>().named("empty")
            let joined = (isZip ? full.zip(empty) : full.combine(empty)).named("joined")
            let finding = try #require(findings(.waitsForEmpty, joined).first)
            #expect(finding.nodes == [0, 2] && finding.edges == [1])
            #expect(
                finding.message
                    == "“joined” (node 0) is empty, because \(isZip ? "Zip" : "Combine") waits for “empty” (node 2), which is "
                    + "empty.")
            empty.value = 1
            #expect(findings(.waitsForEmpty, joined).isEmpty)
            empty.clean()
            #expect(findings(.waitsForEmpty, joined).isEmpty)
        }
    }

    @Test("a zip does not wait for an input whose value it has kept; a combination does", arguments: [false, true])
    func keptValue(isZip: Bool) throws {
        let had = MutableNode(1).named("had"), empty = MutableNode<Int>().named("empty")
        let joined = (isZip ? had.zip(empty) : had.combine(empty)).named("joined")
        had.clean()
        let finding = try #require(findings(.waitsForEmpty, joined).first)
        let missing = isZip ? "“empty” (node 2), which is" : "“had” (node 1) and “empty” (node 2), which are"
        #expect(finding.message.contains("waits for \(missing) empty"))
    }

    private final class Screen: Listener {
        let lifetime = Lifetime()
    }

    @Test("a graph that is read, and not listened to, has no finding") func read() {
        let price = MutableNode(20), double = price.map { $0 * 2 }, sum = combine(price, double) { $0 + $1 }
        price.value = 21
        #expect(sum.value == 63)
        #expect(price.lint().isEmpty && sum.lint().isEmpty && sum.graph.lint().isEmpty)
    }

    @Test("a node that cannot be set and to which nothing leads any more is found, if somebody follows it")
    func cutOff() throws {
        let price = MutableNode(20).named("price"), total = price.map { $0 * 3 }.named("total"), lifetime = Lifetime()
        let constant = Node(7), other = MutableNode(1), sum = combine(total, constant, other)
        #expect(findings(.cutOff, sum).isEmpty)
        let link = other.link(to: price)
        link.cancel()
        #expect(findings(.cutOff, sum).isEmpty)
        total.removeUpstreamNodes()
        let finding = try #require(findings(.cutOff, total).first)
        #expect(finding.nodes == [0] && findings(.cutOff, sum).count == 1)
        #expect(
            finding.message
                == "“total” (node 0) cannot be set, and nothing leads to it any more: its listeners and the nodes downstream hear "
                + "nothing more.")
        sum.removeUpstreamNodes()
        // Nobody follows either of them.
        #expect(findings(.cutOff, total).isEmpty && findings(.cutOff, sum).isEmpty)
        total.listened(by: lifetime).with { _ in }
        #expect(findings(.cutOff, total).count == 1)
        total.link(to: price)
        #expect(findings(.cutOff, total).isEmpty)
    }
    @Test("an operator that has ended by itself, and an edge that was pointed elsewhere, are no mistake")
    func endedByItself() {
        let source = MutableNode(1), end = MutableNode<Bool>(), lifetime = Lifetime()
        let inner = MutableNode<Node<Int>>(MutableNode(1))
        let ended: [Node<Int>] = [
            source.take(1), source.take(until: end), inner.flatten(), source.flattenMap { _ in MutableNode(2) },
            source.filter { $0 > 9 },
        ]
        for node in ended { node.listened(by: lifetime).with { _ in } }
        end.value = true
        inner.value = MutableNode(3)
        source.value = 2
        for node in ended { #expect(findings(.cutOff, node).isEmpty) }
    }
    #if os(macOS) || os(Linux)
    @Test("a combination of very many inputs is linted and explained in one walk over them")
    func manyInputs() async {
        await #expect(processExitsWith: .success) {
            let count = Scale.gate.isSmall ? 5_000 : 30_000
            let inputs = (0..<count).map { _ in MutableNode<Int>() }
            let all = Node.combine(inputs)
            limitWork(toSeconds: 2, at: Scale.gate)
            precondition(
                all.lint().filter { $0.rule == .waitsForEmpty }.map(\.nodes.count) == [count + 1])
            precondition(all.explain().hasSuffix("and \(count - 4) more, which are empty."))
        }
    }
    #endif

    @Test("a lifetime with a name goes by it in pictures")
    func lifetimeNames() {
        let node = MutableNode(1), lifetime = Lifetime(named: "login screen"), screen = Screen()
        node.listened(by: lifetime).with { _ in }
        screen.listen(to: node).with { _ in }
        #expect(node.graph.listeners.map(\.name) == ["login screen", nil])
        #expect(node.graph.dot.contains("l0 [label=\"login screen\""))
        #expect(node.graph.dot.contains("l1 [label=\"Screen\""))
    }

    @Test("a zip that is askew by more than ten is found")
    func askew() {
        let fast = MutableNode<Int>(), slow = MutableNode<Int>()
        let zipped = fast.zip(slow)
        for value in 1...10 { fast.value = value }
        #expect(findings(.zipAhead, zipped).isEmpty)
        fast.value = 11
        #expect(findings(.zipAhead, zipped).count == 1)
    }

    @Test("a ring through a waiting operator is found, with the remedy, and a sync or a ring without one is not")
    func waitingRings() throws {
        let clock = VirtualScheduler()
        let command = MutableNode<Int>().named("command")
        let answer = command.delay(.seconds(1), on: clock).map { $0 + 1 }.named("answer")
        #expect(!answer.lint().contains { $0.rule == .waitingRing })
        let back = command.link(to: answer)
        let finding = try #require(answer.lint().first { $0.rule == .waitingRing })
        #expect(
            finding.message.hasSuffix(
                "form a ring through “Delay”: a value that comes back stops at the node where it came from, because it "
                    + "has passed that node before."))
        #expect(finding.remedy.contains("in a listener of the result") && finding.remedy.contains("follow(_:in:)"))
        #expect(answer.graph.lint().contains { $0.rule == .waitingRing })
        back.cancel()
        #expect(!answer.lint().contains { $0.rule == .waitingRing })

        let other = MutableNode(1), sync = command.sync(with: other)
        #expect(!answer.lint().contains { $0.rule == .waitingRing })
        sync.cancel()
    }

    @Test("a ring is found through every operator that takes values for later, under any name of its edge")
    func waitingOperators() throws {
        let clock = VirtualScheduler(), second = Duration.seconds(1)
        let waiting: [String: (Node<Int>) -> Node<Int>] = [
            "deliver": { $0.deliver(on: clock) },
            "delay": { $0.delay(second, on: clock) },
            "debounce": { $0.debounce(second, on: clock) },
            "throttle": { $0.throttle(second, on: clock) },
            "sample": { $0.sample(every: second, on: clock) },
            "collect": { $0.collect(every: second, on: clock).map(\.count) },
            "combine": { combine([$0], sampledEvery: second, on: clock).map(\.count) },
            "mapLatest": { $0.mapLatest { $0 }.map { _ in 0 } },
            "mapFirst": { $0.mapFirst { $0 }.map { _ in 0 } },
            "mapInOrder": { $0.mapInOrder { $0 }.map { _ in 0 } },
        ]
        // These take no value for later.
        let others: Set = ["ticks", "timeout", "after", "successes", "failures", "upToDate"]
        #expect(Set(waiting.keys) == Declared.timeOperators.subtracting(others))
        for (name, make) in waiting {
            let source = MutableNode<Int>(), result = make(source)
            try #require(source.downstreamTransforms.first).name = "Pause"
            let back = source.link(to: result)
            #expect(source.lint().contains { $0.rule == .waitingRing }, "\(name)")
            #expect(source.graph.lint().contains { $0.rule == .waitingRing }, "\(name)")
            back.cancel()
        }
    }
    @Test("a ring through an edge that has the name of a waiting operator alone is not found")
    func namesOfWaitingOperators() {
        final class Delay: Transform<Int, Int>, @unchecked Sendable {
            override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
                send(value, from: senders, context: context)
            }
        }
        let source = MutableNode(1), result = Node<Int>()
        result.link(to: source, transform: Delay(name: "Delay"))
        let back = source.link(to: result)
        #expect(!source.lint().contains { $0.rule == .waitingRing })
        #expect(!source.graph.lint().contains { $0.rule == .waitingRing })
        back.cancel()
    }
    @Test("an answer of upToDate() that leads back into the waiting edge is found, and one that leads elsewhere is not")
    func answersOfUpToDate() throws {
        let clock = VirtualScheduler()
        let text = MutableNode("a").named("text"), other = MutableNode<String>()
        let results = text.debounce(.seconds(1), on: clock).named("results")
        let answer = results.upToDate().map { "\($0)" }.named("answer")
        other.link(to: answer)
        #expect(!answer.lint().contains { $0.rule == .waitingRing })
        let back = text.link(to: answer)
        let finding = try #require(answer.lint().first { $0.rule == .waitingRing })
        #expect(
            finding.message.hasSuffix(
                "form a ring through “Debounce” and “UpToDate”: each change of the answer is a value on its way, which "
                    + "changes the answer again, so the graph never comes to rest."))
        #expect(finding.remedy.contains("lead the answer somewhere else"))
        back.cancel()
        #expect(!answer.lint().contains { $0.rule == .waitingRing })
    }

    @Test("an answer that is linked back to its own command does not arrive, and a listener that sets does")
    func answers() {
        let clock = VirtualScheduler(), lifetime = Lifetime()
        let command = MutableNode<Int>()
        let answer = command.delay(.seconds(1), on: clock).map { $0 + 1 }
        let back = command.link(to: answer)
        command.value = 1
        clock.run()
        #expect(command.value == 1)
        back.cancel()
        answer.listened(by: lifetime).with { if $0 < 5 { command.value = $0 } }
        command.value = 1
        clock.run()
        #expect(command.value == 4)
    }
}
