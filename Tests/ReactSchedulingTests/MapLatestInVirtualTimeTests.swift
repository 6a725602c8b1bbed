import ReactCore
import ReactScheduling
import Testing

@Suite("mapLatest in virtual time")
struct MapLatestInVirtualTimeTests {
    let scheduler = VirtualScheduler()
    let log = Log<String>()

    @Test("work that prefers the virtual scheduler is done while that is moved")
    func virtualTime() {
        let source = MutableNode("a"), lifetime = Lifetime()
        let phases = source.mapLatest(executorPreference: scheduler) { [scheduler] text in
            try await Task.sleep(for: .seconds(2), clock: scheduler.clock)
            return text.uppercased()
        }
        phases.listened(by: lifetime).with { [log, scheduler] phase in
            switch phase {
            case .running(let last): log.add("\(scheduler.now) running \(last ?? "-")")
            case .finished(let output): log.add("\(scheduler.now) \(output)")
            case .failed: log.add("\(scheduler.now) failed")
            }
        }
        scheduler.advance(by: .seconds(1))
        source.value = "b"
        scheduler.advance(by: .seconds(2))
        source.value = "c"
        scheduler.run()
        #expect(
            log.entries == [
                "0.0 seconds running -", "1.0 seconds running -", "3.0 seconds B", "3.0 seconds running B",
                "5.0 seconds C",
            ])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("work whose result goes wakes from its sleep, and leaves nothing")
    func released() {
        let source = MutableNode("a")
        do {
            let phases = source.mapLatest(executorPreference: scheduler) { [scheduler, log] text in
                do { try await scheduler.clock.sleep(for: .seconds(2)) } catch {
                    log.add("cancelled at \(scheduler.now)")
                    throw error
                }
                return text
            }
            scheduler.advance(by: .seconds(1))
            withExtendedLifetime(phases) {}
        }
        scheduler.advance()
        #expect(log.entries == ["cancelled at 1.0 seconds"])
        #expect(scheduler.pendingCount == 0)
    }

    @Test(
        "work whose result goes while the transform is held, or is led to no more, leaves nothing",
        arguments: [false, true])
    func noTarget(byRelease: Bool) throws {
        let source = MutableNode(1)
        var phases: Node<TaskPhase<Int>>? = source.mapLatest(executorPreference: scheduler) { [scheduler] value in
            try await scheduler.clock.sleep(for: .seconds(2))
            return value
        }
        let transform = try #require(phases?.upstreamTransforms.first as? Transform<Int, TaskPhase<Int>>)
        scheduler.advance(by: .seconds(1))
        if byRelease { phases = nil } else { transform.to = nil }
        scheduler.advance()
        #expect(scheduler.pendingCount == 0)
        withExtendedLifetime(transform) {}
    }

    @Test("given another `to`, it does the work anew, and forgets the last output")
    func target() throws {
        let source = MutableNode(1), other = Node<TaskPhase<Int>>()
        let phases = source.mapLatest(executorPreference: scheduler) { [scheduler] value in
            try await scheduler.clock.sleep(for: .seconds(2))
            return value * 10
        }
        let transform = try #require(phases.upstreamTransforms.first as? Transform<Int, TaskPhase<Int>>)
        scheduler.advance(by: .seconds(2))
        transform.to = other
        #expect(other.value?.text == "running -")
        scheduler.advance(by: .seconds(2))
        #expect(other.value?.text == "finished 10")
        #expect(scheduler.pendingCount == 0)
    }

    #if SCHEDULE_FAULTS
    @Test("of two threads that point it elsewhere, the one that is held up, wherever, leaves the other's work alone")
    func pointedByTwo() throws {
        var place = 0
        var isHeldUp = true
        while isHeldUp {
            place += 1
            let second = MutableNode(2), third = MutableNode(3)
            let phases = MutableNode(1).mapLatest(executorPreference: scheduler) { [scheduler] value in
                try await scheduler.clock.sleep(for: .seconds(2))
                return value
            }
            let transform = try #require(phases.upstreamTransforms.first as? Transform<Int, TaskPhase<Int>>)
            scheduler.advance()
            isHeldUp = HeldUpThread.run({ transform.from = second }, heldUpAt: place) { transform.from = third }
            scheduler.advance(by: .seconds(2))
            #expect(phases.value?.output == transform.from?.value, "held up at place \(place)")
            #expect(scheduler.pendingCount == 0)
        }
        #expect(place > 5)
    }
    #endif
}
