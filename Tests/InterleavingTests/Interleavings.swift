import ReactCore
import ScheduleExplorer
import TestSupport
import Testing

/// What two or three threads do to one graph at a time, under many schedules: see `explore`, and CONTRIBUTING.
///
/// With `-Xswiftc -DSCHEDULE_FAULTS`, threads hand on wherever the engine could make a difference to another; without it,
/// between what they do alone.
@Suite("Interleavings", .serialized, .enabled(if: Scale.hasFaults || !Scale.isSanitized)) enum Interleavings {}

extension Interleavings {
    @Suite("Replays", .serialized) struct ReplayTests {
        @Test(
            "a schedule of the engine replays: the same steps, twice in a row",
            arguments: [
                "2>0", "2>1 1.9>0 0.3>1", "2>0 0.2>1 1.12>0 0.11>1",
            ])
        func replays(_ line: String) throws {
            let schedule = try #require(Schedule(line))
            func steps() throws -> [String] {
                try replay(schedule, of: "a set and an attach, replayed", Heard(1, listens: false)) { scene in
                    let node = scene.node("node", 1)
                    let ear = Ear<Int>()
                    scene.thread("sets") {
                        node.value = 2
                    } model: {
                        $0.set(2)
                    }
                    scene.thread("attaches") {
                        ear.listen(to: node)
                    } model: {
                        $0.attach()
                    }
                    scene.sees { Heard(node.value, heard: ear.events) }
                }
            }
            let first = try steps()
            #expect(try steps() == first)
            #expect(!Scale.hasFaults || first.count > 20)
        }
    }
}

/// A node, and what its listener has heard.
struct Heard: Hashable, Sendable {
    var value: Int?
    var heard: [Int] = []
    /// Whether the model's listener is there.
    var listens = true

    init(_ value: Int?, heard: [Int]? = nil, listens: Bool = true) {
        self.value = value
        self.heard = heard ?? (listens ? [value].compactMap(\.self) : [])
        self.listens = listens
    }

    mutating func set(_ value: Int?) {
        self.value = value
        if listens, let value { heard.append(value) }
    }
    mutating func attach() {
        guard !listens else { return }
        listens = true
        if let value { heard.append(value) }
    }
}

extension Scene {
    func node<Value: Sendable>(_ name: String, _ value: Value) -> MutableNode<Value> { named(name, MutableNode(value)) }
    func node<Value: Sendable>(_ name: String, of type: Value.Type) -> MutableNode<Value> { named(name, MutableNode()) }
}

/// A target that something leads to, until that is cut.
struct CutTarget: Hashable, Sendable {
    var target: Int
    var isLinked = true
    /// What the target held when the cut had returned.
    var left: Int?
}

extension Scene {
    /// A thread that sets `node` to one value after the other. `model` notes each set in the model.
    @discardableResult func thread<Value: Sendable>(
        _ name: String, setting node: MutableNode<Value>, to values: Value...,
        model: @escaping (inout Model, Value) -> Void
    ) -> Line {
        let line = thread(name) {
            node.value = values[0]
        } model: {
            model(&$0, values[0])
        }
        for value in values.dropFirst() {
            line.then {
                node.value = value
            } model: {
                model(&$0, value)
            }
        }
        return line
    }
    /// A thread that sets `node` to each of `values`, and lets others run in between; noted in the model by `apply`.
    func sets(
        _ name: String, _ node: MutableNode<Int>, _ values: ClosedRange<Int>,
        model apply: @escaping (inout Model, Int) -> Void
    ) {
        let first = values.lowerBound
        let line = thread(name) {
            node.value = first
        } model: {
            apply(&$0, first)
        }
        for value in values.dropFirst() {
            line.then {
                Point.wait()
                node.value = value
            } model: {
                apply(&$0, value)
            }
        }
    }
}
extension Scene.Line where Model == CutTarget {
    /// Cuts, and then looks what the target holds.
    @discardableResult func thenCuts(
        _ target: Node<Int>, left: Recorder<Int>, _ cut: @escaping @Sendable () -> Void
    ) -> Scene.Line {
        then {
            cut()
        } model: {
            $0.isLinked = false
        }
        .thenLooks(at: target, left)
    }
    @discardableResult func thenLooks(at target: Node<Int>, _ left: Recorder<Int>) -> Scene.Line {
        then {
            left.record(target.value!)
        } model: {
            $0.left = $0.target
        }
    }
}

/// What was heard of one node, in order.
final class Ear<Value: Sendable>: Sendable {
    private let recorder = Recorder<Value>()
    private let lifetime = Locked<Lifetime?>(Lifetime())

    var events: [Value] { recorder.events }

    init() {}
    init(_ node: Node<Value>) { listen(to: node) }

    @discardableResult func listen(to node: Node<Value>) -> any Cancelable {
        node.listened(by: lifetime.value!).with { [recorder] in recorder.record($0) }
    }
    /// Lets go of what listens.
    func close() { lifetime.value = nil }
}
