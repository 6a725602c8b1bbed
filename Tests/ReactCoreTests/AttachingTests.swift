import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Attaching in mid-delivery") struct AttachingTests {
    @Test("a listener hears the present value at once, then every later one, once and in order")
    func outside() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let heard = node.heard(by: listener)
        #expect(heard.events == [1])
        for value in 2...5 { node.value = value }
        #expect(heard.events == [1, 2, 3, 4, 5])
    }

    @Test("a listener attached by a listener hears the value under way at once, and once")
    func listener() {
        let (listener, late) = (Lifetime(), Lifetime())
        let node = MutableNode<Int>()
        let log = Recorder<String>()
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            node.listened(by: late).with { log.record("new\($0)") }
            log.record("attached")
        }
        node.log("b", to: log, by: listener)
        node.value = 1
        node.value = 2
        #expect(log.events == ["new1", "attached", "b1", "b2", "new2"])
    }

    @Test("a listener attached while sets wait hears the present value, then those that wait")
    func whileQueued() {
        let (listener, late) = (Lifetime(), Lifetime())
        let node = MutableNode<Int>()
        let heard = Recorder<Int>()
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            node.value = 2
            node.value = 3
            node.listened(by: late).with { heard.record($0) }
        }
        node.value = 1
        #expect(heard.events == [1, 2, 3])
    }

    @Test("an operator called by a listener takes the value under way at once, and once")
    func operators() throws {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let calls = Recorder<Int>()
        let made = Locked<Node<Int>?>(nil)
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            let mapped = node.map { value in
                calls.record(value)
                return value * 10
            }
            if mapped.value != 10 { Issue.record("empty after the operator returned") }
            made.value = mapped
        }
        node.value = 1
        #expect(calls.events == [1])
        node.value = 2
        #expect(calls.events == [1, 2])
        #expect(try #require(made.value).value == 20)
    }

    @Test("a link made by a listener takes the value under way at once, and once")
    func links() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let target = Node<Int>()
        let heard = target.heard(by: listener)
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            target.link(to: node)
            heard.record(0)
        }
        node.value = 1
        node.value = 2
        #expect(heard.events == [1, 0, 2])
    }

    @Test("a listener that sets its node again and again in its first call waits for nobody, and then hears it all")
    func setsInTheFirstCall() {
        let listener = Lifetime()
        let node = MutableNode(0)
        let heard = Recorder<Int>()
        let count = 20_000
        let before = sleepsOfThisThread()
        node.listened(by: listener).with { value in
            heard.record(value)
            if value == 0 { for next in 1...count { node.value = next } }
        }
        // A sanitizer's own locks put threads to sleep, too.
        #expect(Scale.isSanitized || sleepsOfThisThread() - before < count / 2)
        #expect(heard.events == Array(0...count))
    }

    @Test("a transform attached by a listener takes the value under way at once, and once")
    func transforms() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let target = Node<Int>()
        let probe = Probe<Int>("p")
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            probe.to = target
            probe.from = node
        }
        node.value = 1
        #expect(probe.log.events.filter { $0 != "p.reset" } == ["p.next(1)"])
        node.value = 2
        #expect(probe.log.events.last == "p.next(2)")
        #expect(target.value == 2)
    }

    @Test("a combination built by a listener over the delivering node holds a value, and then follows")
    func combination() throws {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let other = MutableNode(10)
        let made = Locked<Node<Int>?>(nil)
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            made.value = combine(node, other).mapEach { $0 + $1 }
        }
        node.value = 1
        let sum = try #require(made.value)
        #expect(sum.value == 11)
        node.value = 2
        #expect(sum.value == 12)
        other.value = 20
        #expect(sum.value == 22)
    }

    @Test("a listener attached downstream of the delivering node hears each value once")
    func downstream() {
        let (listener, late) = (Lifetime(), Lifetime())
        let node = MutableNode<Int>()
        let end = node.map { $0 * 10 }
        let heard = Recorder<Int>()
        node.listened(by: listener).with { value in
            if value == 2 { end.listened(by: late).with { heard.record($0) } }
        }
        node.value = 1
        node.value = 2
        node.value = 3
        // At 2, the node below still holds what it took from 1.
        #expect(heard.events == [10, 20, 30])
    }

    @Test("a listener that hears nothing on attaching, because the node is empty, hears the first value")
    func emptyNode() {
        let listener = Lifetime()
        let node = MutableNode<Int>()
        let heard = node.heard(by: listener)
        node.value = 1
        node.clean()
        let late = node.heard(by: listener)
        node.value = 2
        #expect(heard.events == [1, 2])
        #expect(late.events == [2])
    }
}

/// How often this thread has given up the processor of its own accord, where the system tells.
func sleepsOfThisThread() -> Int {
    #if canImport(Glibc)
    var usage = rusage()
    getrusage(__rusage_who_t(1), &usage)  // RUSAGE_THREAD, which is a GNU extension
    return usage.ru_nvcsw
    #else
    return 0
    #endif
}
