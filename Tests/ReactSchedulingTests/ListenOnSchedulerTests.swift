import Dispatch
import ReactCore
import ReactScheduling
import TestSupport
import Testing

@Suite("Listening on a scheduler")
struct ListenOnSchedulerTests {
    let scheduler = VirtualScheduler()
    let lifetime = Lifetime()
    let source = MutableNode<Int>()
    let log = Log<Int>()

    @Test("the present value and every later one are heard by the scheduler, in order")
    func order() {
        source.value = 0
        lifetime.listen(to: source).with(on: scheduler) { [log] in log.add($0) }
        #expect(log.entries == [])
        source.value = 1
        scheduler.advance()
        #expect(log.entries == [0, 1])
        for value in 2..<100 { source.value = value }
        scheduler.run()
        #expect(log.entries == Array(0..<100))
    }

    @Test("a scheduler that runs work in the wrong order does not change the order of values")
    func shuffled() {
        let shuffler = Shuffler(seed: 11)
        lifetime.listen(to: source).with(on: shuffler) { [log] in log.add($0) }
        for value in 0..<100 { source.value = value }
        shuffler.runAll()
        #expect(log.entries == Array(0..<100))
    }

    @Test("the context comes along")
    func context() {
        let heard = Log<String>()
        lifetime.listen(to: source).withContext(on: scheduler) { heard.add("\($0) \($1 as? String ?? "-")") }
        source.setValue(1, context: "why")
        source.setValue(2)
        scheduler.run()
        #expect(heard.entries == ["1 why", "2 -"])
    }

    @Test("the sender list comes along")
    func senders() {
        let end = Node<Int>().named("end")
        end.link(to: source.named("start"))
        let heard = Log<[String?]>()
        lifetime.listen(to: end).withSenderListAndContext(on: scheduler) { value, senders, context in
            heard.add(["\(value)", context as? String, senders.senders.contains { $0.name == "start" } ? "start" : nil])
        }
        source.setValue(1, context: "why")
        scheduler.run()
        #expect(heard.entries == [["1", "why", "start"]])
    }

    @Test("emptying the node is not heard, and drops nothing")
    func emptied() {
        lifetime.listen(to: source).with(on: scheduler) { [log] in log.add($0) }
        source.value = 1
        source.clean()
        scheduler.run()
        #expect(log.entries == [1])
    }

    @Test("values that still wait when the listening is cancelled are not heard")
    func cancel() {
        let listening = lifetime.listen(to: source).with(on: scheduler) { [log] in log.add($0) }
        source.value = 1
        listening.cancel()
        scheduler.run()
        #expect(log.entries == [])
    }

    @Test("a listening that is cancelled from inside hears none of the waiting values")
    func cancelFromInside() {
        let listening = Box<any Cancelable>()
        listening.value = lifetime.listen(to: source).with(on: scheduler) { [log] value in
            log.add(value)
            if value == 2 { listening.value?.cancel() }
        }
        for value in 1...4 { source.value = value }
        scheduler.run()
        #expect(log.entries == [1, 2])
    }

    @Test("values that still wait when stopListening is called are not heard")
    func stopListening() {
        lifetime.listen(to: source).with(on: scheduler) { [log] in log.add($0) }
        source.value = 1
        source.stopListening(by: lifetime)
        scheduler.run()
        #expect(log.entries == [])
    }

    @Test("values that still wait when the listener is released are not heard, and are released")
    func releasedListener() {
        weak var value: Payload?
        let node = MutableNode<Payload>()
        do {
            let listener = Lifetime()
            listener.listen(to: node).with(on: scheduler) { [log] _ in log.add(1) }
            let payload = Payload()
            value = payload
            node.value = payload
        }
        node.clean()
        // A recorder of another test may hold values for a moment.
        #expect(eventually { value == nil })
        scheduler.run()
        #expect(log.entries == [])
        #expect(!node.hasListener)
    }

    @Test("values that still wait when a listener of any other class is released are not heard")
    func releasedObject() {
        weak var gone: Payload?
        do {
            let listener = Payload()
            gone = listener
            source.listened(by: listener).with(on: scheduler) { [log] in log.add($0) }
            source.value = 1
            withExtendedLifetime(listener) {}
        }
        #expect(eventually { gone == nil })
        scheduler.run()
        #expect(log.entries == [])
    }

    @Test("a body that sets the node hears the new value after it has returned")
    func reentrancy() {
        lifetime.listen(to: source).with(on: InlineScheduler()) { [log, source] value in
            if value < 3 { source.value = value + 1 }
            log.add(value)
        }
        source.value = 1
        #expect(log.entries == [1, 2, 3])
    }

    @Test("a concurrent queue calls the body once at a time, in order")
    func concurrentQueue() {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let running = Counter()
        let last = DispatchSemaphore(value: 0)
        lifetime.listen(to: source).with(on: queue) { [log] value in
            dispatchPrecondition(condition: .onQueue(queue))
            running.increment()
            log.add(value)
            if running.value != value + 1 { log.add(-1) }
            if value == 4_999 { last.signal() }
        }
        for value in 0..<5_000 { source.value = value }
        #expect(last.waitForSignals())
        #expect(log.entries == Array(0..<5_000))
    }
}
