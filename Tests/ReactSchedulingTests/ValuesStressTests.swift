import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@Suite("Loops over values, on threads", .serialized)
struct ValuesStressTests {
    private static let threads = 4
    private static let sets = Scale.heavy(100_000)
    private static let end = -1

    /// Lets `threads` threads set a node, then sets it to `end`; answers what it delivered.
    private static func hammer(_ node: MutableNode<Int>, meanwhile: () async -> Void) async -> [Int] {
        let delivered = Recorder<Int>(), lifetime = Lifetime()
        node.listened(by: lifetime).with { delivered.record($0) }
        let isOver = AsyncStream<Void>.makeStream()
        Worker {
            concurrently(threads) { thread in
                for step in 0..<sets { node.value = thread * sets + step }
            }
            node.value = end
            isOver.continuation.finish()
        }
        await meanwhile()
        for await _ in isOver.stream {}
        lifetime.cancel()
        return delivered.events
    }
    private static func isSubsequence(_ values: [Int], of all: [Int]) -> Bool {
        var rest = all[...]
        for value in values {
            guard let place = rest.firstIndex(of: value) else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }
    /// Goes on until the last value, with pauses at random; answers what it has seen.
    @Sendable private static func loop(over values: NodeValues<Int>, seed: UInt64) async -> [Int] {
        var random = SeededGenerator(seed: seed)
        var seen: [Int] = []
        for await value in values {
            seen.append(value)
            if value == end { break }
            switch UInt64.random(in: 0..<100, using: &random) {
            case 0: try? await Task.sleep(for: .microseconds(Int.random(in: 1...200, using: &random)))
            case 1...9: await Task.yield()
            default: break
            }
        }
        return seen
    }

    @Test("while 4 threads set, loops that pause at random see values in order, none twice, and always the last")
    func neverMissed() async {
        var random = SeededGenerator.announced()
        let seeds = (0..<6).map { _ in random.next() }
        let node = MutableNode<Int>()
        let bufferings: [NodeBuffering] = [.newest(1), .newest(1), .newest(3), .newest(100), .all, .all]
        let loops = zip(bufferings, seeds).map { buffering, seed in
            Task {
                let values = node.values(buffering: buffering)
                return await Self.loop(over: values, seed: seed)
            }
        }
        while node.listenEdges.count < bufferings.count { await Task.yield() }
        let delivered = await Self.hammer(node) {}
        #expect(delivered.count == Self.threads * Self.sets + 1)
        for (buffering, loop) in zip(bufferings, loops) {
            let seen = await loop.value
            #expect(seen.last == Self.end)
            if case .all = buffering {
                #expect(seen == delivered)
            } else {
                #expect(Self.isSubsequence(seen, of: delivered))
            }
        }
        #expect(!node.hasListener)
    }

    @Test("while 4 threads set, a loop that keeps the oldest sees values in order, none twice, from the first on")
    func oldest() async {
        let node = MutableNode<Int>(), isOver = Counter()
        let loop = Task {
            let seen = await Self.loop(over: node.values(buffering: .oldest(3)), seed: 1)
            isOver.increment()
            return seen
        }
        while !node.hasListener { await Task.yield() }
        let delivered = await Self.hammer(node) {}
        // What comes while the line is full is dropped, also the end.
        while isOver.value == 0 {
            node.value = Self.end
            await Task.yield()
        }
        let seen = await loop.value
        #expect(seen.first == delivered.first)
        #expect(Self.isSubsequence(seen, of: delivered))
        #expect(!node.hasListener)
    }

    @Test("all nodes derived from a loop's node are up to date, while another thread sets in batches")
    func derived() async {
        let a = MutableNode(0), b = MutableNode(0), lifetime = Lifetime()
        let sum = a.combine(b).map { $0 + $1 }
        // So that it takes a while until the combination fires.
        let chain = (0..<50).reduce(a as Node<Int>) { node, _ in node.map { $0 } }
        chain.listened(by: lifetime).with { _ in }
        let last = Scale.scaled(20_000)
        let loops = (0..<2).map { _ in
            Task {
                var stale = 0
                for await value in a.values {
                    if sum.value! < 2 * value { stale += 1 }
                    if value == last { break }
                }
                return stale
            }
        }
        // A loop that began in the middle of a batch would have found the node's present value, as a listener does.
        while a.listenEdges.count < loops.count { await Task.yield() }
        Worker {
            for value in 1...last {
                batch {
                    a.value = value
                    b.value = value
                }
            }
        }
        for loop in loops { #expect(await loop.value == 0) }
    }

    @Test("loops that are cancelled while others set end, and leave the others alone")
    func cancelledMeanwhile() async {
        let node = MutableNode<Int>()
        let staying = Task { await Self.loop(over: node.values, seed: 1) }
        while !node.hasListener { await Task.yield() }
        let delivered = await Self.hammer(node) {
            for round in 0..<Scale.scaled(2_000) {
                let values = node.values(buffering: round.isMultiple(of: 2) ? .newest(1) : .all)
                let loop = Task { for await _ in values {} }
                if round.isMultiple(of: 3) { await Task.yield() }
                loop.cancel()
                await loop.value
            }
        }
        let seen = await staying.value
        #expect(seen.last == Self.end)
        #expect(Self.isSubsequence(seen, of: delivered))
        #expect(!node.hasListener)
    }

    @Test("an actor hears every value that 4 threads set, in order")
    func onActor() async {
        actor Diary {
            var entries: [Int] = []
            func add(_ entry: Int) { entries.append(entry) }
            var last: Int? { entries.last }
        }
        let node = MutableNode<Int>(), diary = Diary(), lifetime = Lifetime()
        node.listened(by: lifetime).with(on: diary) { diary, value in diary.add(value) }
        let delivered = await Self.hammer(node) {}
        while await diary.last != Self.end { await Task.yield() }
        #expect(await diary.entries == delivered)
    }

    @Test("a node that follows another's values, all of them, ends where that does, and has been there in order")
    func followed() async {
        let source = MutableNode<Int>(), copy = MutableNode<Int>(), lifetime = Lifetime()
        let copied = Recorder<Int>()
        copy.listened(by: lifetime).with { copied.record($0) }
        copy.follow(source.values(buffering: .all), in: lifetime)
        while !source.hasListener { await Task.yield() }
        let delivered = await Self.hammer(source) {}
        // The node has the value before its listener has heard it.
        while copied.events.last != Self.end { await Task.yield() }
        #expect(copied.events == delivered)
    }

    @Test("work for each of many values that come from 4 threads ends with the last value's")
    func mapLatest() async throws {
        let node = MutableNode<Int>()
        let result = node.mapLatest { value in
            if value.isMultiple(of: 16) { await Task.yield() }
            return value
        }
        let outOfStep = Recorder<String>(), lifetime = Lifetime()
        result.listened(by: lifetime).with { phase in
            if case .failed = phase { outOfStep.record(phase.text) }
        }
        _ = await Self.hammer(node) {}
        let last = try await result.first { $0.output == Self.end }
        #expect(last.text == "finished -1")
        #expect(outOfStep.events == [])
    }
}
