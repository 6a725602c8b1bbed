import ReactCore
import ReactGraph
import ReactOperators
import ScheduleExplorer
import TestSupport
import Testing

extension Interleavings {
    @Suite("Sets from two sides", .serialized) struct SettingTests {
        @Test("two threads set one node")
        func twoSets() throws {
            try explore("two sets of one node", Heard(0)) { scene in
                let node = scene.node("node", 0)
                let ear = Ear(node)
                scene.thread("sets 1", setting: node, to: 1, 2) { $0.set($1) }
                scene.thread("sets 3", setting: node, to: 3) { $0.set($1) }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("three threads set one node")
        func threeSets() throws {
            try explore("three sets of one node", Heard(0)) { scene in
                let node = scene.node("node", 0)
                let ear = Ear(node.map { $0 })
                for value in 1...3 {
                    scene.thread("sets \(value)", setting: node, to: value) { $0.set($1) }
                }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("one thread sets a node that the other updates")
        func setAndUpdate() throws {
            try explore("a set and an update", Heard(1)) { scene in
                let node = scene.node("node", 1)
                let ear = Ear(node)
                scene.thread("updates") {
                    node.update { $0 *= 10 }
                } model: {
                    $0.set($0.value! * 10)
                }
                scene.thread("sets", setting: node, to: 2) { $0.set($1) }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("two threads update one node")
        func twoUpdates() throws {
            try explore("two updates", Heard(1)) { scene in
                let node = scene.node("node", 1)
                let ear = Ear(node)
                scene.thread("adds") {
                    node.update { $0 += 1 }
                } model: {
                    $0.set($0.value! + 1)
                }
                scene.thread("multiplies") {
                    node.update { $0 *= 10 }
                } model: {
                    $0.set($0.value! * 10)
                }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("one thread sets a node that the other cleans")
        func setAndClean() throws {
            try explore("a set and a clean", Heard(1)) { scene in
                let node = scene.node("node", 1)
                let ear = Ear(node)
                scene.thread("cleans") {
                    node.clean()
                } model: {
                    $0.set(nil)
                }
                .then {
                    node.update { $0 += 1 }
                } model: { model in
                    model.value.map { model.set($0 + 1) }
                }
                scene.thread("sets", setting: node, to: 2) { $0.set($1) }
                scene.sees { Heard(node.value, heard: ear.events) }
            }
        }
        @Test("one thread sets a node of which the other takes a snapshot, and links below it")
        func setAndSnapshot() throws {
            struct Model: Hashable, Sendable {
                var value = 0
                var copy: Int?
                var edges: [Int] = []
            }
            try explore("a set and a snapshot", Model()) { scene in
                let node = scene.node("node", 0)
                let copy = Locked<Node<Int>?>(nil)
                let counts = Recorder<Int>()
                scene.thread("sets") {
                    node.value = 1
                } model: { model in
                    model.value = 1
                    if model.copy != nil { model.copy = 1 }
                }
                scene.thread("looks") {
                    counts.record(node.graph.edges.count)
                } model: {
                    $0.edges.append($0.copy == nil ? 0 : 1)
                }
                .then {
                    counts.record(node.graph.edges.count)
                } model: {
                    $0.edges.append($0.copy == nil ? 0 : 1)
                }
                scene.thread("maps") {
                    copy.value = node.map { $0 }
                } model: {
                    $0.copy = $0.value
                }
                scene.sees { Model(value: node.value!, copy: copy.value?.value, edges: counts.events) }
            }
        }
        @Test("two threads set the two ends of a ring")
        func ring() throws {
            struct Model: Hashable, Sendable {
                var left: [Int] = []
                var right: [Int] = []
            }
            try explore("a ring set at both ends", Model()) { scene in
                let left = scene.node("left", 0)
                let right = scene.node("right", 0)
                let links = [left.link(to: right), right.link(to: left)]
                let ears = [Ear(left), Ear(right)]
                for (node, value) in [(left, 1), (right, 2)] {
                    scene.thread("sets \(value)") {
                        node.value = value
                    } model: { model in
                        model.left.append(value)
                        model.right.append(value)
                        // Each node hears both, in an order of its own.
                        model.left.sort()
                        model.right.sort()
                    }
                }
                scene.sees {
                    for link in links { link.cancel() }
                    return Model(left: ears[0].events.dropFirst().sorted(), right: ears[1].events.dropFirst().sorted())
                }
            }
        }
        @Test("two synced nodes agree, whichever thread set which of them")
        func sync() throws {
            try explore("two synced nodes set at both ends", [0, 0]) { scene in
                let left = scene.node("left", 0)
                let right = scene.node("right", 0)
                let sync = left.sync(with: right)
                scene.thread("sets the left", setting: left, to: 1) { $0 = [1, $1] }
                scene.thread("sets the right", setting: right, to: 2) { $0 = [2, $1] }
                scene.sees {
                    sync.cancel()
                    return [left.value!, right.value!]
                }
            }
        }
        @Test("two nodes that are set while they are being synced agree afterwards", arguments: [false, true])
        func syncMeanwhile(isEmpty: Bool) throws {
            try explore("two nodes set while they are synced\(isEmpty ? ", one of them empty" : "")", true) { scene in
                let left = scene.node("left", 0)
                let right = isEmpty ? MutableNode<Int>() : scene.node("right", -1)
                let sync = Locked<(any Cancelable)?>(nil)
                scene.thread("syncs") {
                    sync.value = left.sync(with: right)
                } model: { _ in
                }
                for (node, value, name) in [(left, 1, "left"), (right, 2, "right")] {
                    scene.thread("sets the \(name)") {
                        node.value = value
                    } model: { _ in
                    }
                }
                scene.sees {
                    defer { sync.value?.cancel() }
                    return left.value == right.value
                }
            }
        }
        @Test("a value that is set while another thread syncs its node and cancels the sync stays")
        func syncIsCancelled() throws {
            try explore("a sync that is cancelled at once", 0) { scene in
                let node = scene.node("node", 0)
                let other = scene.named("other", MutableNode<Int>())
                scene.thread("syncs and cancels") { other.sync(with: node).cancel() }
                scene.thread("sets", setting: node, to: 1) { $0 = $1 }
                scene.sees { node.value! }
            }
        }
    }
}
