import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// A whole and its parts agree at rest, and hold what a sequence of the sets would have left.
    @Suite("Focus", .serialized) struct FocusTests {
        struct Pair: Sendable {
            var first = 0, second = 0
            var values: [Int] { [first, second] }
        }

        private func setWhole(to pair: Pair, _ whole: MutableNode<Pair>, in scene: Scene<[Int]>) {
            scene.thread("sets the whole") {
                whole.value = pair
            } model: {
                $0 = pair.values
            }
        }

        @Test("a part and its whole are set by two threads: they agree, and no value of the part is heard again")
        func partAndWhole() throws {
            try explore("a part and its whole", [0, 0]) { scene in
                let whole = scene.node("whole", Pair())
                let first = scene.named("first", whole.focus(\.first))
                let ear = Ear(first)
                scene.thread("sets the part", setting: first, to: 1, 3) { $0[0] = $1 }
                setWhole(to: Pair(first: 2, second: 2), whole, in: scene)
                scene.sees {
                    let agrees = whole.value!.first == first.value! && Set(ear.events).count == ear.events.count
                    return agrees ? whole.value!.values : []
                }
            }
        }
        @Test("a part is set while another thread changes another part of the whole: both are kept")
        func partAndOtherPart() throws {
            try explore("a part, and another part by the whole", [0, 0]) { scene in
                let whole = scene.node("whole", Pair())
                let first = scene.named("first", whole.focus(\.first))
                scene.thread("sets the part", setting: first, to: 1) { $0[0] = $1 }
                scene.thread("updates the whole") {
                    whole.update { $0.second = 2 }
                } model: {
                    $0[1] = 2
                }
                scene.sees { whole.value!.first == first.value! ? whole.value!.values : [] }
            }
        }
        @Test("two parts are set by two threads: both are kept")
        func twoParts() throws {
            try explore("two parts of one whole", [0, 0]) { scene in
                let whole = scene.node("whole", Pair())
                let parts = [
                    scene.named("first", whole.focus(\.first)), scene.named("second", whole.focus(\.second)),
                ]
                for index in 0...1 {
                    scene.thread("sets \(index)", setting: parts[index], to: 1) { $0[index] = $1 }
                }
                scene.sees { whole.value!.values }
            }
        }
        @Test("a node that is synced with a part is set while another thread sets the whole: all three agree")
        func syncedPart() throws {
            try explore("a part synced with a third node", [0, 0]) { scene in
                let whole = scene.node("whole", Pair())
                let first = scene.named("first", whole.focus(\.first))
                let field = scene.node("field", 0)
                let sync = field.sync(with: first)
                scene.thread("sets the field", setting: field, to: 1) { $0[0] = $1 }
                setWhole(to: Pair(first: 2, second: 2), whole, in: scene)
                scene.sees {
                    sync.cancel()
                    let agrees = whole.value!.first == first.value! && first.value! == field.value!
                    return agrees ? whole.value!.values : []
                }
            }
        }
        @Test("a listener of a part sets the whole while another thread sets the part: they agree")
        func listenerSetsWhole() throws {
            try explore("a listener of a part that sets the whole", true) { scene in
                let whole = scene.node("whole", Pair())
                let first = scene.named("first", whole.focus(\.first))
                let lifetime = Lifetime()
                first.listened(by: lifetime).with { if $0 == 1 { whole.value = Pair(first: 5, second: 5) } }
                scene.thread("sets 1") { first.value = 1 }
                scene.thread("sets 2") { first.value = 2 }
                scene.sees {
                    lifetime.cancel()
                    return whole.value!.first == first.value! && whole.value!.second == 5
                }
            }
        }
        @Test("the setter of a part stores another value while another thread sets the part: they agree")
        func clampedPart() throws {
            struct Clamped: Sendable {
                var stored = 0
                var part: Int {
                    get { stored }
                    set { stored = min(newValue, 2) }
                }
            }
            try explore("a part whose setter stores another value", 0) { scene in
                let whole = scene.node("whole", Clamped())
                let part = scene.named("part", whole.focus(\.part))
                for value in [1, 9] {
                    scene.thread("sets \(value)", setting: part, to: value) { $0 = min($1, 2) }
                }
                scene.sees { whole.value!.stored == part.value! ? part.value! : -1 }
            }
        }
    }
}
