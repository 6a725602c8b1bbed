import TestSupport
import Testing

@testable import ReactCore

/// The pauses of real sets, which all come out of one budget: see `PauseBudget`.
@Suite("Pauses for other threads", .serialized) struct PausesTests {
    private var left: Int { Engine.current.pauses.left(of: .max) }
    /// The most times that a thread sleeps in a pause of ten milliseconds. A sleep takes 50 microseconds at least. The
    /// rest is for locks of the system that put the thread to sleep meanwhile.
    private static let mostSleeps = Vertex.longestPause / 50 + 100

    @Test("a batch pauses ten milliseconds in all, for three edges that are far behind and a node that is held")
    func oneBudget() {
        let source = MutableNode(0), held = MutableNode(0), ears = (0..<3).map { _ in Ear() }, holder = Lifetime()
        let (areBusy, mayGoOn) = (Latch(4), Latch())
        let workers = ears.map { ear in
            Worker {
                source.listened(by: ear.lifetime).with { [heard = ear.heard] value in
                    heard.record(value)
                    guard value == 0 else { return }
                    areBusy.arrive()
                    mayGoOn.wait()
                }
            }
        }
        held.listened(by: holder).with { value in
            guard value == 1 else { return }
            areBusy.arrive()
            mayGoOn.wait()
        }
        let owner = Worker { held.value = 1 }
        areBusy.wait()

        let count = Vertex.mostWaiting + 10, before = sleepsOfThisThread()
        var budgets = [left], sleeps = 0
        batch {
            // So many values wait then that this thread waits ten milliseconds for the turn, if it may.
            for value in 2...10_000 { held.value = value }
            for value in 1...count {
                source.value = value
                budgets.append(left)
            }
            sleeps = sleepsOfThisThread() - before
        }
        #expect(budgets.first == 10_000 && budgets.last == 0)
        #expect(budgets == budgets.sorted(by: >))
        // A sanitizer's own locks put threads to sleep, too.
        #expect(Scale.isSanitized || sleeps <= PausesTests.mostSleeps)
        #expect(Scale.isSanitized || sleepsOfThisThread() - before - sleeps < 20)
        #expect(left == 10_000)

        mayGoOn.arrive()
        for worker in workers + [owner] { worker.join() }
        for ear in ears { #expect(ear.heard.events == Array(0...count)) }
        #expect(held.value == 10_000)
    }
    private final class Ear: Sendable {
        let lifetime = Lifetime()
        let heard = Recorder<Int>()
    }

    @Test("the wait for a turn is taken off the budget, and takes no longer than that allows")
    func waitForTurn() {
        let node = MutableNode(0), waiter = TurnWaiter(.waits), engine = Engine.current
        engine.pauses = PauseBudget()
        defer { engine.pauses = PauseBudget() }
        engine.sleep(as: waiter, of: node.vertex, atMost: 1_000)
        let isTaken = left <= 9_000
        #expect(isTaken)
        engine.sleep(as: waiter, of: node.vertex, atMost: .max)
        #expect(left == 0)
        let before = sleepsOfThisThread()
        for _ in 0..<100 { engine.sleep(as: waiter, of: node.vertex, atMost: 10_000) }
        #expect(Scale.isSanitized || sleepsOfThisThread() - before < 20)
    }

    // On Linux, tests on the main actor run on other threads than the main one, so this thread's engine stands in for it.
    @Test("a set on the main thread never pauses: it queues its value, and returns")
    func mainThread() {
        Engine.current.belong(toMainThread: true)
        defer { Engine.current.belong(toMainThread: false) }
        let node = MutableNode(0), lifetime = Lifetime(), heard = Recorder<Int>()
        let isBusy = Latch(), mayGoOn = Latch()
        node.listened(by: lifetime).with { value in
            heard.record(value)
            guard value == 1 else { return }
            isBusy.arrive()
            mayGoOn.wait()
        }
        let owner = Worker { node.value = 1 }
        isBusy.wait()
        let before = sleepsOfThisThread()
        // A thread that may pause would wait for the turn after each set, because more than 256 values wait.
        for value in 2...2_000 { node.value = value }
        #expect(Scale.isSanitized || sleepsOfThisThread() - before < 20)
        #expect(node.value == 1)
        mayGoOn.arrive()
        owner.join()
        #expect(heard.events == Array(0...2_000))
    }
    @Test("another thread than the main one is known as such, and has ten milliseconds")
    func otherThread() {
        Worker {
            let engine = Engine.current
            #expect(!isMainThread() && !engine.isOfMainThread && engine.pauses == PauseBudget())
        }.join()
    }
}
