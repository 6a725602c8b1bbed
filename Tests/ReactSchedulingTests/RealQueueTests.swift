import Dispatch
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@Suite("Time operators on real queues")
struct RealQueueTests {
    static let operators: [RealOperator] = [.deliver, .delay, .throttle]
    let lifetime = Lifetime()
    let log = Log<Int>()
    let last = DispatchSemaphore(value: 0)

    @Test("on a serial queue values arrive on it, in order", arguments: operators)
    func serial(operation: RealOperator) {
        let queue = DispatchQueue(label: "serial")
        check(operation, on: queue) { dispatchPrecondition(condition: .onQueue(queue)) }
    }

    @Test("on a concurrent queue values arrive on it, one at a time, in order, all of them", arguments: operators)
    func concurrent(operation: RealOperator) {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        check(operation, on: queue) { dispatchPrecondition(condition: .onQueue(queue)) }
    }

    @Test("on a global queue too", arguments: operators)
    func global(operation: RealOperator) {
        check(operation, on: .global(qos: .userInitiated)) {}
    }

    /// Sets 0 to 2,999 and expects all of them in order, or of `throttle` the last one.
    private func check(
        _ operation: RealOperator,
        on queue: DispatchQueue,
        _ checkThread: @escaping @Sendable () -> Void
    ) {
        let source = MutableNode<Int>()
        let result = operation.apply(to: source, on: queue)
        let inside = Counter()
        let left = Counter()
        lifetime.listen(to: result).with { [log, last] value in
            checkThread()
            inside.increment()
            if inside.value != left.value + 1 { log.add(-1) }
            log.add(value)
            left.increment()
            if value == 2_999 { last.signal() }
        }
        for value in 0..<3_000 { source.value = value }
        #expect(last.waitForSignals())
        if case .throttle = operation {
            // A machine that stalls for the interval between two values lets an earlier one through.
            #expect(log.entries == log.entries.sorted())
        } else {
            #expect(log.entries == Array(0..<3_000))
        }
    }

    @Test("values that find their graph busy for longer than a set waits arrive on the queue all the same, in order")
    func busy() {
        let queue = DispatchQueue(label: "serial")
        let source = MutableNode<Int>(), own = MutableNode<Int>()
        let delivered = source.deliver(on: queue), all = delivered.merge(own)
        lifetime.listen(to: delivered).with { [log, last] value in
            dispatchPrecondition(condition: .onQueue(queue))
            log.add(value)
            if value == 3 { last.signal() }
        }
        let busy = BusyGraph(of: own, setting: 0)
        for value in 1...3 { source.value = value }
        // The queue has tried in vain, and is free for other work.
        #expect(eventually { !LateWork.isDone(at: own) })
        queue.sync {}
        #expect(!delivered.isUpToDate && log.entries.isEmpty)
        busy.end()
        #expect(last.waitForSignals())
        #expect(log.entries == [1, 2, 3])
        // The listener is called before the value goes on.
        #expect(eventually { all.value == 3 })
    }

    @Test("from a serial queue to a concurrent one and back, in order")
    func hops() {
        let serial = DispatchQueue(label: "serial")
        let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let source = MutableNode<Int>()
        let result = source.deliver(on: serial)
            .delay(.milliseconds(2), on: concurrent)
            .deliver(on: concurrent)
            .delay(.milliseconds(1), on: serial)
        lifetime.listen(to: result).with { [log, last] value in
            dispatchPrecondition(condition: .onQueue(serial))
            log.add(value)
            if value == 999 { last.signal() }
        }
        for value in 0..<1_000 { source.value = value }
        #expect(last.waitForSignals())
        #expect(log.entries == Array(0..<1_000))
    }

    // In child processes, which run a main queue and have nothing else on it.

    @Test("on the main queue values arrive on it, in order")
    func mainQueue() async {
        await #expect(processExitsWith: .success) {
            let lifetime = Lifetime()
            let log = Log<Int>()
            let done = Log<String>()
            let source = MutableNode<Int>()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                @Sendable func finish(_ name: String) {
                    dispatchPrecondition(condition: .onQueue(.main))
                    done.add(name)
                    if done.entries.count == 3 { continuation.resume() }
                }
                lifetime.listen(to: source.deliverOnMainQueue()).with { value in
                    dispatchPrecondition(condition: .onQueue(.main))
                    log.add(value)
                    if value == 99 { finish("deliver") }
                }
                lifetime.listen(to: source.delayOnMainQueue(.milliseconds(2))).with { if $0 == 99 { finish("delay") } }
                lifetime.listen(to: source.throttleOnMainQueue(.milliseconds(2))).with {
                    if $0 == 99 { finish("throttle") }
                }
                DispatchQueue.global().async {
                    for value in 0..<100 { source.value = value }
                }
            }
            precondition(log.entries == Array(0..<100))
        }
    }

    @Test("withOnMainActor: from another thread by the main queue, in order")
    func mainActorFromElsewhere() async {
        await #expect(processExitsWith: .success) {
            let lifetime = Lifetime()
            let log = Log<Int>()
            let source = MutableNode<Int>()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                lifetime.listen(to: source).withOnMainActor { value in
                    MainActor.preconditionIsolated()
                    dispatchPrecondition(condition: .onQueue(.main))
                    log.add(value)
                    if value == 99 { continuation.resume() }
                }
                DispatchQueue.global().async {
                    for value in 0..<100 { source.value = value }
                }
            }
            precondition(log.entries == Array(0..<100))
        }
    }

    @Test("withOnMainActor hears a value set on the main thread at once, and waiting values just before it")
    func mainActorAtOnce() async {
        await #expect(processExitsWith: .success) {
            await MainActor.run {
                let lifetime = Lifetime()
                let log = Log<Int>()
                let source = MutableNode(0)
                lifetime.listen(to: source).withOnMainActor { log.add($0) }
                precondition(log.entries == [0])
                source.value = 1
                precondition(log.entries == [0, 1])

                let isSet = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    source.value = 2
                    isSet.signal()
                }
                // The main thread is busy here, so that 2 waits for it.
                isSet.wait()
                precondition(log.entries == [0, 1])
                source.value = 3
                precondition(log.entries == [0, 1, 2, 3])
            }
        }
    }

    @Test("withOnMainActor: a value that the body sets is heard after the body")
    func mainActorReentrancy() async {
        await #expect(processExitsWith: .success) {
            await MainActor.run {
                let lifetime = Lifetime()
                let log = Log<Int>()
                let source = MutableNode(1)
                lifetime.listen(to: source).withOnMainActor { value in
                    if value < 3 { source.value = value + 1 }
                    log.add(value)
                }
                precondition(log.entries == [1, 2, 3])
            }
        }
    }
}

/// The operators with intervals that a test on a real clock can wait for.
enum RealOperator: Sendable {
    case deliver, delay, throttle

    func apply<Value>(to node: Node<Value>, on queue: DispatchQueue) -> Node<Value> {
        switch self {
        case .deliver: node.deliver(on: queue)
        case .delay: node.delay(.milliseconds(3), on: queue)
        case .throttle: node.throttle(.milliseconds(20), on: queue)
        }
    }
}
