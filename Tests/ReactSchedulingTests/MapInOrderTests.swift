import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@Suite("mapFirst and mapInOrder")
struct MapInOrderTests {
    struct Odd: Error, Equatable {}
    let scheduler = VirtualScheduler(), source = MutableNode<Int>()

    /// Takes as many seconds as the value says; 0 does not suspend.
    private func work(_ value: Int) async throws -> Int {
        if value > 0 { try await Task.sleep(for: .seconds(value), clock: scheduler.clock) }
        if value == 13 { throw Odd() }
        return value * 10
    }
    private func inOrder(atOnce: Int = 1) -> Heard<TaskPhase<Int>> {
        Heard(source.mapInOrder(maxConcurrent: atOnce, executorPreference: scheduler) { try await self.work($0) })
    }
    private func first() -> Heard<TaskPhase<Int>> {
        Heard(source.mapFirst(executorPreference: scheduler) { try await self.work($0) })
    }

    @Test("values that come during the work are dropped, and the next after it is taken")
    func mapFirst() {
        let phases = first()
        source.value = 3
        source.value = 1
        scheduler.advance(by: .seconds(2))
        source.value = 2
        scheduler.run()
        source.value = 1
        scheduler.run()
        #expect(
            phases.values == [.running(last: nil), .finished(30), .running(last: 30), .finished(10)])
    }

    @Test("a listener of the result may set the next value, which is taken")
    func mapFirstAgain() {
        let results = source.mapFirst(executorPreference: scheduler) { try await self.work($0) }.successes()
        let lifetime = Lifetime(), heard = Heard(results)
        results.listened(by: lifetime).with { [source] in if $0 < 30 { source.value = $0 / 10 + 1 } }
        source.value = 1
        scheduler.run()
        #expect(heard.values == [10, 20, 30])
    }

    @Test("values that come during the work wait, and none is dropped")
    func mapInOrder() {
        let phases = inOrder()
        for value in [2, 1, 0, 3] { source.value = value }
        #expect(phases.values == [.running(last: nil)])
        scheduler.advance(by: .seconds(2))
        #expect(phases.values == [.running(last: nil), .finished(20), .running(last: 20)])
        scheduler.run()
        #expect(
            Array(phases.values.dropFirst(3)) == [.finished(10), .finished(0), .running(last: 0), .finished(30)])
        #expect(scheduler.now == .seconds(6))
    }

    @Test("three at a time are under way, and results come in the order of the values")
    func atOnce() {
        let phases = inOrder(atOnce: 3)
        for value in [3, 1, 2, 1] { source.value = value }
        scheduler.advance(by: .seconds(2))
        #expect(phases.values == [.running(last: nil)])
        scheduler.advance(by: .seconds(1))
        // The fourth began when the second had ended, and has ended by now.
        #expect(phases.values == [.running(last: nil), .finished(30), .finished(10), .finished(20), .finished(10)])
        #expect(scheduler.pendingCount == 0)
    }

    @TaskLocal private static var request = "none"

    @Test("work that has waited has its own setter's priority, and no task-local values of the work before")
    func inherits() async {
        let seen = Recorder<String>(), isSet = Latch()
        let phases = source.mapInOrder(executorPreference: scheduler) { [scheduler] value in
            seen.record("\(value) \(Self.request) \(Task.currentPriority == .background)")
            try await Task.sleep(for: .seconds(1), clock: scheduler.clock)
        }
        Self.$request.withValue("first") { source.value = 1 }
        Task.detached(priority: .background) { [source] in
            Self.$request.withValue("second") { source.value = 2 }
            isSet.arrive()
        }
        #expect(await eventuallyAsync { isSet.isOpen })
        scheduler.run()
        #expect(seen.events == ["1 first false", "2 none true"])
        withExtendedLifetime(phases) {}
    }

    @Test("never more than so many are under way", arguments: 1...4)
    func limit(atOnce: Int) {
        let underWay = Locked((now: 0, most: 0))
        let results = Heard(
            source.mapInOrder(maxConcurrent: atOnce, executorPreference: scheduler) { [scheduler] value in
                underWay.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                try await Task.sleep(for: .seconds(value), clock: scheduler.clock)
                underWay.withLock { $0.now -= 1 }
                return value
            }.successes())
        let values = [3, 1, 2, 2, 1, 3, 1, 1, 2]
        for value in values { source.value = value }
        scheduler.run()
        #expect(results.values == values)
        #expect(underWay.value == (0, atOnce))
    }

    @Test("a failure is a phase in its place, and ends nothing")
    func failure() {
        let phases = inOrder(atOnce: 2)
        for value in [1, 13, 2] { source.value = value }
        scheduler.run()
        #expect(
            phases.values == [
                .running(last: nil), .finished(10), .running(last: 10), .failed(Odd(), last: 10), .finished(20),
            ])
    }

    @Test("work that ends without suspending passes no running, and a hundred thousand in line need no stack")
    func withoutSuspending() {
        let phases = inOrder(), count = Scale.heavy(100_000)
        source.value = 0
        #expect(phases.values == [.finished(0)])
        source.value = 1
        for _ in 0..<count { source.value = 0 }
        scheduler.run()
        #expect(phases.values.count == count + 3)
        #expect(phases.values.dropFirst(3).allSatisfy { $0 == .finished(0) })
    }

    @Test("when the result goes, the tasks are cancelled, and the values that wait are dropped", arguments: [1, 2])
    func released(atOnce: Int) {
        let ends = Locked<[Int]>([])
        do {
            let phases = source.mapInOrder(maxConcurrent: atOnce, executorPreference: scheduler) { [scheduler] value in
                do { try await scheduler.clock.sleep(for: .seconds(value)) } catch {
                    ends.withLock { $0.append(value) }
                    throw error
                }
                return value
            }
            for value in 1...4 { source.value = value }
            withExtendedLifetime(phases) {}
        }
        scheduler.advance()
        #expect(ends.value.sorted() == Array(1...atOnce))
        #expect(scheduler.pendingCount == 0)
        #expect(!source.hasDownstreamNode)
    }

    @Test("given another `from`, it begins anew, and forgets the last output")
    func from() throws {
        source.value = 5
        let node = source.mapInOrder(executorPreference: scheduler) { try await self.work($0) }
        let phases = Heard(node), other = MutableNode(2)
        source.value = 1
        scheduler.advance(by: .seconds(5))
        let transform = try #require(node.upstreamTransforms.first as? Transform<Int, TaskPhase<Int>>)
        transform.from = other
        scheduler.run()
        #expect(
            phases.values == [
                .running(last: nil), .finished(50), .running(last: 50), .running(last: nil), .finished(20),
            ])
        #expect(scheduler.now == .seconds(7))
    }

    @Test("context and sender list are those of the value that the work is for")
    func contextAndSenders() {
        source.named("source")
        let lifetime = Lifetime(), heard = Log<String>()
        source.mapInOrder(executorPreference: scheduler) { try await self.work($0) }
            .listened(by: lifetime).withSenderListAndContext { phase, senders, context in
                heard.add(
                    "\(phase.text) \(context as? String ?? "-") \(senders.senders.contains { $0.name == "source" })")
            }
        source.setValue(1, context: "one")
        source.setValue(2, context: "two")
        scheduler.run()
        #expect(
            heard.entries == [
                "running - one true", "finished 10 one true", "running 10 two true", "finished 20 two true",
            ])
    }

    @Test(
        "a set that comes while others still hear of the work before shows its work after that",
        arguments: [true, false])
    func nextWhileTheEndIsTold(drops: Bool) {
        let told = Gate(2), seen = Gate(2), lifetime = Lifetime()
        let phases =
            drops
            ? source.mapFirst(executorPreference: scheduler) { try await self.work($0) }
            : source.mapInOrder(executorPreference: scheduler) { try await self.work($0) }
        // The combination fires when the node of the phases has been served.
        combine(phases, MutableNode(0)).listened(by: lifetime).with {
            guard $0.0.finished == 10 else { return }
            told.pass()
            seen.pass()
        }
        source.value = 1
        let worker = Worker { [scheduler] in scheduler.advance(by: .seconds(1)) }
        told.pass()
        // The listener keeps the graph busy, so this set is late.
        source.value = 2
        #expect(phases.current == .finished(10) && source.value == 2)
        seen.pass()
        worker.join()
        waitForLate(at: source)
        #expect(phases.current == .running(last: 10))
        scheduler.run()
        #expect(phases.current == .finished(20))
    }

    @Test("on real threads, every value has its result, in order, however long the work takes", arguments: [1, 3])
    func realThreads(atOnce: Int) async throws {
        let count = Scale.heavy(2_000)
        let node = source.mapInOrder(maxConcurrent: atOnce) { value in
            for _ in 0..<(value % 3) { await Task.yield() }
            return value
        }
        let heard = Heard(node.successes())
        Worker { for value in 1...count { source.value = value } }.join()
        _ = try await node.whenUpToDate()
        #expect(heard.values == Array(1...count))
    }

    @Test(
        "a node that is dropped while its work is suspended on a virtual scheduler leaves neither scheduler nor task",
        arguments: ["mapLatest", "mapFirst", "mapInOrder"])
    func droppedWhileSuspended(name: String) async {
        let ends = Counter()
        weak var left: VirtualScheduler?
        do {
            let scheduler = VirtualScheduler(), source = MutableNode(1)
            left = scheduler
            let work: @Sendable (Int) async throws -> Int = { value in
                for await _ in AsyncStream<Int>.makeStream().stream {}
                ends.increment()
                return value
            }
            let node =
                switch name {
                case "mapLatest": source.mapLatest(executorPreference: scheduler, work)
                case "mapFirst": source.mapFirst(executorPreference: scheduler, work)
                default: source.mapInOrder(executorPreference: scheduler, work)
                }
            #expect(node.value == .running(last: nil))
        }
        #expect(await eventuallyAsync { ends.value == 1 && left == nil })
    }

    @Test("the values and the results of a redacted node are not shown", arguments: ["mapFirst", "mapInOrder"])
    func redacted(name: String) {
        let password = MutableNode("").named("password").redacted()
        let node = name == "mapFirst" ? password.mapFirst { $0 } : password.mapInOrder { $0 }
        password.value = "hunter2"
        #expect(node.value == .finished("hunter2"))
        #expect(!node.description.contains("hunter2"))
    }
}
