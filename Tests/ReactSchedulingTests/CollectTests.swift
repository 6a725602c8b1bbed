import Dispatch
import ReactCore
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@Suite("Collect")
struct CollectTests {
    let scheduler = VirtualScheduler(), source = MutableNode<Int>()

    private func check(_ scheduler: some Scheduler, _ advance: (Duration) -> Void) {
        let heard = Heard(source.collect(every: .seconds(2), on: scheduler))
        advance(.seconds(7))
        source.value = 1
        source.value = 2
        advance(.milliseconds(1_999))
        #expect(heard.values == [])
        source.value = 3
        advance(.milliseconds(1))
        #expect(heard.values == [[1, 2, 3]])
        advance(.milliseconds(1_500))
        source.value = 4
        advance(.milliseconds(500))
        #expect(heard.values == [[1, 2, 3], [4]])
        advance(.seconds(10))
        #expect(heard.values == [[1, 2, 3], [4]])
        source.value = 5
        advance(.seconds(2))
        #expect(heard.values == [[1, 2, 3], [4], [5]])
    }

    @Test("the values of each interval come as an array when it is over, and nothing for an empty one")
    func clock() {
        check(scheduler) { scheduler.advance(by: $0) }
        scheduler.run()
        #expect(scheduler.pendingCount == 0)
    }

    @Test("collect keeps its intervals with a scheduler that has no clock to read")
    func noClock() {
        check(PlainScheduler(base: scheduler)) { scheduler.advance(by: $0) }
    }

    @Test("an empty source schedules nothing; the present value is collected; the transform bears the name")
    func start() {
        let empty = source.collect(every: .seconds(2), on: scheduler)
        #expect(scheduler.pendingCount == 0 && empty.isEmpty && !empty.isMutable)
        let node = Node(1).collect(every: .seconds(2), on: scheduler)
        scheduler.run()
        #expect(node.value == [1])
        #expect(node.upstreamTransforms.map(\.name) == ["Collect"])
    }

    @Test("values that wait keep nothing alive, and go with the node, or when the transform is cut")
    func lifetime() throws {
        weak var value: Payload?
        let payloads = MutableNode<Payload>()
        do {
            let node = payloads.collect(every: .seconds(2), on: scheduler), payload = Payload()
            value = payload
            payloads.value = payload
            withExtendedLifetime(node) {}
        }
        payloads.clean()
        #expect(value == nil)
        #expect(scheduler.pendingCount == 0)
        let node = source.collect(every: .seconds(2), on: scheduler), heard = Heard(node)
        source.value = 1
        node.removeUpstreamNodes()
        #expect(scheduler.pendingCount == 0)
        scheduler.run()
        #expect(heard.values == [])
    }

    @Test("given another `from`, it drops the values of before, and the new value's interval begins")
    func from() throws {
        let node = source.collect(every: .seconds(2), on: scheduler), heard = Heard(node)
        source.value = 1
        scheduler.advance(by: .seconds(1))
        let transform = try #require(node.upstreamTransforms.first as? Transform<Int, [Int]>)
        transform.from = Node(5)
        scheduler.advance(by: .milliseconds(1_999))
        #expect(heard.values == [])
        scheduler.run()
        #expect(heard.values == [[5]])
    }

    @Test("context and sender list are the last value's, and a listener may set the source")
    func context() {
        source.named("source")
        let lifetime = Lifetime(), heard = Log<String>()
        source.collect(every: .seconds(2), on: scheduler).listened(by: lifetime)
            .withSenderListAndContext { [source] values, senders, context in
                heard.add("\(values) \(context as? String ?? "-") \(senders.senders.compactMap(\.name))")
                if values.count == 2 { source.value = 3 }
            }
        source.setValue(1, context: "one")
        source.setValue(2, context: "two")
        scheduler.run()
        #expect(heard.entries == ["[1, 2] two [\"source\"]", "[3] - [\"source\"]"])
    }

    @Test("an array of a secret is a secret")
    func redacted() {
        let password = MutableNode("hidden").redacted()
        let lines = password.collect(every: .seconds(1), on: scheduler)
        let result = password.timeout(.seconds(1), on: scheduler)
        let table = combine([password], sampledEvery: .seconds(1), on: scheduler)
        scheduler.advance(by: .seconds(1))
        for text in [lines.description, result.description, table.description] {
            #expect(text.contains("redacted") && !text.contains("hidden"))
        }
    }

    @Test("on a concurrent queue, from four threads, every value comes once, each thread's in order")
    func concurrent() async throws {
        let values = MutableNode<[Int]>(), queue = DispatchQueue(label: "collect", attributes: .concurrent)
        let arrays = values.collect(every: .microseconds(100), on: queue), heard = Heard(arrays), count = 2_000
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<count { values.value = [thread, number] }
        }
        _ = try await arrays.whenUpToDate()
        let all = heard.values.flatMap { $0 }
        for thread in 0..<4 { #expect(all.filter { $0[0] == thread }.map { $0[1] } == Array(0..<count)) }
    }

    @Test("a listener that re-points the edge in mid-delivery leaves the next interval as long as any")
    func repointedInMidDelivery() throws {
        let clock = VirtualScheduler(), lifetime = Lifetime()
        let first = MutableNode<Int>(), second = MutableNode<Int>()
        let arrays = first.collect(every: .seconds(1), on: clock), heard = Heard(arrays)
        let edge = try #require(arrays.upstreamTransforms[0] as? Transform<Int, [Int]>)
        arrays.listened(by: lifetime).with { values in
            guard values == [1] else { return }
            edge.from = second
            second.value = 2
        }
        first.value = 1
        clock.advance(by: .seconds(1))
        #expect(heard.values == [[1]])
        clock.advance(by: .seconds(1))
        #expect(heard.values == [[1], [2]])
    }
}
