import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@Suite("Timeout")
struct TimeoutTests {
    let scheduler = VirtualScheduler(), source = MutableNode<Int>()
    private let failure = Result<Int, TimeoutError>.failure(TimeoutError(interval: .seconds(2)))

    private func check(_ scheduler: some Scheduler, _ advance: (Duration) -> Void) {
        let heard = Heard(source.timeout(.seconds(2), on: scheduler))
        advance(.milliseconds(1_999))
        #expect(heard.values == [])
        advance(.milliseconds(1))
        #expect(heard.values == [failure])
        advance(.seconds(10))
        #expect(heard.values == [failure], "one silence is one failure")
        source.value = 1
        advance(.seconds(1))
        source.value = 2
        advance(.milliseconds(1_999))
        #expect(heard.values == [failure, .success(1), .success(2)])
        advance(.milliseconds(1))
        #expect(heard.values == [failure, .success(1), .success(2), failure])
        source.value = 3
        #expect(heard.last == .success(3))
    }

    @Test("a timeout fails when no value has come for the interval, from the start too, once for each silence")
    func clock() {
        check(scheduler) { scheduler.advance(by: $0) }
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a timeout keeps its interval with a scheduler that has no clock to read")
    func noClock() {
        check(PlainScheduler(base: scheduler)) { scheduler.advance(by: $0) }
        #expect(scheduler.pendingCount == 0)
    }

    @Test("with a clock to read, a burst of values needs one timer")
    func oneTimer() {
        let counting = CountingScheduler(scheduler)
        let node = source.timeout(.seconds(2), on: counting)
        for value in 0..<1_000 { source.value = value }
        #expect(counting.timersMade == 1)
        withExtendedLifetime(node) {}
    }

    @Test("its timer goes with the node, and with the transform that is cut; another source begins the interval anew")
    func lifetime() throws {
        do {
            let node = source.timeout(.seconds(2), on: scheduler)
            #expect(scheduler.pendingCount == 1)
            withExtendedLifetime(node) {}
        }
        #expect(scheduler.pendingCount == 0)
        let node = source.timeout(.seconds(2), on: scheduler), heard = Heard(node)
        let transform = try #require(node.upstreamTransforms.first as? Transform<Int, Result<Int, TimeoutError>>)
        scheduler.advance(by: .seconds(1))
        transform.from = MutableNode<Int>()
        scheduler.advance(by: .milliseconds(1_999))
        #expect(heard.values == [])
        scheduler.advance(by: .milliseconds(1))
        #expect(heard.values == [failure])
        transform.from = MutableNode(5)
        #expect(heard.values == [failure, .success(5)])
        transform.from = nil
        #expect(scheduler.pendingCount == 0)
        scheduler.run()
        #expect(heard.values == [failure, .success(5)])
    }

    @Test("a timeout that is made while its graph is busy begins its interval when it is linked")
    func madeWhileBusy() {
        let other = MutableNode(0), both = merge(source, other), busy = BusyGraph(of: other, setting: 1)
        let watched = source.timeout(.seconds(2), on: scheduler)
        busy.end()
        scheduler.advance(by: .milliseconds(1_999))
        #expect(watched.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(watched.value == failure)
        withExtendedLifetime(both) {}
    }

    @Test("the context and the sender list of a value travel along, and emptying is no value")
    func context() {
        let lifetime = Lifetime(), heard = Log<String>()
        source.timeout(.seconds(2), on: scheduler).listened(by: lifetime).withContext { result, context in
            heard.add("\((try? result.get()) ?? -1) \(context as? String ?? "-")")
        }
        source.setValue(1, context: "why")
        scheduler.advance(by: .seconds(1))
        source.clean()
        scheduler.run()
        #expect(heard.entries == ["1 why", "-1 -"])
        #expect(scheduler.now == .seconds(2))
    }
}
