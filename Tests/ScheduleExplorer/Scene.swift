import Foundation
import ReactCore

/// What one run of a scenario is made of: the nodes, the threads with what each does, and what is to be seen at the end.
///
/// Beside each thing that a thread does stands what it does to the model: plain values, no threads. Whatever the schedule,
/// what is seen at the end has to be what the model comes to in one of the orders in which the threads' deeds can follow one another.
public final class Scene<Model: Hashable & Sendable> {
    struct Deed {
        let act: @Sendable () -> Void
        /// Between them, other threads' deeds may come.
        let parts: [(inout Model) -> Void]
    }
    /// One of the scenario's threads.
    public final class Line {
        let name: String
        var deeds: [Deed] = []

        init(_ name: String) { self.name = name }

        /// What the thread does next.
        @discardableResult public func then(
            _ act: @escaping @Sendable () -> Void, model apply: @escaping (inout Model) -> Void = { _ in }
        ) -> Line {
            then(act, parts: [apply])
        }
        /// The same for what is not one step, such as a batch over several nodes.
        @discardableResult public func then(
            _ act: @escaping @Sendable () -> Void, parts: [(inout Model) -> Void]
        ) -> Line {
            deeds.append(Deed(act: act, parts: parts))
            return self
        }
    }
    private(set) var lines: [Line] = []
    private(set) var names: [UInt: String] = [:]
    private(set) var nodes: [AnyNode] = []
    private(set) var look: (() -> AnyHashable)?
    private var shown: (Model) -> AnyHashable = { AnyHashable($0) }
    private(set) var settle: ((inout Model) -> Void)?

    /// A thread, and what it does first; in the model, nothing if nothing is said.
    @discardableResult public func thread(
        _ name: String, _ act: @escaping @Sendable () -> Void,
        model apply: @escaping (inout Model) -> Void = { _ in }
    ) -> Line {
        thread(name, act, parts: [apply])
    }
    /// The same for what is not one step, such as a batch over several nodes.
    @discardableResult public func thread(
        _ name: String, _ act: @escaping @Sendable () -> Void, parts: [(inout Model) -> Void]
    ) -> Line {
        let line = Line(name)
        lines.append(line)
        return line.then(act, parts: parts)
    }
    /// What is seen at the end, in the model's terms.
    public func sees(_ look: @escaping () -> Model) { self.look = { AnyHashable(look()) } }
    /// The same where the model knows more than can be seen.
    public func sees<Outcome: Hashable>(_ look: @escaping () -> Outcome, model shown: @escaping (Model) -> Outcome) {
        self.look = { AnyHashable(look()) }
        self.shown = { AnyHashable(shown($0)) }
    }
    /// What happens in the model after a deed, or later, but not while a deed has parts to come: so the firing of
    /// combinations, of which one may take several sets together where threads meet.
    public func settles(_ settle: @escaping (inout Model) -> Void) { self.settle = settle }
    /// Gives a node the name that failures call it by, and has its invariants checked at the end.
    @discardableResult public func named<N: AnyNode>(_ name: String, _ node: N) -> N {
        nodes.append(node)
        #if SCHEDULE_FAULTS
        names[node.vertex.address] = name
        #endif
        return node
    }
    /// A place of the test's own, such as a lock, by name.
    public func named(_ name: String, place: UInt) { names[place] = name }

    /// All that the model allows.
    func outcomes(from model: Model) -> Set<AnyHashable> {
        var outcomes: Set<AnyHashable> = []
        var seen: Set<State> = []
        follow(State(model: model, done: lines.map { _ in 0 }, isSettled: true), &seen, &outcomes)
        return outcomes
    }
    private struct State: Hashable {
        var model: Model
        /// How many parts each thread has done.
        var done: [Int]
        var isSettled: Bool
    }
    private func follow(_ state: State, _ seen: inout Set<State>, _ outcomes: inout Set<AnyHashable>) {
        guard seen.insert(state).inserted else { return }
        let parts = lines.map { line in line.deeds.flatMap { $0.parts } }
        let ends = lines.map { line in line.deeds.map(\.parts.count).reduce(into: [0]) { $0.append($0.last! + $1) } }
        if !state.isSettled, let settle, zip(state.done, ends).allSatisfy({ $1.contains($0) }) {
            var settled = state
            settle(&settled.model)
            settled.isSettled = true
            follow(settled, &seen, &outcomes)
        }
        var isOver = true
        for line in lines.indices where state.done[line] < parts[line].count {
            isOver = false
            var next = state
            parts[line][state.done[line]](&next.model)
            next.done[line] += 1
            next.isSettled = settle == nil
            follow(next, &seen, &outcomes)
        }
        if isOver, state.isSettled { outcomes.insert(shown(state.model)) }
    }
}
