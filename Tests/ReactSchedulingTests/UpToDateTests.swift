import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@Suite("Up to date")
struct UpToDateTests {
    struct Odd: Error {}
    let clock = VirtualScheduler(), lifetime = Lifetime()

    /// Takes so many seconds, and fails for 13.
    private func work(_ value: Int) async throws -> Int {
        try await Task.sleep(for: .seconds(value), clock: clock.clock)
        if value == 13 { throw Odd() }
        return value * 10
    }

    // MARK: The cases that users of other libraries have reported

    @Test("the answer stays false when the second of two stages begins")
    func secondStage() {
        let text = MutableNode<Int>()
        let results = text.debounce(.seconds(1), on: clock).mapLatest(executorPreference: clock) {
            try await self.work($0)
        }
        let answer = results.upToDate(), heard = Heard(answer)
        #expect(answer.value == true)
        text.value = 2
        #expect(answer.value == false)
        clock.advance(by: .seconds(1))
        #expect(results.value == .running(last: nil))
        #expect(answer.value == false)
        clock.advance(by: .seconds(2))
        #expect(results.value == .finished(20))
        #expect(heard.values == [true, false, true])
    }

    @Test(
        "the answer is true when the newest work has ended, though earlier work was cancelled, or when work has failed")
    func cancelledOrFailed() {
        let source = MutableNode<Int>()
        let results = source.mapLatest(executorPreference: clock) { try await self.work($0) }
        let heard = Heard(results.upToDate())
        source.value = 5
        source.value = 1
        #expect(heard.values == [true, false])
        clock.run()
        #expect(heard.values == [true, false, true])
        source.value = 13
        clock.run()
        #expect(heard.values == [true, false, true, false, true])
    }

    @Test("a node that asks in the middle has the right answer at once, and the next one in time")
    func madeInTheMiddle() {
        let source = MutableNode<Int>(), delayed = source.delay(.seconds(2), on: clock)
        source.value = 1
        clock.advance(by: .seconds(1))
        let heard = Heard(delayed.upToDate())
        #expect(heard.values == [false])
        clock.advance(by: .seconds(1))
        #expect(heard.values == [false, true])
    }

    @Test("a stage that is cut, or removed from the graph, holds nothing any more")
    func removedStage() {
        let source = MutableNode(1), copy = Node<Int>()
        let delayed = source.delay(.seconds(2), on: clock)
        let link = copy.link(to: delayed)
        let heard = Heard(copy.upToDate())
        #expect(heard.values == [false])
        link.cancel()
        #expect(heard.values == [false, true])
        copy.link(to: delayed)
        #expect(heard.values == [false, true, false])
        delayed.upstreamTransforms[0].cancel()
        #expect(heard.values == [false, true, false, true])
        clock.run()
        #expect(copy.isEmpty)
    }

    @Test("a value that a filter behind the stage drops has arrived")
    func filtered() {
        let source = MutableNode<Int>()
        let evens = source.debounce(.seconds(1), on: clock).filter { $0.isMultiple(of: 2) }
        let heard = Heard(evens.upToDate())
        source.value = 1
        clock.run()
        #expect(evens.isEmpty)
        #expect(heard.values == [true, false, true])
    }

    @Test("an inner node that is switched away from does not count, and the one that is switched to does")
    func switched() {
        let source = MutableNode<Int>(), choice = MutableNode(true), other = MutableNode(0)
        let slow = source.delay(.seconds(3), on: clock)
        let shown = choice.flattenMap { $0 ? slow : other }
        let heard = Heard(shown.upToDate())
        source.value = 1
        #expect(heard.values == [true, false])
        choice.value = false
        #expect(heard.values == [true, false, true])
        choice.value = true
        #expect(heard.values == [true, false, true, false])
        clock.run()
        #expect(heard.values == [true, false, true, false, true])
        #expect(shown.value == 1)
    }

    @Test("the answer does not flicker between two stages, nor when a stage is re-pointed")
    func noFlicker() {
        let first = MutableNode<Int>(), second = MutableNode(7)
        let debounced = first.debounce(.seconds(1), on: clock)
        let delivered = debounced.delay(.seconds(1), on: clock).deliver(on: clock)
        let heard = Heard(delivered.upToDate())
        first.value = 1
        (debounced.upstreamTransforms[0] as? Transform<Int, Int>)?.from = second
        #expect(heard.values == [true, false])
        clock.run()
        #expect(delivered.value == 7)
        #expect(heard.values == [true, false, true])
    }

    @Test("a value that waits for another branch does not count")
    func otherBranch() {
        let source = MutableNode<Int>(), delayed = source.delay(.seconds(1), on: clock), plain = source.map { $0 }
        let heard = Heard(plain.upToDate())
        source.value = 1
        #expect(plain.isUpToDate)
        #expect(!delayed.isUpToDate)
        #expect(heard.values == [true])
        clock.run()
    }

    @Test("a combination of the answer and the result never shows the old result beside true, and fires once for each")
    func neverOldAsNew() {
        let text = MutableNode<Int>()
        let results = text.debounce(.seconds(1), on: clock).mapInOrder(executorPreference: clock) {
            try await self.work($0)
        }
        let output = results.successes().starting(with: 0)
        let page = Heard(combine(output, output.upToDate()).mapEach { "\($0) \($1)" })
        text.value = 1
        clock.advance(by: .seconds(1))
        text.value = 2
        clock.run()
        #expect(page.values == ["0 true", "0 false", "10 false", "20 true"])
    }

    // MARK: Which values are on their way

    @Test("a value that sample or collect has yet to pass on is on its way, and an interval without a value is not")
    func intervals() {
        let source = MutableNode<Int>()
        let samples = source.sample(every: .seconds(2), on: clock),
            arrays = source.collect(every: .seconds(3), on: clock)
        source.value = 1
        #expect(samples.isUpToDate)
        #expect(!arrays.isUpToDate)
        source.value = 2
        #expect(!samples.isUpToDate)
        clock.advance(by: .seconds(2))
        #expect(samples.isUpToDate)
        clock.advance(by: .seconds(1))
        #expect(arrays.isUpToDate)
        #expect(arrays.value == [1, 2])
        clock.run()
    }

    @Test("a change that a sampled combination has yet to pass on is on its way")
    func sampledCombination() {
        let nodes = [MutableNode(1), MutableNode(2)]
        let table = combine(nodes, sampledEvery: .seconds(1), on: clock)
        let heard = Heard(table.upToDate())
        #expect(heard.values == [true])
        nodes[0].value = 3
        #expect(table.value == [1, 2])
        #expect(heard.values == [true, false])
        clock.run()
        #expect(table.value == [3, 2])
        #expect(heard.values == [true, false, true])
    }

    @Test("ticks, timeout and listeners take no value for later")
    func takesNothing() {
        let ticks = Node.ticks(every: .seconds(1), on: clock), source = MutableNode(1)
        let guarded = source.timeout(.seconds(5), on: clock)
        source.listened(by: lifetime).with(on: clock) { _ in }
        #expect(ticks.isUpToDate && guarded.isUpToDate && source.isUpToDate)
        source.value = 2
        #expect(guarded.isUpToDate && source.isUpToDate)
    }

    @Test("emptying drops nothing, and a pulse counts as a value")
    func emptyingAndPulses() {
        let source = MutableNode<Int>(), delayed = source.delay(.seconds(1), on: clock)
        let heard = Heard(delayed.upToDate())
        source.value = 1
        source.clean()
        #expect(!delayed.isUpToDate)
        clock.run()
        source.pulse(2)
        #expect(!delayed.isUpToDate)
        clock.run()
        #expect(heard.values == [true, false, true, false, true])
    }

    @Test("a computed, a combination and both inputs of withLatest lead upstream")
    func throughJoins() {
        let source = MutableNode<Int>(1), plain = MutableNode(1), delayed = source.delay(.seconds(1), on: clock)
        clock.run()
        let body = computed { read in try read(delayed) + read(plain) }
        let nodes: [(String, Node<Bool>)] = [
            ("computed", body.upToDate()), ("combine", combine(plain, delayed).upToDate()),
            ("first", delayed.withLatest(from: plain).upToDate()),
            ("second", plain.withLatest(from: delayed).upToDate()),
        ]
        source.value = 2
        for (name, node) in nodes { #expect(node.value == false, "\(name)") }
        clock.run()
        for (name, node) in nodes { #expect(node.value == true, "\(name)") }
    }

    @Test("a branch of a switch asks about the switch's source")
    func branches() {
        let source = MutableNode(1), delayed = source.delay(.seconds(1), on: clock)
        clock.run()
        let odd = delayed.switch { $0.isMultiple(of: 2) ? "even" : "odd" }.case("odd")
        let heard = Heard(odd.upToDate())
        source.value = 3
        clock.run()
        source.value = 4
        clock.run()
        #expect(heard.values == [true, false, true, false, true])
    }

    @Test("in a ring, each edge counts once")
    func ring() {
        let first = MutableNode(1), second = MutableNode<Int>()
        second.link(to: first)
        let back = second.delay(.seconds(1), on: clock)
        first.link(to: back)
        let heard = Heard(first.upToDate())
        #expect(heard.values == [false])
        clock.run()
        #expect(heard.values == [false, true])
        first.removeUpstreamNodes()
    }

    @Test(
        "the answer changes with the batch that gives the value to the edge, and a batch that sets it twice is one change"
    )
    func batches() {
        let source = MutableNode<Int>(), delayed = source.delay(.seconds(1), on: clock)
        let heard = Heard(delayed.upToDate())
        batch {
            source.value = 1
            source.value = 2
            #expect(!delayed.isUpToDate)
            #expect(heard.values == [true])
        }
        #expect(heard.values == [true, false])
        clock.run()
        #expect(heard.values == [true, false, true])
    }

    @Test("a node is not up to date in the middle of its delivery, nor a combination that an open batch has reached")
    func underDelivery() {
        let source = MutableNode(1), other = MutableNode(1), sum = combine(source, other).mapEach { $0 + $1 }
        let seen = Recorder<Bool>()
        source.listened(by: lifetime).with { _ in seen.record(source.isUpToDate) }
        source.value = 2
        batch {
            source.value = 3
            #expect(!sum.isUpToDate)
        }
        #expect(sum.isUpToDate)
        #expect(seen.events == [true, false, false])
    }

    @Test("when nobody asks any more, and when the asked nodes go, nothing is left")
    func nothingLeft() throws {
        try expectNothingLeft {
            let clock = VirtualScheduler(), source = MutableNode(1)
            do {
                let delayed = source.delay(.seconds(1), on: clock)
                let answer = delayed.upToDate()
                source.value = 2
                #expect(answer.value == false)
            }
            source.value = 3
            #expect(source.downstreamTransforms.isEmpty)
            clock.run()
        }
    }

    // MARK: Waiting for it

    @Test("a task waits until its node is up to date, and gets the value")
    func whenUpToDate() async throws {
        let source = MutableNode(3)
        let results = source.debounce(.seconds(1), on: clock).mapLatest(executorPreference: clock) {
            try await self.work($0)
        }
        let task = Task(executorPreference: clock) { try await results.whenUpToDate()?.output }
        clock.run()
        #expect(try await task.value == 30)
        #expect(try await results.whenUpToDate()?.output == 30)
        #expect(try await Node<Int>().whenUpToDate() == nil)
    }

    @Test("a task that waits is cancelled")
    func whenUpToDateCancelled() async {
        let delayed = MutableNode(1).delay(.seconds(1), on: clock)
        let task = Task { try await delayed.whenUpToDate() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a task that a listener begins waits until the delivery is over")
    func whenDelivered() async throws {
        let source = MutableNode<Int>(), double = source.map { $0 * 2 }, task = Locked<Task<Int?, any Error>?>(nil)
        source.listened(by: lifetime).with { _ in task.value = Task { try await double.whenUpToDate() } }
        source.value = 4
        #expect(try await task.value?.value == 8)
    }

    @Test("with several threads, no firing shows an old value beside true, and the last one is right")
    func threads() {
        let scheduler = HandScheduler()
        let source = MutableNode(0)
        let delivered = source.deliver(on: scheduler), page = combine(source, delivered, delivered.upToDate())
        let last = Locked<(Int, Int, Bool)?>(nil), wrong = Locked(0)
        page.listened(by: lifetime).with { set, shown, isUpToDate in
            if isUpToDate, set != shown { wrong.increment() }
            last.value = (set, shown, isUpToDate)
        }
        let count = Scale.scaled(1_000)
        concurrently(3) { thread in
            for value in 1...count {
                if thread == 0 { scheduler.runAll() } else { source.value = thread * count * 2 + value }
            }
        }
        waitForLate(at: source)
        scheduler.runAll()
        #expect(wrong.value == 0)
        #expect(last.value?.0 == source.value && last.value?.1 == source.value)
        #expect(last.value?.2 == true)
    }
    @Test("the result of work on another executor never stands beside true while the text is newer")
    func otherExecutor() async throws {
        let text = MutableNode(0), wrong = Locked(0)
        let results = text.mapLatest { number in
            for _ in 0..<number % 5 { await Task.yield() }
            return number
        }.successes()
        combine(text, results, results.upToDate()).listened(by: lifetime).with { text, result, isUpToDate in
            if isUpToDate, result != text { wrong.increment() }
        }
        for number in 1...Scale.scaled(5_000) {
            text.value = number
            if number % 3 == 0 { await Task.yield() }
        }
        #expect(try await results.whenUpToDate() == text.value)
        #expect(wrong.value == 0)
    }

    // MARK: Changes of the graph

    @Test("an edge that is pointed elsewhere changes the value and the answer in one step")
    func repointed() throws {
        let slow = MutableNode(1), fast = MutableNode(10)
        let waiting = slow.delay(.seconds(1), on: clock)
        clock.run()
        let shown = waiting.map { $0 }, told = Locked<[String]>([])
        combine(shown, shown.upToDate()).listened(by: lifetime).with { value, isUpToDate in
            told.withLock { $0.append("\(value) \(isUpToDate)") }
        }
        slow.value = 2
        told.value = []
        try #require(shown.upstreamTransforms[0] as? Transform<Int, Int>).from = fast
        #expect(told.value == ["10 true"])
    }
    @Test("an edge from one node that waits to another one, before a third that waits, leaves the answer false")
    func repointedBetweenWaiting() throws {
        let source = MutableNode(1), other = MutableNode(2)
        let first = source.delay(.seconds(1), on: clock).map { $0 }
        let second = first.collect(every: .seconds(1), on: clock).map { $0.last! }
        clock.run()
        let heard = Heard(second.upToDate())
        source.value = 5
        #expect(heard.values == [true, false])
        try #require(first.upstreamTransforms[0] as? Transform<Int, Int>).from = other
        #expect(heard.values == [true, false])
        clock.run()
        #expect(heard.values == [true, false, true])
    }
}
