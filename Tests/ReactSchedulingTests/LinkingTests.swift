import Dispatch
import ReactCore
import ReactScheduling
import Synchronization
import TestSupport
import Testing

/// Each of these holds up a thread at the worst moment, on a scheduler that the test moves by hand.
@Suite("Values of a connection that has ended")
struct LinkingTests {
    static let holding = TimeOperator.plain.filter(\.keepsNewest)
    static let passing = TimeOperator.plain.filter { !$0.keepsNewest }
    let scheduler = HandScheduler()
    let tripwire = Tripwire()
    let lifetime = Lifetime()
    let log = Log<Int>()
    let old = MutableNode<Int>()
    let new = MutableNode<Int>()

    /// Runs what it is given before it returns; what it is given meanwhile, after that.
    private final class DrainingScheduler: Scheduler {
        private let waiting = Mutex<[@Sendable () -> Void]>([])
        private let isRunning = Atomic<Bool>(false)
        let comesFirst = Mutex<(@Sendable () -> Void)?>(nil)

        func schedule(_ work: @escaping @Sendable () -> Void) {
            waiting.withLock { $0.append(work) }
            if isRunning.exchange(true, ordering: .relaxed) { return }
            comesFirst.withLock { $0.take() }?()
            while let next = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { next() }
            isRunning.store(false, ordering: .relaxed)
        }
        func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
            schedule(work)
            return BlockCancelable {}
        }
    }
    @Test("the value of a new `from` arrives, though its work is run inside the call for a value of the old one")
    func drained() throws {
        let scheduler = DrainingScheduler()
        let result = old.deliver(on: scheduler)
        let edge = try #require(result.upstreamTransforms.first as? Transform<Int, Int>)
        new.value = 5
        scheduler.comesFirst.withLock { $0 = { [new] in edge.from = new } }
        old.value = 1
        #expect(result.value == 5)
        new.value = 6
        #expect(result.value == 6)
    }

    @Test("a value that leaves the line does not arrive once `from =` has returned", arguments: passing)
    func repointed(operation: TimeOperator) throws {
        let result = operation.apply(to: old, on: scheduler)
        let edge = try #require(result.upstreamTransforms.first as? Transform<Int, Int>)
        // The first is let go of when the second has left the line already.
        old.setValue(1, context: tripwire.makeWire())
        old.value = 2
        _ = scheduler.take()
        let second = scheduler.take()
        #expect(tripwire.hold(second) { edge.from = new })
        #expect(result.value == 1)
        new.value = 3
        scheduler.runAll()
        #expect(result.value == 3)
    }

    @Test("a value whose timer has fired does not arrive once `from =` has returned", arguments: holding)
    func repointedHolding(operation: TimeOperator) throws {
        let result = operation.apply(to: old, on: scheduler)
        let edge = try #require(result.upstreamTransforms.first as? Transform<Int, Int>)
        scheduler.giveNextTimer(tripwire.makeWire())
        old.value = 1
        if operation.passesFirstAtOnce { old.value = 2 }
        let before = result.value
        #expect(tripwire.hold(scheduler.take()) { edge.from = new })
        #expect(result.value == before)
        scheduler.runAll()
        #expect(result.value == before)
        new.value = 3
        scheduler.runAll()
        #expect(result.value == 3)
    }

    @Test("a value that is on its way into the operator while `from =` returns is not held", arguments: holding)
    func repointedMeanwhile(operation: TimeOperator) throws {
        let result = operation.apply(to: old, on: scheduler)
        let edge = try #require(result.upstreamTransforms.first as? Transform<Int, Int>)
        scheduler.whenClockIsRead { [new] in edge.from = new }
        old.value = 1
        scheduler.runAll()
        #expect(result.isEmpty)
        #expect(new.isEmpty)
    }

    @Test("a listening on a scheduler that is given another `from` hears nothing of the old node any more")
    func listening() throws {
        old.listened(by: lifetime).with(on: scheduler) { [log] in log.add($0) }
        old.value = 1
        let edge = try #require(old.listenEdges.first as? ListenEdge<Int>)
        edge.from = new
        new.value = 2
        scheduler.runAll()
        #expect(log.entries == [2])
    }

    @Test("a listening on a scheduler that is given another listener hears the present value for that one alone")
    func listener() throws {
        old.listened(by: lifetime).with(on: scheduler) { [log] in log.add($0) }
        old.value = 1
        old.value = 2
        let edge = try #require(old.listenEdges.first as? ListenEdge<Int>)
        let other = Lifetime()
        edge.to = other
        scheduler.runAll()
        #expect(log.entries == [2])
        withExtendedLifetime(other) {}
    }

    @Test(
        "an operator that is given another `to` starts over: values that waited are dropped",
        arguments: TimeOperator.plain)
    func target(operation: TimeOperator) throws {
        let result = operation.apply(to: old, on: scheduler)
        let edge = try #require(result.upstreamTransforms.first as? Transform<Int, Int>)
        let other = Node<Int>()
        lifetime.listen(to: other).with { [log] in log.add($0) }
        for value in 1...3 { old.value = value }
        let before = result.value
        edge.to = other
        scheduler.runAll()
        #expect(log.entries == [3])
        #expect(result.value == before)
    }

    @Test(
        "waiting values and their timer are dropped when `to` is set to `nil`, or its node is released, though the transform is held",
        arguments: TimeOperator.plain, [false, true])
    func noTarget(operation: TimeOperator, byRelease: Bool) throws {
        let counting = CountingScheduler(VirtualScheduler())
        let source = MutableNode<Payload>()
        var result: Node<Payload>? = operation.apply(to: source, on: counting)
        let edge = try #require(result?.upstreamTransforms.first as? Transform<Payload, Payload>)
        source.value = Payload()
        weak var gone: Payload?
        do {
            let payload = Payload()
            gone = payload
            source.value = payload
        }
        source.clean()
        if byRelease { result = nil } else { edge.to = nil }
        #expect(gone == nil)
        #expect(counting.timersPending == 0)
        withExtendedLifetime(edge) {}
    }

    @Test("no older value is there at rest where a timer is held up between firing and passing on", arguments: holding)
    func heldUp(operation: TimeOperator) {
        let result = operation.apply(to: old, on: scheduler)
        scheduler.giveNextTimer(tripwire.makeWire())
        old.value = 1
        #expect(
            tripwire.hold(scheduler.take()) {
                old.value = 2
                scheduler.runAll()
            })
        scheduler.runAll()
        #expect(result.value == 2)
    }

    /// The explorer has the schedules of this (“a first value”); here are as many as half a second has, or less.
    @Test(
        "the first value on attaching arrives, however soon the scheduler runs its work", arguments: TimeOperator.plain)
    func firstValue(operation: TimeOperator) {
        let eager = EagerScheduler()
        defer { eager.stop() }
        var lost = 0
        let end = ContinuousClock.now + .milliseconds(Scale.gate.isSmall ? 40 : 500)
        for _ in 0..<4_000 where ContinuousClock.now < end {
            let result = operation.apply(to: Node(1), on: eager)
            eager.finish()
            if result.value != 1 { lost += 1 }
        }
        #expect(lost == 0)
    }
}

/// Runs work on a thread that waits for nothing else, so soon that whoever scheduled it is still at it.
private final class EagerScheduler: Scheduler {
    private enum Slot {
        case empty, stopped
        case work(@Sendable () -> Void)
    }
    private let slot = Lock(Slot.empty)
    private let scheduled = Atomic(0)
    private let ran = Atomic(0)

    init() {
        DispatchQueue(label: "eager").async { [self] in
            while true {
                switch slot.withLock({ slot in
                    let taken = slot
                    if case .work = slot { slot = .empty }
                    return taken
                }) {
                case .empty: break
                case .stopped: return
                case .work(let work):
                    work()
                    ran.add(1, ordering: .sequentiallyConsistent)
                }
            }
        }
    }

    func schedule(_ work: @escaping @Sendable () -> Void) {
        scheduled.add(1, ordering: .sequentiallyConsistent)
        slot.withLock { $0 = .work(work) }
    }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        schedule(work)
        return BlockCancelable {}
    }
    /// Returns when nothing is scheduled.
    func finish() {
        while ran.load(ordering: .sequentiallyConsistent) < scheduled.load(ordering: .sequentiallyConsistent) {}
    }
    func stop() { slot.withLock { $0 = .stopped } }
}
