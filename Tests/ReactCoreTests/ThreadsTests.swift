import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Which thread set a value, and which of its sets it was. Wider than a word, so that a torn read would show.
private struct Stamp: Sendable, Equatable {
    let thread: Int
    let turn: Int
    let check: [Int]

    init(thread: Int, turn: Int) {
        (self.thread, self.turn) = (thread, turn)
        check = [thread, turn]
    }

    var isWhole: Bool { check == [thread, turn] }
}

@Suite("Threads", .serialized) struct ThreadsTests {
    @Test("a set that another thread's listener holds up is read at once, and delivered after that")
    func neverWaits() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let entered = Latch()
        let release = Latch()
        let log = Recorder<String>()
        let threads = Recorder<ObjectIdentifier>()
        node.listened(by: listener).withContext { value, context in
            threads.record(ObjectIdentifier(Thread.current))
            log.record("\(value) \(context ?? "-")")
            guard value == 1 else { return }
            entered.arrive()
            release.wait()
        }
        let worker = Worker { node.value = 1 }
        entered.wait()
        node.setValue(2, context: "two")
        node.setValue(3, context: "three")
        #expect(node.value == 3, "a late value is read at once")
        #expect(log.events == ["1 -"])
        release.arrive()
        worker.join()
        waitForLate(at: node)
        #expect(log.events == ["1 -", "2 two", "3 three"])
        #expect(node.value == 3)
        #expect(!threads.events.dropFirst().contains(ObjectIdentifier(Thread.current)), "a late set runs elsewhere")
    }

    @Test("a thread that is far ahead of the one that delivers is not held up, and nothing is lost")
    func farAhead() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let entered = Latch()
        let release = Latch()
        let heard = Recorder<Int>()
        node.listened(by: listener).with { value in
            heard.record(value)
            guard value == 0 else { return }
            entered.arrive()
            release.wait()
        }
        let worker = Worker { node.value = 0 }
        entered.wait()
        for value in 1...10 { node.value = value }
        #expect(heard.events == [0])
        release.arrive()
        worker.join()
        waitForLate(at: node)
        #expect(heard.events == Array(0...10))
    }

    @Test("a combination of nodes set from two threads is never torn, and ends with the pair of the last values")
    func combination() {
        let count = Scale.scaled(20_000)
        let listener = Lifetime()
        let left = MutableNode(Stamp(thread: 0, turn: -1))
        let right = MutableNode(Stamp(thread: 1, turn: -1))
        let pair = combine(left, right).mapEach { [$0, $1] }
        let heard = pair.heard(by: listener)
        concurrently(2) { thread in
            let node = thread == 0 ? left : right
            for turn in 0..<count { node.value = Stamp(thread: thread, turn: turn) }
        }
        waitForLate(at: pair)
        let events = heard.events
        #expect(events.joined().allSatisfy { $0.isWhole })
        #expect(events.allSatisfy { $0.map(\.thread) == [0, 1] })
        for (before, after) in zip(events, events.dropFirst()) {
            if after[0].turn < before[0].turn || after[1].turn < before[1].turn {
                Issue.record("went back from \(before) to \(after)")
                break
            }
        }
        #expect(events.last?.map(\.turn) == [count - 1, count - 1])
        #expect(pair.value?.map(\.turn) == [count - 1, count - 1])
    }

    @Test("a combination of nodes set from two threads through chains is up to date in the end")
    func combinationOfChains() {
        let rounds = Scale.scaled(2000)
        for round in 0..<rounds {
            let left = MutableNode(0)
            let right = MutableNode(0)
            let pair = combine(left.map { $0 }.map { $0 }, right.map { $0 }).mapEach { [$0, $1] }
            concurrently(2) { thread in
                let node = thread == 0 ? left : right
                for turn in 1...3 { node.value = turn }
            }
            waitForLate(at: pair)
            guard pair.value == [3, 3] else {
                Issue.record("round \(round) ended with \(pair)")
                return
            }
        }
    }

    @Test("a diamond set from two threads ends with both branches at the last value")
    func diamond() {
        let count = Scale.scaled(5000)
        let listener = Lifetime()
        let node = MutableNode(0)
        let pair = combine(node.map { $0 }, node.map { $0 }.map { $0 }).mapEach { [$0, $1] }
        let heard = pair.heard(by: listener)
        concurrently(2) { thread in
            for turn in 0..<count { node.value = 1 + turn * 2 + thread }
        }
        waitForLate(at: node)
        let last = node.value(or: -1)
        #expect(pair.value == [last, last])
        #expect(heard.last == [last, last])
    }

    @Test("a set by a listener that another thread's listener waits for is delivered by whoever is delivering")
    func crossing() {
        let listener = Lifetime()
        let first = MutableNode<Int>()
        let second = MutableNode<Int>()
        let bothIn = Latch(2)
        // Each listener sets the node that the other thread is delivering.
        first.listened(by: listener).with { value in
            guard value == 1 else { return }
            bothIn.arriveAndWait()
            second.value = 2
        }
        second.listened(by: listener).with { value in
            guard value == 1 else { return }
            bothIn.arriveAndWait()
            first.value = 2
        }
        let heardFirst = first.heard(by: listener)
        let heardSecond = second.heard(by: listener)
        concurrently(2) { thread in (thread == 0 ? first : second).value = 1 }
        #expect(heardFirst.events == [1, 2])
        #expect(heardSecond.events == [1, 2])
    }

    @Test("a listening cut while another thread is in an earlier listener hears nothing")
    func cutMeanwhile() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let entered = Latch()
        let release = Latch()
        node.listened(by: listener).with { _ in
            entered.arrive()
            release.wait()
        }
        let heard = Recorder<Int>()
        let later = node.listened(by: listener).with { heard.record($0) }
        let dying = Locked<AnyObject?>(PlainListener())
        if let object = dying.value { node.listened(by: object).with { heard.record($0) } }
        let called = Locked(0)
        let mapped = node.map { value in
            called.increment()
            return value
        }
        let worker = Worker { node.value = 1 }
        entered.wait()
        later.cancel()
        weak var gone: AnyObject?
        gone = dying.value
        dying.value = nil
        #expect(eventually { gone == nil })
        mapped.removeUpstreamNodes()
        release.arrive()
        worker.join()
        #expect(heard.events == [])
        #expect(called.value == 0)
    }

    @Test("an edge cut by another thread while its closure runs stores nothing any more")
    func cutInsideClosure() {
        let node = MutableNode(0)
        let entered = Latch()
        let release = Latch()
        let mapped = node.map { value in
            if value == 1 {
                entered.arrive()
                release.wait()
            }
            return value
        }
        let worker = Worker { node.value = 1 }
        entered.wait()
        mapped.removeUpstreamNodes()
        let link = mapped.link(to: Node(7))
        release.arrive()
        worker.join()
        waitForLate(at: mapped, node)
        #expect(mapped.value == 7)
        link.cancel()
    }

    @Test("values sent by a transform from four threads all arrive")
    func sendFromThreads() {
        let count = Scale.scaled(10_000)
        let listener = Lifetime()
        let node = Node<Stamp>()
        let sender = LinkTransform<Stamp>()
        node.link(to: MutableNode<Stamp>(), transform: sender)
        let heard = node.heard(by: listener)
        concurrently(4) { thread in
            for turn in 0..<count {
                sender.send(Stamp(thread: thread, turn: turn), from: SenderList(), context: nil)
            }
        }
        waitForLate(at: node)
        #expect(heard.count == 4 * count)
        for thread in 0..<4 where heard.events.filter({ $0.thread == thread }).map(\.turn) != Array(0..<count) {
            Issue.record("what thread \(thread) sent is not all there, or not in order")
        }
        #expect(node.value == heard.last)
    }
}
