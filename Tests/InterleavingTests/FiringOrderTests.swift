import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// Joins that wait: for a withLatest upstream, for a value that they miss, for the end of a pulse. And values of a
    /// followed node, which arrive once.
    @Suite("Joins that wait, and values that arrive once", .serialized) struct FiringOrderTests {
        /// Inputs, and the tuples that a combination has shown, if it misses none.
        struct Inputs: Hashable, Sendable {
            var now: [Int?]
            var shown: [[Int]] = []

            init(_ now: [Int?]) {
                self.now = now
                settle()
            }
            mutating func settle() {
                let full = now.compactMap(\.self)
                if full.count == now.count, shown.last != full { shown.append(full) }
            }
        }

        @Test("a combination below a withLatest shows no half of a batch while another thread sets a third input")
        func belowLate() throws {
            try explore("a batch above a withLatest and a combination below it", Inputs([0, 0, 0])) { scene in
                let inputs = (0..<3).map { scene.node("input \($0)", 0) }
                let late = scene.named("late", inputs[0].withLatest(from: inputs[2])).map { $0.0 }
                let ear = Ear(scene.named("all", combine(late, inputs[1], inputs[2])).mapEach { [$0, $1, $2] })
                scene.thread(
                    "batch",
                    {
                        batch {
                            inputs[1].value = 1
                            inputs[0].value = 1
                        }
                    }, parts: [{ $0.now[1] = 1 }, { $0.now[0] = 1 }])
                scene.thread("sets", setting: inputs[2], to: 7) { $0.now[2] = $1 }
                scene.settles { $0.settle() }
                scene.sees {
                    ear.events
                } model: {
                    $0.shown
                }
            }
        }
        @Test(
            "a combination that begins to be below a withLatest, on another thread, comes to rest with the newest values"
        )
        func linkedBelowLate() throws {
            try explore("a withLatest, and a link below it meanwhile", [0, 0]) { scene in
                let tap = scene.node("tap", 0), text = scene.node("text", 0), relay = scene.node("relay", 0)
                let late = scene.named("late", tap.withLatest(from: text)).map { $0.0 }
                let sum = scene.named("sum", combine(relay, tap)).mapEach { [$0, $1] }
                scene.thread("sets") {
                    tap.value = 1
                }
                scene.thread("links") { relay.link(to: late) }
                scene.sees {
                    sum.value
                } model: { _ in
                    [1, 1]
                }
            }
        }
        @Test("a combination that misses a value, which a settled node brings, shows no half of the batch")
        func incomplete() throws {
            try explore("a batch above a settled node that was empty", Inputs([0, nil, 0])) { scene in
                let inputs = [scene.node("input 0", 0), scene.node("input 1", of: Int.self), scene.node("input 2", 0)]
                let settled = scene.named("settled", inputs[1].settled())
                let ear = Ear(scene.named("all", combine(inputs[0], settled, inputs[2])).mapEach { [$0, $1, $2] })
                scene.thread(
                    "batch",
                    {
                        batch {
                            inputs[0].value = 1
                            inputs[1].value = 1
                        }
                    }, parts: [{ $0.now[0] = 1 }, { $0.now[1] = 1 }])
                scene.thread("sets", setting: inputs[2], to: 7) { $0.now[2] = $1 }
                scene.settles { $0.settle() }
                scene.sees {
                    ear.events
                } model: {
                    $0.shown
                }
            }
        }
        @Test("a combination that one thread has reached, and that another completes, ends with the newest values")
        func completedByAnother() throws {
            try explore("two threads that complete a combination", Inputs([0, nil])) { scene in
                let inputs = [scene.node("input 0", 0), scene.node("input 1", of: Int.self)]
                let other = scene.node("other", 0)
                let both = scene.named("both", combine(inputs[0], inputs[1])).mapEach { [$0, $1] }
                let settled = Ear(scene.named("settled", other.settled()))
                scene.thread("batch") {
                    batch {
                        inputs[0].value = 1
                        other.value = 1
                    }
                } model: {
                    $0.now[0] = 1
                }
                scene.thread("completes", setting: inputs[1], to: 2) { $0.now[1] = $1 }
                scene.sees {
                    both.value! + settled.events
                } model: {
                    $0.now.map { $0! } + [0, 1]
                }
            }
        }
        /// A source that follows itself, or a node that is derived from it.
        private func exploreFollowing(
            _ name: String, _ follow: @escaping @Sendable (Node<Int>) -> Node<Int>
        ) throws {
            try explore(name, [0]) { scene in
                let source = scene.node("source", 0)
                let ear = Ear(scene.named("result", follow(source)))
                for value in 1...2 {
                    scene.thread("sets \(value)", setting: source, to: value) { $0.append($1) }
                }
                scene.sees { ear.events }
            }
        }
        @Test("a source that follows itself by flattenMap hears the values of two threads once each")
        func itself() throws {
            try exploreFollowing("flattenMap of itself") { source in source.flattenMap { _ in source } }
        }
        @Test("a source that follows a map of itself hears the values of two threads once each")
        func mapOfItself() throws {
            try exploreFollowing("flattenMap of a map of itself") { source in
                let same = source.map { $0 }
                return source.flattenMap { _ in same }
            }
        }
        @Test("a source that merges itself hears the values of two threads once each")
        func mergesItself() throws {
            try exploreFollowing("flatMapMerging of itself") { source in source.flatMapMerging { _ in source } }
        }
        @Test("a source that follows itself hears each value once while another thread has the turn of the result")
        func busyResult() throws {
            struct Model: Hashable, Sendable {
                var all: [Int] = [0]
            }
            try explore("flattenMap of itself into a busy node", Model()) { scene in
                let source = scene.node("source", 0)
                let result = scene.named("result", source.flattenMap { _ in source })
                let merged = scene.named("merged", MutableNode<Int>())
                merged.link(to: result)
                let ear = Ear(merged)
                scene.sets("sets", source, 1...2) { $0.all.append($1) }
                scene.thread("sets the result's follower", setting: merged, to: 10) { $0.all.append($1) }
                scene.sees {
                    ear.events
                } model: {
                    $0.all
                }
            }
        }
        @Test("a pulse leaves a combination with the value that its input has again, whichever thread fires")
        func pulses() throws {
            try explore("a pulse, and a set of the other input", [1, 10]) { scene in
                let tap = scene.node("tap", of: Int.self), base = scene.node("base", 1),
                    factor = scene.node("factor", 10)
                let product = scene.named("product", combine(merge(tap, base), factor)).mapEach { $0 * $1 }
                let seen = Ear(product)
                scene.thread("pulses") { tap.pulse(5) }
                scene.thread("sets") { factor.value = 20 }
                scene.sees {
                    let heard = seen.events
                    factor.value = 30
                    return [heard.filter { $0 == 50 || $0 == 100 }.count, product.value!]
                } model: { _ in
                    [1, 30]
                }
            }
        }
    }
}
