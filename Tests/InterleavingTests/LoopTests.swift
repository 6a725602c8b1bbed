import ReactCore
import ReactOperators
import ReactScheduling
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// Loops over values, and actors that listen, while others set: nothing is missed, and an end is an end.
    @Suite("Loops and actors", .serialized) struct LoopTests {
        /// A loop that goes on where `run` is called.
        private final class Loop: Sendable {
            private let executor = HandExecutor()
            private let seen = Recorder<Int>(), isOver = Locked(false)
            private let task: Task<Void, Never>

            /// Is left when it has got so many values.
            init(
                _ values: NodeValues<Int>, takes count: Int = .max, _ body: @escaping @Sendable (Int) -> Void = { _ in }
            ) {
                task = Task(executorPreference: executor) { [seen, isOver] in
                    for await value in values {
                        seen.record(value)
                        body(value)
                        if seen.count == count { break }
                    }
                    isOver.value = true
                }
                executor.run()
            }
            deinit {
                task.cancel()
                executor.run()
            }
            func run() { executor.run() }
            /// The runtime holds a lock of its own while it cancels.
            func cancel() { Point.alone { task.cancel() } }
            var events: [Int] { seen.events }
            var hasEnded: Bool { isOver.value }
        }

        @Test("sets against a loop that asks: a line of all has all, and a loop for the newest ends with that")
        func setsAndNext() throws {
            try explore("sets and a loop", [1]) { scene in
                let node = scene.node("node", 1)
                let all = Loop(node.values(buffering: .all)), newest = Loop(node.values)
                scene.thread("sets 2", setting: node, to: 2) { $0.append($1) }
                scene.thread("sets 3", setting: node, to: 3) { $0.append($1) }
                scene.thread("loops") {
                    all.run()
                    newest.run()
                }
                .then {
                    newest.run()
                    all.run()
                }
                scene.sees {
                    all.run()
                    newest.run()
                    let isInOrder = newest.events == all.events.filter(newest.events.contains)
                    return isInOrder && newest.events.last == node.value ? all.events : []
                }
            }
        }
        @Test("a set against cancelling: the loop ends, has seen the values that came first, and releases the node")
        func setAndCancel() throws {
            try explore("a set and a cancelled loop", true) { scene in
                let node = scene.node("node", 1)
                let loop = Loop(node.values(buffering: .all)), other = Loop(node.values)
                scene.thread("sets") {
                    node.value = 2
                }
                scene.thread("cancels") {
                    loop.cancel()
                }
                scene.thread("loops") {
                    loop.run()
                    other.run()
                }
                scene.sees {
                    loop.run()
                    other.run()
                    return loop.hasEnded && node.listenEdges.count == 1 && other.events == [1, 2]
                        && [1, 2].starts(with: loop.events)
                }
            }
        }
        @Test("a set against the end of an iterator with its lifetime: the loop ends, and lets go of the node")
        func setAndEnd() throws {
            try explore("a set and a loop whose lifetime goes", true) { scene in
                let node = scene.node("node", 1)
                let lifetime = Locked<Lifetime?>(Lifetime())
                let loop = Loop(node.values(buffering: .all).ending(with: lifetime.value!))
                scene.thread("sets") {
                    node.value = 2
                }
                scene.thread("lets the lifetime go") {
                    lifetime.value = nil
                }
                scene.thread("loops") {
                    loop.run()
                }
                scene.sees {
                    loop.run()
                    return loop.hasEnded && !node.hasListener && [1, 2].starts(with: loop.events)
                }
            }
        }
        @Test(
            "sets against the end of an iterator whose loop is left: it keeps the values that it took, and releases the node"
        )
        func setsAndLeaving() throws {
            try explore("sets and a loop that is left", true) { scene in
                let node = scene.node("node", 1)
                let loop = Loop(node.values(buffering: .all), takes: 2), other = Loop(node.values)
                scene.thread("sets 2") {
                    node.value = 2
                }
                scene.thread("sets 3") {
                    node.value = 3
                }
                scene.thread("loops") {
                    loop.run()
                    other.run()
                }
                scene.sees {
                    loop.run()
                    other.run()
                    return loop.hasEnded && node.listenEdges.count == 1 && other.events.last == node.value
                        && [[1, 2], [1, 3]].contains(loop.events)
                }
            }
        }
        @Test("a batch against a loop that asks for a value: nodes that the loop reads are up to date")
        func batchAndNext() throws {
            try explore("a batch and a loop", true) { scene in
                let a = scene.node("a", 1), b = scene.node("b", 10)
                let sum = scene.named("sum", a.combine(b).map { $0 + $1 })
                let stale = Locked(0)
                let loop = Loop(a.values) { value in
                    if sum.value! < 11 * value { stale.increment() }
                }
                scene.thread("batches") {
                    batch {
                        a.value = 2
                        b.value = 20
                    }
                }
                scene.thread("loops") {
                    loop.run()
                }
                .then {
                    loop.run()
                }
                scene.sees {
                    loop.run()
                    return stale.value == 0 && loop.events == [1, 2]
                }
            }
        }
        @Test("sets from two threads against an actor that hears: all, in the order in which the node delivered them")
        func setsAndActor() throws {
            try explore("two sets and an actor", [1]) { scene in
                let node = scene.node("node", 1)
                let actor = HandActor(), heard = Recorder<Int>(), lifetime = Lifetime()
                node.listened(by: lifetime).with(on: actor) { _, value in heard.record(value) }
                scene.thread("sets 2", setting: node, to: 2) { $0.append($1) }
                scene.thread("sets 3", setting: node, to: 3) { $0.append($1) }
                scene.thread("is the actor") {
                    actor.executor.run()
                }
                scene.sees {
                    actor.executor.run()
                    return withExtendedLifetime(lifetime) { heard.events }
                }
            }
        }
        @Test(
            "a set against cancelling an actor's listening: the actor has heard the values before, and hears none after that"
        )
        func setAndActorThatHearsNoMore() throws {
            try explore("a set and an actor that hears no more", true) { scene in
                let node = scene.node("node", 1)
                let actor = HandActor(), heard = Recorder<Int>(), lifetime = Lifetime()
                let listening = node.listened(by: lifetime).with(on: actor) { _, value in heard.record(value) }
                scene.thread("sets") {
                    node.value = 2
                }
                scene.thread("cancels") {
                    listening.cancel()
                }
                scene.thread("is the actor") {
                    actor.executor.run()
                }
                scene.sees {
                    let before = heard.events
                    actor.executor.run()
                    return withExtendedLifetime(lifetime) {
                        heard.events == before && [1, 2].starts(with: before) && !node.hasListener
                    }
                }
            }
        }
    }
}
