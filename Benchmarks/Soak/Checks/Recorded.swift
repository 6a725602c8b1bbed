import Foundation
import HeapProbe
import ReactCore
import ReactGraph
import ReactOperators
import Synchronization

/// Recorders come and go while three threads set, cut, link and batch, and a fourth one asks and dumps. The records are
/// in order, each cause comes before its effects, and a stored value replaced the one that was recorded before it.
let recorded = Check(name: "recorded") { round in
    let sources = (0..<3).map { MutableNode($0).named("source \($0)") }
    let sum = Node.combine(sources).map { $0.reduce(0, &+) }.named("sum")
    let odd = sum.filter { $0 % 2 != 0 }.named("odd")
    let relay = MutableNode<Int>().named("relay")
    let link = LinkTransform<Int>()
    relay.link(to: sources[0], transform: link)
    let lifetime = Lifetime()
    let echo = MutableNode(0).named("echo")
    odd.listened(by: lifetime).with { echo.value = $0 }
    let recorder = GraphRecorder(capacity: 4_000, sites: false)
    let isDone = Atomic(0), answers = Counter()

    try onThreads(4) { thread in
        var random = round.random(thread: thread)
        if thread == 3 {
            repeat {
                try check(recorder)
                ask(recorder, [sum, odd, relay, echo][random.below(4)], &random)
                // Another recorder comes and goes.
                let second = GraphRecorder(capacity: 100, sites: false)
                ask(second, sum, &random)
                answers.add(2)
            } while isDone.load(ordering: .acquiring) < 3
            return
        }
        for step in 0..<3_000 {
            switch random.below(20) {
            case 0: link.from = sources[random.below(3)]
            case 1: link.from = nil
            case 2: batch { for source in sources { source.value = step } }
            case 3: sum.map { $0 &+ 1 }.listened(by: Lifetime()).with { _ in }
            case 4: recorder.mark("\(step)")
            default: sources[random.below(3)].value = step
            }
        }
        isDone.add(1, ordering: .releasing)
    }
    recorder.stop()
    let events = recorder.events()
    try check(recorder)
    try expect(events.count > 1_000 && events.count <= 5 * 4_000, "\(events.count) records of five rings of 4,000")
    try expect(sum.value == sources.reduce(0) { $0 &+ $1.value(or: 0) }, "the sum is not that of its sources")
    withExtendedLifetime(lifetime) {}
    round.tally.add(9_000, "steps")
    round.tally.add(recorder.evicted + events.count, "records")
    round.tally.add(answers.count, "rounds of questions")
}

private func ask(_ recorder: GraphRecorder, _ node: AnyNode, _ random: inout Random) {
    switch random.below(6) {
    case 0: _ = recorder.why(node).description
    case 1: _ = recorder.whyNot(node).description
    case 2: _ = recorder.page(of: node)
    case 3: _ = recorder.trace()
    case 4: _ = recorder.graph(of: node, at: recorder.mark("asked"))
    default:
        _ = (recorder.costliest(), recorder.redundantUpdates(), recorder.liveObjects(since: recorder.mark("asked")))
    }
}

private func check(_ recorder: GraphRecorder) throws {
    let events = recorder.events()
    var last: GraphMoment?
    for event in events {
        if let last { try expect(last < event.moment, "\(event) is not after the event before it") }
        last = event.moment
        for cause in event.causes { try expect(cause < event.moment, "\(event) comes before its cause") }
    }
}

/// A recorder's memory does not grow, however much it records: values of all kinds, and nodes that come and go.
let recordedMemory = Check(name: "recorded memory") { round in
    let busy = BusyGraph()
    busy.fill()
    try busy.expectFlatMemory(over: 100_000, round.tally)
}
/// One recorder over all rounds. Made only if it is named, because it records all other checks too.
let oneRecorder = Check(name: "one recorder") { round in
    if oneBusyGraph.recorder.evicted == 0 { oneBusyGraph.fill() }
    try oneBusyGraph.expectFlatMemory(over: 250_000, round.tally)
}
private let oneBusyGraph = BusyGraph()

/// A graph that is on record, with values of all kinds. It is used by one thread at a time.
private final class BusyGraph: @unchecked Sendable {
    let recorder = GraphRecorder(sites: false)
    private let source = MutableNode(0), text = MutableNode(""), row = MutableNode((0, 0, 0, 0))
    private let end: Node<Int>, length: Node<Int>
    private var heapWhenFull = 0, recorded = 0

    init() {
        end = (0..<8).reduce(source as Node<Int>) { node, _ in node.map { $0 &+ 1 } }
        length = text.map { $0.count }
    }
    private func record(_ count: Int) {
        for step in 0..<count {
            source.value = step
            text.value = "the text of step \(step)"
            row.value = (step, step, step, step)
            if step % 100 == 0 { _ = source.map { $0 }.value }
        }
    }
    /// Records until the buffer is full and many objects have been forgotten.
    func fill() {
        for _ in 0..<150_000 { _ = source.map { $0 }.value }
        record(60_000)
        (heapWhenFull, recorded) = (heap_bytes_in_use(), recorder.evicted)
    }
    func expectFlatMemory(over steps: Int, _ tally: Tally) throws {
        record(steps)
        let heap = heap_bytes_in_use(), evicted = recorder.evicted
        try expect(
            heap < heapWhenFull + 1_500_000,
            "the heap has grown from \(heapWhenFull) to \(heap) bytes over \(evicted) records")
        try expect(
            end.value == steps + 7 && length.value == "the text of step \(steps - 1)".count,
            "the graph ends with \(end.value ?? 0), \(length.value ?? 0)")
        tally.add(evicted - recorded, "records")
        tally.set(heapWhenFull, "bytes of heap in use when the ring was full")
        tally.set(heap, "in the end")
        recorded = evicted
    }
}
