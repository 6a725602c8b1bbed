import ReactCore
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    /// What follows one node after the other holds the value of the one that it follows.
    @Suite("Flatten, switch and case", .serialized) struct SwitchingTests {
        struct Flat: Hashable, Sendable {
            var inner = [1, 2]
            var chosen = 0
        }

        @Test("flatten's outer node is set on one thread, its inner ones on others")
        func outerAndInner() throws {
            try explore("an outer and an inner node", Flat()) { scene in
                let inner = [1, 2].enumerated().map { scene.node("inner \($0)", $1) }
                let outer = scene.node("outer", inner[0] as Node<Int>)
                let flat = scene.named("flat", outer.flatten())
                scene.thread("chooses") {
                    outer.value = inner[1]
                } model: {
                    $0.chosen = 1
                }
                scene.thread("sets the old one", setting: inner[0], to: 10) { $0.inner[0] = $1 }
                scene.thread("sets the new one", setting: inner[1], to: 20) { $0.inner[1] = $1 }
                scene.sees {
                    flat.value
                } model: {
                    $0.inner[$0.chosen]
                }
            }
        }
        @Test("two threads set flatten's outer node while a third sets an inner one")
        func twoChoices() throws {
            try explore("two choices and an inner node", Flat()) { scene in
                let inner = [1, 2].enumerated().map { scene.node("inner \($0)", $1) }
                let outer = scene.node("outer", inner[0] as Node<Int>)
                let flat = scene.named("flat", outer.flatten())
                scene.thread("chooses 1") {
                    outer.value = inner[1]
                } model: {
                    $0.chosen = 1
                }
                scene.thread("chooses 0") {
                    outer.value = inner[0]
                } model: {
                    $0.chosen = 0
                }
                scene.thread("sets", setting: inner[1], to: 20) { $0.inner[1] = $1 }
                scene.sees {
                    [flat.value, inner.firstIndex { $0 === outer.value }]
                } model: {
                    [$0.inner[$0.chosen], $0.chosen]
                }
            }
        }
        @Test("flatten's edge is cut while its inner node is set")
        func flattenIsCut() throws {
            struct Model: Hashable, Sendable {
                var flat = 1
                var isCut = false
                var left: Int?
            }
            try explore("an inner node and a cut", Model()) { scene in
                let inner = scene.node("inner", 1)
                let outer = scene.node("outer", inner as Node<Int>)
                let flat = scene.named("flat", outer.flatten())
                let edge = outer.downstreamTransforms[0]
                let left = Recorder<Int?>()
                scene.thread("sets", setting: inner, to: 2, 3) { if !$0.isCut { $0.flat = $1 } }
                scene.thread("cuts") {
                    edge.cancel()
                } model: {
                    $0.isCut = true
                }
                .then {
                    left.record(flat.value)
                } model: {
                    $0.left = $0.flat
                }
                scene.sees {
                    [flat.value, left.last!]
                } model: {
                    [$0.flat, $0.left]
                }
            }
        }
        @Test("a switch is set by two threads: each branch has its last value")
        func branches() throws {
            struct Model: Hashable, Sendable {
                var source = 0
                var even: [Int] = [0]
                var odd: [Int] = []

                mutating func set(_ value: Int) {
                    source = value
                    if value.isMultiple(of: 2) { even.append(value) } else { odd.append(value) }
                }
            }
            try explore("two sets of a switch", Model()) { scene in
                let source = scene.node("source", 0)
                let parity = source.switch { $0.isMultiple(of: 2) }
                let ears = [Ear(parity.case(true)), Ear(parity.case(false))]
                scene.thread("sets 1", setting: source, to: 1, 2) { $0.set($1) }
                scene.thread("sets 3", setting: source, to: 3) { $0.set($1) }
                scene.sees { Model(source: source.value!, even: ears[0].events, odd: ears[1].events) }
            }
        }
        @Test("a case that finds its branch while another thread sets its node hears all that goes down it, in order")
        func caseFindsItsBranch() throws {
            struct Model: Hashable, Sendable {
                var heard: [Int] = []
            }
            try explore("a case that is set and finds its branch", Model()) { scene in
                let source = MutableNode<Int>()
                let branch = scene.named("case", source.switch { _ in 0 }.case(0)), ear = Ear(branch)
                scene.thread("sets the case") {
                    branch.mutablify().value = -1
                } model: {
                    $0.heard.append(-1)
                }
                scene.thread("sets the source", setting: source, to: 1, 2) { $0.heard.append($1) }
                scene.sees { Model(heard: ear.events) }
            }
        }
        @Test("a case is attached while the switch is set")
        func caseIsAttached() throws {
            struct Model: Hashable, Sendable {
                var source = 0
                /// What the branch holds, if it was the last one taken.
                var seen: [Int]?
            }
            try explore("a set of a switch and a case", Model()) { scene in
                let source = scene.node("source", 0)
                let switched = source.switch { _ in 0 }
                let branch = Locked<Node<Int>?>(nil)
                scene.thread("sets", setting: source, to: 1, 2) { $0.source = $1 }
                scene.thread("attaches") {
                    branch.value = switched.case(0)
                }
                scene.sees {
                    branch.value?.value
                } model: {
                    $0.source
                }
            }
        }
        @Test("a switch's link is changed while its key is hashed: it goes on switching")
        func keyAndLink() throws {
            struct Key: Hashable, Sendable {
                let value: Int
                func hash(into hasher: inout Hasher) {
                    Point.reach("a key is hashed")
                    hasher.combine(value)
                }
            }
            struct Model: Hashable, Sendable {
                var source = 0
                var branch: Int?
                var isLinked = true
            }
            try explore("the key of a switch and its link", Model(branch: 0)) { scene in
                let source = scene.node("source", 0)
                let switched = scene.named("switch", source.switch { Key(value: $0 * 0) })
                let branch = switched.case(Key(value: 0))
                let edge = switched.upstreamTransforms[0] as! Transform<Int, SwitchedNode<Key, Int>>
                let other = Node<SwitchedNode<Key, Int>>()
                scene.thread("sets") {
                    source.value = 1
                }
                scene.thread("re-points") {
                    edge.to = other
                }
                .then {
                    edge.to = switched
                }
                scene.sees {
                    // Whatever happened, the switch is whole again: what comes now goes down the branch.
                    source.value = 2
                    let isLive = branch.value == 2 || switched.case(Key(value: 0)).value == 2
                    return isLive
                } model: { _ in
                    true
                }
            }
        }
        @Test("a switch behind a combination is cut: which branch it holds then it holds for good")
        func cutBehindCombination() throws {
            try explore("a cut behind a combination", 0) { scene in
                let (left, right) = (scene.node("left", 0), scene.node("right", 0))
                let switched = scene.named("switch", combine(left, right) { $0 + $1 }.switch { $0 })
                let edge = switched.upstreamTransforms[0] as! Transform<Int, SwitchedNode<Int, Int>>
                let whenCut = Locked<Int?>(nil)
                scene.thread("sets") {
                    left.value = 1
                }
                scene.thread("cuts") {
                    edge.to = nil
                    whenCut.value = switched.value?.key
                }
                scene.sees {
                    whenCut.value == switched.value?.key
                } model: { _ in
                    true
                }
            }
        }
        @Test("a switch is cut while its source is set: its branch keeps the value that it had when the cut returned")
        func cutSwitch() throws {
            try explore("a switch and a cut", 0) { scene in
                let source = scene.node("source", 1)
                let switched = scene.named("switch", source.switch { $0 % 2 })
                let branch = scene.named("branch", switched.value!.node)
                let whenCut = Locked<Int?>(nil)
                scene.thread("sets") {
                    source.value = 3
                }
                scene.thread("cuts") {
                    switched.upstreamTransforms[0].cancel()
                    whenCut.value = branch.value
                }
                scene.sees {
                    whenCut.value == branch.value
                } model: { _ in
                    true
                }
            }
        }
        @Test("a ring through a combination is set at both ends, and comes to rest")
        func ringThroughCombination() throws {
            struct Model: Hashable, Sendable {
                var left = 0
                var right = 0
            }
            try explore("a ring through a combination", Model()) { scene in
                let left = scene.node("left", 0)
                let right = scene.node("right", 0)
                let sum = scene.named("sum", combine(left, right)).mapEach { max($0, $1) }
                let back = right.link(to: sum)
                scene.thread("sets the left", setting: left, to: 1) { $0.left = $1 }
                scene.thread("sets the right", setting: right, to: 2) { $0.right = $1 }
                scene.sees {
                    back.cancel()
                    // Which of the two comes last into the right node, the set or what came back, is left open.
                    return [left.value!, (1...2).contains(sum.value!) ? 0 : 1]
                } model: {
                    [$0.left, 0]
                }
            }
        }
    }
}
