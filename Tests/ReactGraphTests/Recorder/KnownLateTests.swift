import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@testable import ReactGraph

/// Edges of which a recorder hears first when they are given a value out of their turn.
///
/// In processes of their own: where another recorder asks for places, these have theirs.
@Suite("Edges that a recorder comes to know late") struct KnownLateTests {
    private final class Later: Transform<Int, Int>, @unchecked Sendable {}

    @Test("a value that a transform sends later is on record with its node, though nothing else of the node is")
    func sentLater() async {
        await #expect(processExitsWith: .success) {
            let source = MutableNode(1).named("source"), target = Node<Int>().named("target"), later = Later()
            target.link(to: source, transform: later)
            let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
            later.send(5, from: SenderList(), context: nil)
            #expect(
                "\(recorder.why(target))" == """
                    'target' holds 5, because
                      Transform 'target' sent a value whose origin is not on record
                      → Transform gave 'target' 5
                    """)
        }
    }
    @Test("a value that a delay held before the recorder began is on record with its node when it arrives")
    func heldBefore() async {
        await #expect(processExitsWith: .success) {
            let clock = VirtualScheduler()
            let source = MutableNode<Int>().named("source")
            let late = source.delay(.seconds(1), on: clock).named("late")
            source.value = 5
            let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
            clock.run()
            #expect(
                "\(recorder.why(late))" == """
                    'late' holds 5, because
                      Delay 'late' sent a value whose origin is not on record
                      → Delay gave 'late' 5
                    """)
        }
    }
    @Test("a recorder that begins while a switch is being given another source waits for nothing, and tells of it")
    func switched() async {
        await #expect(processExitsWith: .success) {
            let told = Locked("")
            Worker {
                var source: MutableNode<Switched>? = MutableNode(Switched(key: 1, starts: StartsRecording()))
                let next = MutableNode(Switched(key: 2, starts: nil)).named("next")
                let switched = source!.switchMap { ($0.key, $0.key) }.named("switched")
                let edge = switched.upstreamTransforms[0] as! Transform<Switched, SwitchedNode<Int, Int>>
                source = nil
                // The last hold on the old source, and so on its value, is let go of between the linking and the value.
                edge.from = next
                told.value = "\(kept.value!.why(switched))"
            }
            precondition(eventually { !told.value.isEmpty })
            precondition(told.value.contains("next"), told.value)
        }
    }
}

private let kept = Locked<GraphRecorder?>(nil)
private final class StartsRecording: Sendable {
    deinit { kept.value = GraphRecorder(sites: false) }
}
private struct Switched: Sendable {
    let key: Int
    let starts: StartsRecording?
}
