import Foundation
import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

/// What a set delivers for other threads, and what it does not leave to them.
@Suite("Turns that are handed on", .serialized) struct HandingOnTests {
    private let node = MutableNode(0)
    private let listener = Lifetime()

    @Test("a set delivers no more than 64 values of other threads where these come for their turn")
    func bound() {
        let mine = Recorder<Int>()
        setWhileOthersSet { [node] value in
            mine.record(value)
            // There is always something to deliver; and once the turn is offered, a thread that comes for it.
            let isOffered = mine.count > Engine.enoughForOthers + 1
            while !node.vertex.locking({
                guard let coldState = node.vertex.coldState, !coldState.queue.isEmpty else { return false }
                return !isOffered || coldState.waiters.contains { $0.state != .isCalled }
            }) { sched_yield() }
        }
        // The set's own, what is said, and those before somebody had come; and as many again where this thread was
        // held up for so long that whoever had come did not wait any more.
        #expect(mine.count > Engine.enoughForOthers)
        #expect(mine.count < 2 * Engine.enoughForOthers + 10)
        #expect(mine.events.first == -1)
    }

    @Test(
        "a listener's set of its own node is delivered when the outer set returns, though others set the node on and on"
    )
    func ownSets() {
        let mine = Recorder<Int>()
        let heardWhenReturned = Locked<[Int]>([])
        setWhileOthersSet { [node] value in
            mine.record(value)
            if value < 0, value > -10 { node.value = value - 1 }
        } andThen: {
            heardWhenReturned.value = mine.events.filter { $0 < 0 }
        }
        #expect(heardWhenReturned.value == (1...10).map { -$0 })
    }

    /// A value with a part whose setter calls something.
    private struct Whole: Sendable {
        var number = 0
        let isSet = Locked<@Sendable () -> Void>({})
        var part: Int {
            get { number }
            set {
                number = newValue
                isSet.value()
            }
        }
    }

    @Test("a set, by user code, of the node that it is changing waits as that thread's own")
    func ownWhileChanging() {
        let counts = Recorder<Int?>()
        @Sendable func setAndCount<Value>(_ node: MutableNode<Value>) {
            node.value = node.value
            counts.record(node.vertex.locking { node.vertex.coldState?.ownWaiting })
        }
        node.update { [node] _ in setAndCount(node) }
        node.update(context: "beside it") { [node] _ in setAndCount(node) }
        let whole = MutableNode(Whole()), part = whole.focus(\.part)
        let isSet = whole.current.isSet
        isSet.value = { [unowned whole] in setAndCount(whole) }
        part.value = 1
        isSet.value = {}
        #expect(counts.events == [1, 1, 1])
    }

    @Test("a batch's set of a node that another thread is changing in place is not taken for that thread's own")
    func othersWhileChanging() {
        let (isChanging, mayEnd) = (Latch(), Latch())
        var worker: Worker?
        batch {
            node.value = 1
            worker = Worker { [node] in
                node.update { _ in
                    isChanging.arrive()
                    mayEnd.wait()
                }
            }
            isChanging.wait()
            node.value = 2
            #expect(node.vertex.locking { node.vertex.coldState?.ownWaiting } == 0)
            mayEnd.arrive()
        }
        worker?.join()
        #expect(node.value == 2)
    }

    /// Sets the node to -1 on this thread, and from then on to what is not negative on two others, until that set has returned.
    private func setWhileOthersSet(
        hearing hear: @escaping @Sendable (Int) -> Void, andThen check: () -> Void = {}
    ) {
        let (isOver, mayBegin) = (Locked(false), Latch())
        let thread = ObjectIdentifier(Thread.current)
        node.listened(by: listener).with { value in
            guard value != 0, ObjectIdentifier(Thread.current) == thread else { return }
            mayBegin.arrive()
            hear(value)
        }
        let others = (0..<2).map { _ in
            Worker { [node] in
                mayBegin.wait()
                var count = 0
                while !isOver.value {
                    count += 1
                    node.value = count
                }
            }
        }
        node.value = -1
        check()
        isOver.value = true
        for other in others { other.join() }
    }
}
