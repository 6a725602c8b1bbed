import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Collecting values")
struct CollectTests {
    @Test("collect makes arrays of so many values, and the rest waits")
    func collect() {
        let number = MutableNode(1)
        let pairs = number.collect(count: 2)
        let heard = pairs.recorded()
        #expect(pairs.isEmpty)
        for value in 2...5 { number.value = value }
        #expect(heard.events == [[1, 2], [3, 4]])
        #expect(number.collect(count: 1).value == [5])
        #expect(pairs.upstreamTransforms.map(\.name) == ["Collect"])
    }

    @Test("an array that collect passes on has the context of its last value")
    func context() {
        let letter = MutableNode<String>(), heard = Recorder<String>(), listener = Lifetime()
        let triples = letter.collect(count: 3)
        triples.listened(by: listener).withContext { heard.record("\($0) \($1 ?? "-")") }
        for (place, text) in ["a", "b", "c"].enumerated() { letter.setValue(text, context: place) }
        #expect(heard.events == [#"["a", "b", "c"] 2"#])
    }

    @Test("collect that is pointed at another node drops the values that wait and starts over")
    func startsOver() throws {
        let number = MutableNode(1), other = MutableNode(10)
        let heard = number.collect(count: 2).recorded()
        let edge = try #require(number.downstreamTransforms.first as? Transform<Int, [Int]>)
        edge.from = other
        other.value = 11
        #expect(heard.events == [[10, 11]])
    }

    @Test("values that wait to be collected are released with the node")
    func release() throws {
        let payload = MutableNode<Tracked>()
        try withLifetimeTracking { tracker in
            let pairs = payload.collect(count: 2)
            payload.value = tracker.track("waiting")
            payload.clean()
            #expect(tracker.live == ["waiting"])
            #expect(pairs.isEmpty)
        }
    }

    @Test("collecting arrays of no values ends the process with a message", .enabled(if: Scale.runsTraps))
    func countOfZero() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode(1).collect(count: 0)
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("collect(count: 0)"))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }

    @Test("scan into changes its result in place, and begins with the initial result again for another node")
    func scanInto() throws {
        let word = MutableNode("a"), other = MutableNode("c")
        let counts = word.scan(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        let heard = counts.recorded()
        word.value = "b"
        word.value = "a"
        #expect(heard.events == [["a": 1], ["a": 1, "b": 1], ["a": 2, "b": 1]])
        let edge = try #require(word.downstreamTransforms.first as? Transform<String, [String: Int]>)
        #expect(edge.name == "Scan")
        edge.from = other
        #expect(counts.value == ["c": 1])
    }

    @Test("a state that is not sent is changed in place, and never copied")
    func stateInPlace() {
        let number = MutableNode<Int>(), addresses = Recorder<Int>()
        let sums = number.transformed("Sum", state: Array(repeating: 0, count: 1_000)) { all, value, send in
            all[value] += 1
            addresses.record(all.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
            send(all[value])
        }
        for value in 0..<100 { number.value = value % 10 }
        #expect(sums.value == 10)
        #expect(Set(addresses.events).count == 1)
    }
}
