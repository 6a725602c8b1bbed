import Foundation
import ScheduleExplorer
import TestSupport
import Testing

/// Foundation has a `Point` of its own on Apple's platforms.
private typealias Point = ScheduleExplorer.Point

/// The explorer finds what is wrong in small protocols, and nothing in those that are right.
@Suite("The explorer of schedules", .serialized, .enabled(if: !Scale.isSanitized)) struct ExplorerTests {
    private let effort = Effort(preemptions: 3, exhaustive: 10_000, random: 1_000, seeds: [1])

    private func failure(_ explore: () throws -> Void) -> ScheduleFailure? {
        do { try explore() } catch { return error as? ScheduleFailure }
        return nil
    }
    private func addTwice() throws {
        try explore("two additions", 0, effort: effort) { scene in
            let sum = Shared(0)
            for name in ["left", "right"] {
                scene.thread(name) {
                    sum.value += 1
                } model: {
                    $0 += 1
                }
            }
            scene.sees { sum.last }
        }
    }

    @Test("a lost update is found, with one pre-emption")
    func lostUpdate() throws {
        let found = try #require(failure(addTwice))
        #expect(found.problem == "seen:     1\n  expected: 2")
        #expect(found.shortened?.record.preemptions == 1)
        #expect(found.shortened?.isFewest == true)
    }
    @Test("the sum holds under a lock, in all possible schedules")
    func lockedUpdate() throws {
        let explored = try explore("two additions under a lock", 0, effort: effort) { scene in
            let sum = Shared(0), lock = ToyLock()
            for name in ["left", "right"] {
                scene.thread(name) {
                    lock.withLock { sum.value += 1 }
                } model: {
                    $0 += 1
                }
            }
            scene.sees { sum.last }
        }
        #expect(explored.isExhaustive || explored.exhaustedPreemptions == 3)
    }
    @Test("a deadlock is found, and the message tells which thread waits for which lock")
    func deadlock() throws {
        let found = try #require(
            failure {
                try explore("two locks", 0, effort: effort) { scene in
                    let first = ToyLock(), second = ToyLock()
                    scene.named("the first lock", place: first.place)
                    scene.named("the second lock", place: second.place)
                    scene.thread("up") {
                        first.withLock { second.withLock {} }
                    }
                    scene.thread("down") {
                        second.withLock { first.withLock {} }
                    }
                    scene.sees { withExtendedLifetime((first, second)) { 0 } }
                }
            })
        #expect(
            found.problem == """
                a deadlock: up waits for the second lock, which down has; down waits for the first lock, which up has
                """)
        #expect(found.shortened?.record.preemptions == 1)
    }
    @Test("a missed wake-up is found")
    func missedWakeUp() throws {
        let found = try #require(
            failure {
                try explore("a wake-up", 0, effort: effort) { scene in
                    let isDone = Shared(false), isAsleep = Shared(false), bell = ToyLock()
                    scene.thread("waits") {
                        if !isDone.value {
                            // The bell may ring here, and nobody hears it.
                            Point.reach("falls asleep")
                            isAsleep.value = true
                            while isAsleep.value { Point.wait(for: bell.place) }
                        }
                    }
                    scene.thread("rings") {
                        isDone.value = true
                        isAsleep.value = false
                        Point.reach("the bell rings", .letGo, at: bell.place)
                    }
                    scene.sees { withExtendedLifetime(bell) { 0 } }
                }
            })
        #expect(found.problem.hasPrefix("a deadlock: waits waits for a lock, which none of them has"))
    }
    @Test("a wait for a thread outside of the run is no deadlock, also when all other threads of the run have ended")
    func threadOutside() throws {
        try explore("a wait for a thread outside", true, effort: effort) { scene in
            let isLetGo = Locked(false), place = ToyLock()
            scene.thread("waits") {
                while !isLetGo.value { Point.wait(for: place.place) }
            }
            scene.thread("asks for it") {
                let thread = Thread {
                    usleep(2_000)
                    isLetGo.value = true
                }
                thread.start()
                Point.reach("asks")
            }
            scene.sees { withExtendedLifetime(place) { isLetGo.value } }
        }
    }
    @Test("a loop without end is found, and no fair wait is one")
    func endless() throws {
        func wait(forOther: Bool) throws {
            try explore("a wait", 0, effort: effort) { scene in
                let isDone = Shared(false)
                scene.thread("waits") {
                    var rounds = 0
                    while !isDone.value, rounds < 26_000 {
                        Point.wait()
                        rounds += 1
                    }
                }
                scene.thread("ends that") {
                    if forOther { isDone.value = true }
                }
                scene.sees { 0 }
            }
        }
        #expect(failure { try wait(forOther: false) }?.problem == "no end after 50000 steps")
        try wait(forOther: true)
    }
    @Test("a failure that needs three threads and two pre-emptions is found by chance, and shortened to those two")
    func threeThreads() throws {
        // Someone takes the only item out, and puts it back; who was about to do so believes that nothing has happened.
        let found = try #require(
            failure {
                try explore(
                    "a word that comes back", 0,
                    effort: Effort(preemptions: 0, exhaustive: 0, random: 5_000, seeds: [7])
                ) { scene in
                    let word = Shared(0), changes = Shared(0), wrong = Shared(0)
                    scene.thread("trusts the word") {
                        for _ in 0..<5 { Point.reach("on the way") }
                        let before = word.value, count = changes.last
                        if word.value == before, changes.last != count { wrong.value += 1 }
                    }
                    scene.thread("changes it") {
                        for _ in 0..<5 { Point.reach("on the way") }
                        changes.value += 1
                        word.value += 1
                    }
                    scene.thread("changes it back") {
                        for _ in 0..<5 { Point.reach("on the way") }
                        if word.value == 1 { word.value = 0 }
                    }
                    scene.sees { wrong.last }
                }
            })
        #expect(found.found.hasPrefix("random priorities, seed 7"))
        let shortened = try #require(found.shortened)
        #expect(shortened.record.preemptions == 1)
        #expect(shortened.isFewest)
    }
    @Test("every interleaving of two threads of three pieces each is tried")
    func allInterleavings() throws {
        let seen = Locked<Set<String>>([])
        let explored = try explore(
            "letters", 0, effort: Effort(preemptions: 9, exhaustive: 1_000_000, random: 0, seeds: [])
        ) { scene in
            let letters = Locked("")
            for name in ["a", "b"] {
                scene.thread(name) {
                    letters.withLock { $0 += name }
                    for _ in 0..<2 {
                        Point.reach("between letters")
                        letters.withLock { $0 += name }
                    }
                }
            }
            scene.sees {
                seen.withLock { _ = $0.insert(letters.value) }
                return 0
            }
        }
        #expect(explored.isExhaustive)
        #expect(seen.value.count == 20)
    }
    @Test("a failure's printed schedule replays it: the same steps, twice in a row, on any machine")
    func replay() throws {
        let found = try #require(failure(addTwice)?.shortened?.record)
        #expect(found.line == "two additions: 2>0 0.2>1")
        #expect(
            found.steps == [
                "left                0.1  read",
                "                    0.2  write",
                "right               1.1  read",
                "                    1.2  write",
            ])
    }
    @Test("a line that is no schedule is none")
    func noSchedule() {
        #expect(Schedule("2>0 0.2>1")?.description == "2>0 0.2>1")
        for line in ["", "2", "0.2>1", "2>2", "2>0 0.2", "2>0 x.2>1", "2>0 >1"] {
            #expect(Schedule(line) == nil, "\(line)")
        }
    }
    #if os(macOS) || os(Linux)
    @Test("a crash prints its schedule, and the line that replays it", .enabled(if: Scale.runsTraps))
    func crash() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try explore("a crash", 0, effort: Effort(preemptions: 1, exhaustive: 100, random: 0, seeds: [])) { scene in
                let word = Shared(0)
                scene.thread("writes") {
                    word.value = 1
                    word.value = 2
                }
                scene.thread("reads") { precondition(word.value != 1) }
                scene.sees { 0 }
            }
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("of “a crash”; replay: EASYREACT_REPLAY='a crash: 2>0 0.2>1'"))
    }
    #endif
}
