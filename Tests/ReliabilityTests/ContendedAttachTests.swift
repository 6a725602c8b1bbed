import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Contended attach", .serialized) struct ContendedAttachTests {
    @Test("attaching a slow listener returns, however fast another thread sets meanwhile")
    func slowListener() {
        let node = MutableNode(0), lifetime = Lifetime(), isAttached = Locked(false), sets = Locked(0)
        let setter = Worker {
            while !isAttached.value, sets.value < 2_000_000 {
                node.value = sets.value
                sets.increment()
            }
        }
        #expect(eventually { sets.value >= 100 })
        node.listened(by: lifetime).with { _ in Thread.sleep(forTimeInterval: 300e-6) }
        isAttached.value = true
        setter.join()
        #expect(sets.value < 2_000_000)
    }

    @Test("an operator called while another thread delivers returns no empty node, and ends with the last value")
    func contendedOperators() {
        let sets = 200
        for round in 0..<Scale.scaled(200) {
            let node = MutableNode(0)
            let other = Node(0)
            let made = Recorder<Node<Int>>()
            let empty = Locked(0)
            concurrently(2) { thread in
                if thread == 0 {
                    for turn in 1...sets { node.value = turn }
                    return
                }
                for _ in 0..<10 {
                    let target = Node<Int>()
                    target.link(to: node)
                    let through = Node<Int>()
                    through.link(to: node, transform: Pass<Int>())
                    let nodes = [
                        node.map { $0 }, node.fork(), node.filter { _ in true }, target, through,
                        combine(node, other).mapEach { left, _ in left }, node.merge(),
                        node.distinctUntilChanged(), other.flattenMap { _ in node },
                    ]
                    for node in nodes {
                        // On a busy machine, the graph may stay busy for longer than the bound. Then an operator with
                        // state begins later.
                        if node.isEmpty { waitForLate(at: node) }
                        if node.isEmpty { empty.increment() }
                        made.record(node)
                    }
                }
            }
            waitForLate(at: node)
            let late = made.events.count { $0.value != sets }
            if empty.value > 0 || late > 0 {
                Issue.record("round \(round): \(empty.value) were empty, \(late) did not end with the last value")
                return
            }
        }
    }

    @Test("a listener that comes while another thread delivers hears the present value, then every later one, once")
    func contendedListeners() {
        let sets = 200
        for round in 0..<Scale.scaled(200) {
            let node = MutableNode(0)
            let listener = Lifetime()
            let heard = Recorder<Recorder<Int>>()
            concurrently(2) { thread in
                if thread == 0 {
                    for turn in 1...sets { node.value = turn }
                } else {
                    for _ in 0..<10 { heard.record(node.heard(by: listener)) }
                }
            }
            for recorder in heard.events {
                let first = recorder.events.first ?? -1
                guard (0...sets).contains(first), recorder.events == Array(first...sets) else {
                    Issue.record("round \(round), not every value once and in order: \(recorder.events)")
                    return
                }
            }
        }
    }

    @Test(
        "an edge attached while another thread is in a listener hears the value under way once, and then later ones"
    )
    func attachMeanwhile() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let entered = Latch()
        let release = Latch()
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            entered.arrive()
            release.wait()
        }
        let worker = Worker { node.value = 1 }
        entered.wait()
        let heard = node.heard(by: listener)
        let calls = Recorder<Int>()
        let mapped = node.map { value in
            calls.record(value)
            return value
        }
        // The listening is late. The operator has a value at once.
        #expect(heard.events == [])
        #expect(mapped.value == 1)
        release.arrive()
        worker.join()
        waitForLate(at: node)
        #expect(heard.events == [1])
        node.value = 2
        #expect(heard.events == [1, 2])
        #expect(calls.events == [1, 2])
        #expect(mapped.value == 2)
    }

    @Test("a combination that a batch of another thread completes has its first value when that is over")
    func firstValueOfTwo() {
        let (left, right) = (MutableNode(1), MutableNode<Int>())
        // So long that what it came through lies far outside of what the other thread has on record.
        let far = (0..<10_000).reduce(left as Node<Int>) { end, _ in end.map { $0 } }
        let sum = combine(far, right).mapEach { $0 + $1 }
        let busy = BusyGraph(of: right, setting: 10)
        left.value = 2
        #expect(sum.isEmpty)
        busy.end()
        waitForLate(at: left)
        #expect(sum.value == 12)
        left.value = 3
        #expect(sum.value == 13)
    }

    @Test("an edge that is cut and linked again by a listener hears the value under way once")
    func linkedAgain() {
        let listener = Lifetime()
        let (node, target) = (MutableNode(0), Node<Int>())
        let edge = LinkTransform<Int>()
        edge.to = target
        edge.from = node
        let heard = target.heard(by: listener)
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            edge.from = nil
            edge.from = node
        }
        node.value = 1
        node.value = 2
        #expect(heard.events == [0, 1, 2])
    }

    @Test("an edge that is re-pointed while it takes over a value on another thread follows its new source alone")
    func repointedMeanwhile() {
        let listener = Lifetime()
        let (old, new, target) = (MutableNode(1), MutableNode(5), Node<Int>())
        let entered = Latch()
        let release = Latch()
        let edge = Pass<Int> { value in
            guard value == 1 else { return }
            entered.arrive()
            release.wait()
        }
        edge.to = target
        let heard = target.heard(by: listener)
        let worker = Worker { edge.from = old }
        entered.wait()
        edge.from = new
        release.arrive()
        worker.join()
        waitForLate(at: old, new, target)
        old.value = 2
        new.value = 6
        #expect(heard.events == [5, 6])
    }
}

/// A custom transform that passes everything on, once `before` has returned.
private final class Pass<Value: Sendable>: Transform<Value, Value>, @unchecked Sendable {
    private let before: @Sendable (Value) -> Void

    init(before: @escaping @Sendable (Value) -> Void = { _ in }) {
        self.before = before
        super.init()
    }
    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        before(value)
        send(value, from: senders, context: context)
    }
}
