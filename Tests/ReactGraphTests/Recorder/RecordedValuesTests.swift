import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@testable import ReactGraph

/// Values of all sizes and kinds, in rings that are written many times over.
@Suite("Values on record") struct RecordedValuesTests {
    private final class Held: Sendable {
        let count: Counted
        init(_ count: Counted) {
            self.count = count
            count.number.withLock { $0 += 1 }
        }
        deinit { count.number.withLock { $0 -= 1 } }
    }
    private final class Counted: Sendable {
        let number = Lock(0)
    }
    private struct Sized<Part: Sendable>: Sendable, CustomStringConvertible {
        var number: Int
        var part: Part
        var description: String { "\(number)" }
    }

    /// Sets a node again and again, with values that are described by their number, and holds the recorder to what it replaced.
    private func expectOlds<Part: Sendable>(
        of part: Part, capacity: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let recorder = GraphRecorder(capacity: capacity, sites: false, onThisThreadOnly: true)
        let node = MutableNode(Sized(number: 0, part: part))
        for number in 1...200 { node.value = Sized(number: number, part: part) }
        let olds = recorder.events().compactMap { $0.kind == .set ? $0.old : nil }
        #expect(!olds.isEmpty && olds == (200 - olds.count..<200).map(String.init), sourceLocation: sourceLocation)
    }

    @Test("are told as they were, however large they are and however they are aligned", arguments: [2, 16, 100, 5_000])
    func sizes(capacity: Int) {
        typealias Eight = (Int, Int, Int, Int, Int, Int, Int, Int)
        let eight: Eight = (1, 2, 3, 4, 5, 6, 7, 8)
        expectOlds(of: (), capacity: capacity)
        expectOlds(of: true, capacity: capacity)
        expectOlds(of: UInt16(7), capacity: capacity)
        expectOlds(of: 1.5, capacity: capacity)
        expectOlds(of: "text of more than fifteen bytes", capacity: capacity)
        expectOlds(of: (eight, "text"), capacity: capacity)
        expectOlds(of: (eight, eight, eight, eight, eight, eight, eight), capacity: capacity)
        expectOlds(of: (eight, eight, eight, eight, eight, eight, eight, eight, eight), capacity: capacity)
        expectOlds(of: SIMD4<Double>(1, 2, 3, 4), capacity: capacity)
        expectOlds(of: [1, 2, 3], capacity: capacity)
    }
    @Test("of many sizes lie beside one another, and of some there is none") func mixed() {
        let recorder = GraphRecorder(capacity: 300, sites: false, onThisThreadOnly: true)
        let truth = MutableNode<Bool>(), text = MutableNode<String>(), numbers = MutableNode<SIMD8<Double>>()
        for number in 0..<1_000 {
            truth.value = number % 2 == 0
            text.value = "\(number)"
            if number % 3 == 0 { text.clean() }
            numbers.value = .init(repeating: Double(number))
        }
        let events = recorder.events(), names = recorder.queries.names
        for (node, type) in [(truth, "Bool"), (text, "String"), (numbers, "SIMD8<Double>")] as [(AnyNode, String)] {
            let place = names.place(of: node)
            #expect(place != nil, "\(type)")
            let id = place.flatMap { names.reference(to: $0)?.id }
            let own = events.filter { $0.node?.id == id }
            #expect(own.count > 20, "\(type)")
            for (event, next) in zip(own, own.dropFirst()) { #expect(event.new == next.old, "\(type)") }
        }
    }
    @Test(
        "values of any size are released with their records, and when the recorder is released",
        arguments: [3, 64, 3_000])
    func lettingGo(capacity: Int) {
        let counted = Counted()
        typealias Large = (Held, Int, Int, Int, Int, Int, Int, Int)
        do {
            let recorder = GraphRecorder(capacity: capacity, sites: false, onThisThreadOnly: true)
            let small = MutableNode(Held(counted))
            let large = MutableNode<Large>((Held(counted), 0, 0, 0, 0, 0, 0, 0))
            let boxed = MutableNode<(Large, SIMD4<Double>)>(((Held(counted), 0, 0, 0, 0, 0, 0, 0), .zero))
            for _ in 0..<4_000 {
                small.value = Held(counted)
                large.value = (Held(counted), 1, 2, 3, 4, 5, 6, 7)
                boxed.value = ((Held(counted), 1, 2, 3, 4, 5, 6, 7), .one)
            }
            let kept = counted.number.withLock { $0 }
            // What is on record, what is in three chunks of an eighth, and what the nodes hold.
            #expect(kept <= capacity + 3 * (capacity / 8 + 1) + 3, "\(kept)")
            withExtendedLifetime(recorder) {}
        }
        #expect(counted.number.withLock { $0 } == 0)
    }
    @Test("values that are being read stay as they are, however much is recorded meanwhile") func reading() {
        let recorder = GraphRecorder(capacity: 64, sites: false, onThisThreadOnly: true)
        let node = MutableNode("0")
        for number in 1...100 { node.value = "\(number)" }
        let log = recorder.queries.log
        let before = log.events.map { log.old($0) }
        for number in 101...1_000 { node.value = "\(number)" }
        #expect(log.events.map { log.old($0) } == before)
        #expect(before.compactMap(\.self).last == "99")
        let later = recorder.queries.log
        #expect(later.events.last.flatMap { later.old($0) } == "999")
    }

    @Test(
        "a recorder that goes in the midst of a batch lets go of values whose end cuts edges, which another one records"
    )
    func cutByEnds() {
        final class Cutter: Sendable {
            let listening: any Cancelable
            init(_ listening: any Cancelable) { self.listening = listening }
            deinit { listening.cancel() }
        }
        let heard = MutableNode(0).named("heard"), lifetime = Lifetime(), node = MutableNode<Cutter?>(nil)
        var leaving: GraphRecorder? = GraphRecorder(capacity: 8, sites: false, onThisThreadOnly: true)
        let staying = GraphRecorder(values: false, sites: false, onThisThreadOnly: true)
        let seen = leaving.map { $0.events().count }
        batch {
            for _ in 0..<100 { node.value = Cutter(heard.listened(by: lifetime).with { _ in }) }
            leaving = nil
            node.value = nil
        }
        #expect(seen == 0 && leaving == nil)
        // Something else of this process may let go of its last edge on this thread meanwhile.
        #expect(staying.events().count { $0.kind == .cut && $0.source?.name == "heard" } == 100)
        #expect(heard.listenEdges.isEmpty)
    }

    @Test("the graph as it was knows which node is which, so that a diff tells of values that were swapped")
    func comparable() {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let (a, b) = (MutableNode(1), MutableNode(2))
        let sum = combine(a, b) { $0 + $1 }
        let before = recorder.mark("before")
        batch {
            a.value = 2
            b.value = 1
        }
        let diff = sum.graph.diff(since: recorder.graph(of: sum, at: before))
        #expect(diff.changedNodes.count == 2)
        withExtendedLifetime((a, b)) {}
    }

    @Test("the time for which an edge holds a value is told, even if it is the longest possible")
    func longestTime() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true), clock = VirtualScheduler()
        let source = MutableNode<Int>()
        let quiet = source.debounce(.seconds(Int64.max), on: clock)
        source.value = 1
        #expect("\(recorder.whyNot(quiet))".contains("9223372036854775807 s"))
    }
}
