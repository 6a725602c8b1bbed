import ReactCore
import ReactScheduling
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// What goes by way of a scheduler arrives, in order, unless its edge was cut first.
    @Suite("Deliver, delay and throttle", .serialized) struct TimeTests {
        struct Timed: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let attach: @Sendable (Node<Int>, VirtualScheduler) -> Node<Int>
            /// Whether each value comes out, or only the last.
            var passesAll = true

            static let all = [
                Timed(testDescription: "deliver") { $0.deliver(on: $1) },
                Timed(testDescription: "delay") { $0.delay(.seconds(1), on: $1) },
                Timed(testDescription: "throttle", attach: { $0.throttle(.seconds(1), on: $1) }, passesAll: false),
            ]
        }
        struct Model: Hashable, Sendable {
            var source = 1
            var seen: [Int]?
            var isCut = false

            mutating func set(_ value: Int) {
                source = value
                if !isCut { seen?.append(value) }
            }
        }

        @Test("the first value arrives, though its work runs before the attaching has ended", arguments: Timed.all)
        func firstValue(_ tested: Timed) throws {
            try explore("a first value: \(tested.testDescription)", Model()) { scene in
                let scheduler = VirtualScheduler()
                let source = scene.node("source", 1)
                let result = Locked<Node<Int>?>(nil)
                scene.thread("attaches") {
                    result.value = tested.attach(source, scheduler)
                }
                scene.thread("runs") {
                    scheduler.advance(by: .seconds(1))
                }
                .then {
                    scheduler.advance(by: .seconds(1))
                }
                scene.sees {
                    scheduler.advance(by: .seconds(3))
                    return result.value?.value
                } model: {
                    Optional($0.source)
                }
            }
        }
        @Test(
            "sets while the scheduler runs arrive all, in order; or, of a throttle, the last does", arguments: Timed.all
        )
        func setsAndWork(_ tested: Timed) throws {
            try explore("sets and scheduled work: \(tested.testDescription)", Model(seen: [1])) { scene in
                let scheduler = VirtualScheduler()
                let source = scene.node("source", 1)
                let result = scene.named("result", tested.attach(source, scheduler))
                let ear = Ear(result)
                scene.thread("sets 2", setting: source, to: 2, 3) { $0.set($1) }
                scene.thread("runs") {
                    scheduler.advance(by: .seconds(1))
                }
                .then {
                    scheduler.advance(by: .seconds(1))
                }
                scene.thread("sets 4", setting: source, to: 4) { $0.set($1) }
                scene.sees {
                    scheduler.advance(by: .seconds(3))
                    return [tested.passesAll ? ear.events : [], [result.value!, source.value!]]
                } model: {
                    [tested.passesAll ? $0.seen! : [], [$0.source, $0.source]]
                }
            }
        }
        @Test("two workers run the scheduled work: all values arrive, in order")
        func twoWorkers() throws {
            try exploreTwoWorkers("two workers", [1, 2, 3]) { source, work, scene in
                let ear = Ear(scene.named("result", source.deliver(on: work)))
                return { ear.events }
            }
        }
        @Test("two workers call a listener with the values, one after the other, in order")
        func twoWorkersAtAListener() throws {
            try exploreTwoWorkers("two workers at a listener", [1, 2, 3]) { source, work, _ in
                let listener = Lifetime(), heard = Recorder<Int>()
                source.listened(by: listener).with(on: work) { [source] in
                    // Reading is a point at which the other worker may go on.
                    _ = source.value
                    heard.record($0)
                }
                return { withExtendedLifetime(listener) { heard.events } }
            }
        }
        /// Has two workers run the work of three values. `attach` returns the values that came.
        private func exploreTwoWorkers(
            _ name: String, _ expected: [Int],
            _ attach: @escaping (MutableNode<Int>, Works, Scene<[Int]>) -> @Sendable () -> [Int]
        ) throws {
            try explore(name, expected) { scene in
                let work = Works(), source = scene.node("source", 1)
                let events = attach(source, work, scene)
                source.value = 2
                source.value = 3
                for name in ["one", "the other"] {
                    scene.thread(name) {
                        work.runFirst()
                    }
                }
                scene.sees {
                    work.runFirst()
                    return events()
                }
            }
        }
        @Test("a cut against waiting values: none arrives after the cut has returned", arguments: Timed.all)
        func cutAndWork(_ tested: Timed) throws {
            try explore("a cut and scheduled work: \(tested.testDescription)", Model(seen: [1])) { scene in
                let scheduler = VirtualScheduler()
                let source = scene.node("source", 1)
                let result = scene.named("result", tested.attach(source, scheduler))
                let edge = result.upstreamTransforms[0]
                let left = Recorder<Int?>()
                scene.thread("sets") {
                    source.value = 2
                }
                scene.thread("runs") {
                    scheduler.advance(by: .seconds(2))
                }
                scene.thread("cuts") {
                    edge.cancel()
                }
                .then {
                    left.record(result.value)
                }
                scene.sees {
                    scheduler.advance(by: .seconds(3))
                    return result.value == left.last!
                } model: { _ in
                    true
                }
            }
        }
        @Test(
            "an edge is pointed at another node while waiting values are due: no value of the old one arrives after that",
            arguments: Timed.all)
        func repointAndWork(_ tested: Timed) throws {
            try explore("a re-pointed from and scheduled work: \(tested.testDescription)", Model()) { scene in
                let scheduler = VirtualScheduler()
                let sources = [1, 10].enumerated().map { scene.node("source \($0)", $1) }
                let result = scene.named("result", tested.attach(sources[0], scheduler))
                let edge = result.upstreamTransforms[0] as! Transform<Int, Int>
                let ear = Ear(result)
                let left = Recorder<(heard: Int, value: Int?)>()
                scene.thread("sets") {
                    sources[0].value = 2
                }
                scene.thread("runs") {
                    scheduler.advance(by: .seconds(2))
                }
                scene.thread("re-points") {
                    edge.from = sources[1]
                }
                .then {
                    // In this order: a value that comes in between has been heard by the time it is counted.
                    let value = result.value
                    left.record((ear.events.count, value))
                }
                scene.sees {
                    scheduler.advance(by: .seconds(3))
                    // What was there by then may be heard later.
                    let later = ear.events.dropFirst(left.last!.heard)
                    return result.value == 10 && later.allSatisfy { $0 == 10 || $0 == left.last!.value }
                } model: { _ in
                    true
                }
            }
        }
    }
}

/// Hands its work to whoever asks.
private final class Works: Scheduler {
    private let waiting = Locked<[@Sendable () -> Void]>([])

    func schedule(_ work: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(work) } }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        schedule(work)
        return BlockCancelable {}
    }
    func runFirst() {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
    }
}
