import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@Suite("Phases of work")
struct PhasesTests {
    private enum Odd: Error, Equatable { case one, two }
    private struct Plain: Error { let text: String }

    @Test("a phase tells if the work runs, its result, and its failure")
    func parts() {
        let phases: [TaskPhase<Int>] = [.running(last: 1), .finished(2), .failed(Odd.one, last: 3)]
        #expect(phases.map(\.isRunning) == [true, false, false])
        #expect(phases.map(\.finished) == [nil, 2, nil])
        #expect(phases.map { $0.failure as? Odd } == [nil, nil, .one])
        #expect(phases.map(\.output) == [1, 2, 3])
    }

    private class Base: Error, Equatable, @unchecked Sendable {
        static func == (one: Base, other: Base) -> Bool { true }
    }
    private final class Derived: Base, @unchecked Sendable {}

    @Test("errors of two types are never alike, in either order") func errorsOfTwoTypes() {
        let base = TaskPhase<Int>.failed(Base(), last: 1), derived = TaskPhase<Int>.failed(Derived(), last: 1)
        #expect(base != derived)
        #expect(derived != base)
        #expect(derived == .failed(Derived(), last: 1))
    }

    @Test("phases are equal where stage, outputs and errors are")
    func equality() {
        let phases: [TaskPhase<Int>] = [
            .running(last: nil), .running(last: 1), .finished(1), .failed(Odd.one, last: nil),
            .failed(Odd.two, last: nil), .failed(Odd.one, last: 1), .failed(CancellationError(), last: nil),
            .failed(Plain(text: "a"), last: nil), .failed(Plain(text: "b"), last: nil),
        ]
        for (index, phase) in phases.enumerated() {
            for (other, otherPhase) in phases.enumerated() {
                #expect((phase == otherPhase) == (index == other), "\(phase), \(otherPhase)")
            }
        }
    }

    @Test("successes are the outputs, one for each work that has finished, and failures the errors")
    func results() {
        let phases = MutableNode<TaskPhase<Int>>(.running(last: nil))
        let successes = Heard(phases.successes()), failures = Heard(phases.failures())
        phases.value = .finished(1)
        phases.value = .running(last: 1)
        phases.value = .failed(Odd.one, last: 1)
        phases.value = .finished(1)
        #expect(successes.values == [1, 1])
        #expect(failures.values.map { $0 as? Odd } == [.one])
    }

    private enum Operator: CaseIterable { case latest, first, inOrder }
    private func phases(_ kind: Operator, of node: Node<Int>, on clock: VirtualScheduler) -> Node<TaskPhase<Int>> {
        let work: @Sendable (Int) async throws -> Int = {
            try await Task.sleep(for: .seconds(1), clock: clock.clock)
            return $0 * 10
        }
        return switch kind {
        case .latest: node.mapLatest(executorPreference: clock, work)
        case .first: node.mapFirst(executorPreference: clock, work)
        case .inOrder: node.mapInOrder(executorPreference: clock, work)
        }
    }

    @Test(
        "a phase ends when its work is dropped: the edge is cut, leads elsewhere, or leaves from an empty node",
        arguments: Operator.allCases, [false, true])
    private func dropped(kind: Operator, hasLast: Bool) throws {
        typealias Edge = Transform<Int, TaskPhase<Int>>
        let cuts: [(Node<TaskPhase<Int>>, Edge) -> Void] = [
            { node, _ in node.removeUpstreamNodes() }, { _, edge in edge.cancel() }, { _, edge in edge.to = nil },
            { _, edge in edge.to = Node() }, { _, edge in edge.from = nil }, { _, edge in edge.from = Node() },
        ]
        for (number, cut) in cuts.enumerated() {
            let clock = VirtualScheduler(), question = MutableNode(1)
            let node = phases(kind, of: question, on: clock)
            if hasLast {
                clock.run()
                question.value = 2
            }
            let edge = try #require(node.upstreamTransforms.first as? Edge), last = hasLast ? 10 : nil
            let seen = Heard(combine(node, node.upToDate()) { "\($0.isRunning) \($1)" }), heard = Heard(node)
            cut(node, edge)
            #expect(node.value == .failed(CancellationError(), last: last), "\(number)")
            #expect(heard.values == [.running(last: last), .failed(CancellationError(), last: last)], "\(number)")
            #expect(seen.values == ["true false", "false true"], "\(number)")
            clock.run()
            #expect(node.value == .failed(CancellationError(), last: last), "\(number)")
        }
    }

    @Test("a phase that has ended stays when the edge is cut", arguments: Operator.allCases)
    private func endedBefore(kind: Operator) {
        let clock = VirtualScheduler(), question = MutableNode(1)
        let node = phases(kind, of: question, on: clock), heard = Heard(node)
        clock.run()
        node.removeUpstreamNodes()
        #expect(heard.values == [.running(last: nil), .finished(10)])
    }

    @Test("a phase that waits in a batch, or is cut by its own listener, ends as well", arguments: Operator.allCases)
    private func cutInDelivery(kind: Operator) {
        let clock = VirtualScheduler(), question = MutableNode<Int>(), lifetime = Lifetime()
        let node = phases(kind, of: question, on: clock)
        node.listened(by: lifetime).with { [weak node] in if $0.isRunning { node?.removeUpstreamNodes() } }
        batch { question.value = 1 }
        clock.run()
        #expect(node.value == .failed(CancellationError(), last: nil))
        #expect(node.isUpToDate && clock.pendingCount == 0)
    }

    @Test("work that ends without suspending passes no running phase, on any executor", arguments: [false, true])
    func noSpinner(hasExecutor: Bool) {
        let query = MutableNode(""), scheduler = VirtualScheduler()
        let phases = Heard(
            query.mapLatest(executorPreference: hasExecutor ? scheduler : nil) { text in
                guard !text.isEmpty else { return [String]() }
                try await Task.sleep(for: .seconds(1), clock: scheduler.clock)
                return [text]
            })
        #expect(phases.values == [.finished([])])
        query.value = "a"
        #expect(phases.values == [.finished([]), .running(last: [])])
        query.value = ""
        #expect(phases.values == [.finished([]), .running(last: []), .finished([])])
        scheduler.run()
        #expect(phases.values == [.finished([]), .running(last: []), .finished([])])
    }

    @Test("on the main actor too, work that ends without suspending passes no running")
    @MainActor func noSpinnerOnMainActor() {
        let query = MutableNode(1)
        let phases = Heard(query.mapLatest { $0 * 10 })
        query.value = 2
        #expect(phases.values == [.finished(10), .finished(20)])
    }

    @Test("work that fails without suspending passes no running")
    func failsAtOnce() {
        let source = MutableNode(1)
        let phases = Heard(source.mapLatest { value in if value == 2 { throw Odd.one } else { value } })
        source.value = 2
        #expect(phases.values == [.finished(1), .failed(Odd.one, last: 1)])
    }

    @Test(
        "the work begins on the thread that sets the node, and the set returns when it has suspended",
        .enabled(if: Platform.startsTasksAtOnce))
    func beginsHere() {
        let source = MutableNode<Int>(), scheduler = VirtualScheduler(), begun = Locked<[Int]>([])
        let phases = source.mapLatest(executorPreference: scheduler) { value in
            begun.withLock { $0.append(value) }
            try await Task.sleep(for: .seconds(1), clock: scheduler.clock)
            return value
        }
        source.value = 1
        #expect(begun.value == [1])
        #expect(phases.value == .running(last: nil))
        scheduler.run()
        #expect(phases.value == .finished(1))
    }
}
