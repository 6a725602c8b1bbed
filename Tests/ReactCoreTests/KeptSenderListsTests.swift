import ReactCore
import ReactOperators
import Synchronization
import TestSupport
import Testing

/// Gives its sender lists away, and returns when they have been let go of elsewhere.
private final class GivingAway: ListenEdge<Int>, @unchecked Sendable {
    let names = Recorder<[String]>()
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        let given = Locked<SenderList?>(senders), isReleased = Atomic<Bool>(false)
        // No order of memory: the engine alone has to see that the other thread is done with the list.
        @Sendable func read() { names.record(given.withLock { $0.take() }!.senders.compactMap(\.name)) }
        Worker {
            read()
            isReleased.store(true, ordering: .relaxed)
        }
        #expect(eventually { isReleased.load(ordering: .relaxed) })
    }
}

@Suite("Sender lists that are kept")
struct KeptSenderListsTests {
    @Test("a sender list that is kept holds the values of the nodes that it names, and not the nodes")
    func holdsValues() {
        let tracker = LifetimeTracker()
        var kept: SenderList?
        weak var gone: AnyNode?
        func use() {
            let node = MutableNode<Tracked>(), lifetime = Lifetime()
            gone = node
            let lists = Recorder<SenderList>()
            node.map { $0 }.listened(by: lifetime).withSenderListAndContext { _, senders, _ in lists.record(senders) }
            node.value = tracker.track("value")
            kept = lists.events.first
        }
        use()
        #expect(gone == nil)
        #expect(kept?.senders == [])
        #expect(tracker.live == ["value"])
        kept = nil
        #expect(tracker.live.isEmpty)
    }

    @Test("the value of a sender that was released is secret if it came from a redacted node, or may have")
    func secrets() {
        let lifetime = Lifetime(), lists = Recorder<SenderList>()
        let user = MutableNode("ada"), password = MutableNode("classified-1").named("password").redacted()
        do {
            let middle = password.filter { _ in true }.named("middle")
            let length = middle.map(\.count).named("length")
            let last = length.map { -$0 }
            let both = combine(user, password).named("both")
            for node in [last, both.map { _ in 0 }] {
                node.listened(by: lifetime).withSenderListAndContext { _, senders, _ in lists.record(senders) }
            }
            password.value = "classified-2"
            user.value = "bob"
            #expect("\(lists.events[2])".contains("Node(named: length, value: 12)"))
            lifetime.cancel()
        }
        for list in lists.events { #expect(!"\(list)".contains("classified")) }
        for name in ["middle", "both"] {
            #expect(lists.events.contains { "\($0)".contains("Node(named: \(name), value: redacted)") })
        }
        #expect("\(lists.events.last!)".contains("bob"))
    }

    @Test("an input that is released while a value combined of it is delivered is among the senders further down")
    func inputThatGoes() throws {
        try withLifetimeTracking { tracker in
            let lifetime = Lifetime()
            let source = MutableNode(0).named("source")
            let right = source.map { $0 }.named("right")
            let pair = Locked<Node<(Tracked, Int)>?>(nil)
            func combineWithLeft() {
                let left = source.map { tracker.track("left \($0)") }.named("left")
                pair.value = combine(left, right).named("pair")
            }
            combineWithLeft()
            let lists = Recorder<String>()
            let cutting = try #require(pair.value).map { _, number in
                if number == 1 { pair.value?.upstreamTransforms.first?.cancel() }
                return number
            }
            cutting.listened(by: lifetime).withSenderListAndContext { _, senders, _ in lists.record("\(senders)") }
            source.value = 1
            let last = try #require(lists.last)
            for name in ["pair", "left", "right", "source"] { #expect(last.contains("named: \(name),"), "\(last)") }
            // It went when the set was over, and not with the combination.
            #expect(source.downstreamNodes == [right])
            pair.value = nil
        }
    }

    @Test("the senders of thousands of values, each queued in turn in one set, are released after the set")
    func longSetOfTurns() {
        let tracker = LifetimeTracker()
        func use() {
            let lifetime = Lifetime()
            let source = MutableNode<Tracked>(), end = MutableNode<Tracked>(), count = Locked(0)
            let link = end.link(to: source)
            end.listened(by: lifetime).with { [weak source] _ in
                count.value += 1
                // The end is busy: what comes there by the link waits, with what it came through.
                if count.value < 10_000 { source?.value = tracker.track("\(count.value)") }
            }
            end.value = tracker.track("first")
            #expect(count.value == 10_000)
            link.cancel()
        }
        use()
        #expect(tracker.live.isEmpty)
    }

    @Test("a list that another thread reads, and releases, in mid-delivery has its own senders, as has the next one")
    func readElsewhere() {
        let lifetime = Lifetime(), edge = GivingAway()
        let left = MutableNode<Int>().named("left"), right = MutableNode<Int>().named("right")
        merge(left, right).named("merged").listened(by: lifetime).with(edge: edge)
        for value in 1...50 {
            left.value = value
            right.value = value
        }
        #expect(edge.names.events == (1...50).flatMap { _ in [["merged", "left"], ["merged", "right"]] })
    }
}
