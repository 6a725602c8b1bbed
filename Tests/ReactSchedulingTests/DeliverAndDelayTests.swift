import Dispatch
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@Suite("deliver and delay")
struct DeliverAndDelayTests {
    static let operators: [TimeOperator] = [.deliver, .delay(1)]
    let scheduler = VirtualScheduler()
    let lifetime = Lifetime()
    let log = Log<Int>()

    @Test("every value arrives, in order", arguments: operators)
    func order(operation: TimeOperator) {
        let source = MutableNode<Int>()
        let result = operation.apply(to: source, on: scheduler)
        lifetime.listen(to: result).with { [log] in log.add($0) }
        for value in 0..<2_000 {
            source.value = value
            if value.isMultiple(of: 100) { scheduler.advance(by: .milliseconds(70)) }
        }
        scheduler.run()
        #expect(log.entries == Array(0..<2_000))
    }

    @Test(
        "the first value looks at few nodes on its way through a long chain, and not at all before each",
        arguments: operators)
    func longChain(operation: TimeOperator) {
        let source = MutableNode(0), counter = StepCounter(), count = 1_000
        var node: Node<Int> = source
        for _ in 0..<count { node = operation.apply(to: node, on: scheduler) }
        counter.counting { scheduler.run() }
        #expect(node.value == 0)
        #expect(counter.value <= 10 * count)
    }
    @Test("a value of another thread than the one before looks at few nodes on its way", arguments: operators)
    func longChainOfTwoThreads(operation: TimeOperator) {
        let source = MutableNode(0), counter = StepCounter(), count = 1_000
        var node: Node<Int> = source
        for _ in 0..<count { node = operation.apply(to: node, on: scheduler) }
        Worker { [scheduler] in scheduler.run() }.join()
        counter.counting {
            source.value = 1
            scheduler.run()
        }
        #expect(node.value == 1)
        #expect(counter.value <= 10 * count)
    }
    @Test("a graph behind a delivery goes on while a batch keeps the graph before it busy", arguments: operators)
    func border(operation: TimeOperator) {
        let source = MutableNode(0), own = MutableNode(0)
        let total = combine(operation.apply(to: source, on: scheduler), own) { $0 + $1 }
        scheduler.run()
        let busy = BusyGraph(of: source, setting: 1)
        own.value = 10
        #expect(total.current == 10)
        busy.end()
        scheduler.run()
        #expect(total.current == 11)
    }

    @Test("a timer whose release asks about the node is released without a lock")
    func timerThatAsks() {
        let source = MutableNode<Int>(), node = Locked<Node<Int>?>(nil), answers = Recorder<Bool>()
        node.value = source.delay(
            .seconds(1),
            on: PartingScheduler(scheduler: scheduler) {
                if let node = node.value { answers.record(node.isUpToDate) }
            })
        source.value = 1
        scheduler.run()
        #expect(node.value?.value == 1)
        #expect(answers.events == [false])
    }

    @Test("each value has its own place among other scheduled work", arguments: operators)
    func place(operation: TimeOperator) {
        let source = MutableNode<Int>()
        let result = operation.apply(to: source, on: scheduler)
        let delay = operation.name == "Delay" ? Duration.seconds(1) : .zero
        lifetime.listen(to: result).with { [log] in log.add($0) }
        source.value = 1
        scheduler.schedule(after: delay) { log.add(-1) }
        source.value = 2
        scheduler.schedule(after: delay) { log.add(-2) }
        scheduler.run()
        #expect(log.entries == [1, -1, 2, -2])
    }

    @Test("a scheduler that runs work in the wrong order does not change the order of values", arguments: operators)
    func shuffled(operation: TimeOperator) {
        let shuffler = Shuffler(seed: 7)
        let source = MutableNode<Int>()
        let result = operation.apply(to: source, on: shuffler)
        lifetime.listen(to: result).with { [log] in log.add($0) }
        for value in 0..<500 { source.value = value }
        shuffler.runAll()
        #expect(log.entries == Array(0..<500))
    }

    @Test("values that are set while one is delivered follow it, not inside it", arguments: operators)
    func oneAtATime(operation: TimeOperator) {
        let source = MutableNode<Int>()
        let result = operation.apply(to: source, on: InlineScheduler())
        let other = result.deliver(on: InlineScheduler())
        lifetime.listen(to: other).with { [log] value in
            log.add(value)
            if value == 1 {
                source.value = 2
                source.value = 3
                log.add(-1)
            }
        }
        source.value = 1
        #expect(log.entries == [1, -1, 2, 3])
    }

    @Test("delay cancels the timers of values that it drops, one by one and all at once")
    func timers() {
        let counting = CountingScheduler(scheduler)
        let source = MutableNode<Int>()
        var result: Node<Int>? = source.delay(.seconds(10), on: counting)
        for value in 0..<10 {
            source.value = value
            scheduler.advance(by: .seconds(1))
        }
        #expect(result?.value == 0)
        #expect(counting.timersPending == 9)
        scheduler.advance(by: .seconds(4))
        #expect(result?.value == 4)
        #expect(counting.timersPending == 5)
        result = nil
        #expect(counting.timersPending == 0)
        #expect(scheduler.pendingCount == 0)
    }

    @Test(
        "an interval of zero or less ends the process, with the problem and the remedy", .enabled(if: Scale.runsTraps))
    func interval() async {
        let zero = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Node(1).delay(.zero, on: VirtualScheduler())
        }
        let negative = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Node(1).delay(.seconds(-1), on: VirtualScheduler())
        }
        for (result, seconds) in [(zero, "0.0"), (negative, "-1.0")] {
            let message = misuse(in: result?.standardErrorContent)
            #expect(message.contains("delay: the interval must be greater than zero, and \(seconds) seconds is not."))
            #expect(message.contains("deliver(on:)"))
        }
        #expect(placeOfMisuse(in: zero?.standardErrorContent) == "\(#fileID):\(#line - 11)")
    }

    @Test(
        "a combination of two delivered nodes shows one new and one old value, and a delivered combination does not")
    func deliveredCombination() {
        let clock = VirtualScheduler(), lifetime = Lifetime()
        let low = MutableNode(1), high = MutableNode(10)
        let apart = combine(low.deliver(on: clock), high.deliver(on: clock)) { "\($0)/\($1)" }
        let together = combine(low, high) { "\($0)/\($1)" }.deliver(on: clock)
        clock.run()
        let (heardApart, heardTogether) = (apart.heard(by: lifetime), together.heard(by: lifetime))
        batch {
            low.value = 2
            high.value = 20
        }
        clock.run()
        #expect(heardApart.events == ["1/10", "2/10", "2/20"])
        #expect(heardTogether.events == ["1/10", "2/20"])
    }
}

/// Keeps work back and then runs it in random order, as a concurrent queue might.
final class Shuffler: Scheduler {
    private let works = Lock<[@Sendable () -> Void]>([])
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    func schedule(_ work: @escaping @Sendable () -> Void) {
        works.withLock { $0.append(work) }
    }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        schedule(work)
        return BlockCancelable {}
    }
    func runAll() {
        var random = SeededGenerator(seed: seed)
        for work in works.withLock({ $0 }).shuffled(using: &random) { work() }
    }
}
