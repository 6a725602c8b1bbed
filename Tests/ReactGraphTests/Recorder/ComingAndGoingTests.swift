import ReactCore
import ReactOperators
import ReactScheduling
import Testing

@testable import ReactGraph

/// Recorders that come, stop and go while an edge is being called.
@Suite("Recorders in the middle of a call") struct ComingAndGoingTests {
    /// A scheduler whose clock does something else when it is read, which is in the middle of an edge's call.
    private final class Meddler: Scheduler {
        private let clock = VirtualScheduler()
        private let deed = Lock<(@Sendable () -> Void)?>(nil)

        func whenRead(_ deed: (@Sendable () -> Void)?) { self.deed.withLock { $0 = deed } }
        var clockReading: Duration? {
            let deed = deed.withLock { $0.take() }
            deed?()
            return clock.clockReading
        }
        func schedule(_ work: @escaping @Sendable () -> Void) { clock.schedule(work) }
        func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
            clock.schedule(after: interval, work)
        }
    }
    private final class Kept: Sendable {
        let recorder = Lock<GraphRecorder?>(nil)
    }

    @Test("a second recorder that begins, or ends, leaves the first one's records as they are")
    func another() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let meddler = Meddler(), other = Kept()
        let source = MutableNode(0).named("source")
        let late = source.debounce(.seconds(1), on: meddler).named("late")
        func kinds(_ recorder: GraphRecorder?, since moment: GraphMoment? = nil) -> [GraphEvent.Kind]? {
            recorder?.events(since: moment).map(\.kind).filter { $0 != .mark }
        }
        let start = recorder.mark("one comes")
        meddler.whenRead { other.recorder.withLock { $0 = GraphRecorder(sites: false, onThisThreadOnly: true) } }
        source.value = 1
        #expect(kinds(recorder, since: start) == [.set, .dropped, .scheduled])
        #expect(kinds(other.recorder.withLock { $0 }) == [.dropped, .scheduled])
        let middle = recorder.mark("one goes")
        meddler.whenRead { other.recorder.withLock { $0 = nil } }
        source.value = 2
        #expect(kinds(recorder, since: middle) == [.set, .dropped, .scheduled])
        withExtendedLifetime(late) {}
    }
    @Test(
        "a value that waits longer than a record can tell is told to come from the scheduler",
        arguments: [Duration(attoseconds: .max), .seconds(30 * 86_400)])
    func waitsLong(interval: Duration) {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let clock = VirtualScheduler()
        let source = MutableNode<Int>().named("source")
        let late = source.delay(interval, on: clock).named("late")
        source.value = 1
        #expect("\(recorder.whyNot(late))".contains("took 1, to send it on its scheduler\n"))
        clock.run()
        #expect(late.value == 1)
    }
    @Test("a recorder that has stopped tells nothing of later values, not even that they were refused")
    func stops() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let meddler = Meddler()
        let source = MutableNode(0).named("source")
        let late = source.debounce(.seconds(1), on: meddler).named("late")
        let start = recorder.mark("start")
        meddler.whenRead { recorder.stop() }
        source.value = 1
        #expect(recorder.events(since: start).map(\.kind) == [.set])
        source.value = 2
        #expect(recorder.events(since: start).map(\.kind) == [.set])
        withExtendedLifetime(late) {}
    }
    @Test("a recorder that stops keeps its records, however many values follow in the same set")
    func keepsWhatItHad() {
        let recorder = GraphRecorder(capacity: 8, sites: false, onThisThreadOnly: true)
        let node = MutableNode(0).named("node"), atStop = Lock<[GraphMoment]>([])
        let stopping = node.map { number in
            if number == 1 {
                recorder.stop()
                atStop.withLock { $0 = recorder.events().map(\.moment) }
            }
            return number
        }
        let texts = (0..<20).map { index in stopping.map { "text \(index), which was made of \($0)" } }
        let start = recorder.mark("start")
        node.value = 1
        #expect(texts.last?.value == "text 19, which was made of 1")
        #expect(recorder.events(since: start).map(\.kind) == [.set])
        #expect(recorder.events().map(\.moment) == atStop.withLock { $0 })
    }
    // The tests of values that go run in a process of their own, where no recorder of another test holds these values.

    /// What sets a node when it goes.
    private final class Setter: Sendable {
        let node: MutableNode<Int>
        init(_ node: MutableNode<Int>) { self.node = node }
        deinit { node.value = 7 }
    }
    @Test("a value that goes with one of two may set nodes as it goes, which the other tells")
    func goesWithAValue() async {
        await #expect(processExitsWith: .success) {
            let target = MutableNode(0).named("target"), trigger = MutableNode(0), lifetime = Lifetime(), first = Kept()
            first.recorder.withLock { $0 = GraphRecorder(sites: false, onThisThreadOnly: true) }
            let source = MutableNode<Setter>(Setter(target))
            source.clean()
            let second = GraphRecorder(sites: false, onThisThreadOnly: true)
            trigger.listened(by: lifetime).with { value in
                if value == 1 { first.recorder.withLock { $0 = nil } }
            }
            #expect(target.value == 0)
            trigger.value = 1
            #expect(target.value == 7)
            #expect(second.events().last?.description == "'target' was set to 7 (was 0)")
        }
    }
    /// What ends a recorder when it goes, and then sets a node.
    private final class Ender: Sendable {
        let recorder: Kept, node: MutableNode<Int>
        init(_ recorder: Kept, _ node: MutableNode<Int>) { (self.recorder, self.node) = (recorder, node) }
        deinit {
            recorder.recorder.withLock { $0.take() }.map { withExtendedLifetime($0) {} }
            node.value = 7
        }
    }
    @Test("a recorder may end with a value on its own record, in the middle of a set")
    func endsWithItsOwnValue() async {
        await #expect(processExitsWith: .success) {
            let target = MutableNode(0), kept = Kept(), trigger = MutableNode(0)
            kept.recorder.withLock { $0 = GraphRecorder(capacity: 8, sites: false, onThisThreadOnly: true) }
            let other = GraphRecorder(values: false, sites: false, onThisThreadOnly: true)
            let source = MutableNode<Ender?>(nil), texts = (0..<20).map { index in trigger.map { "\(index) of \($0)" } }
            source.value = .some(Ender(kept, target))
            source.value = .some(nil)
            for value in 1...10 { trigger.value = value }
            #expect(kept.recorder.withLock { $0 == nil } && target.value == 7)
            #expect(other.events().contains { $0.description.hasSuffix("was set to 7") })
            #expect(texts.last?.value == "19 of 10")
        }
    }
    @Test("a value that goes in the middle of a set may set nodes: another one tells that, and all that comes after")
    func goesWithAValueAndGoesOn() async {
        await #expect(processExitsWith: .success) {
            let target = MutableNode(0).named("target"), other = MutableNode(0).named("other")
            let trigger = MutableNode(0), lifetime = Lifetime(), first = Kept()
            first.recorder.withLock { $0 = GraphRecorder(sites: false, onThisThreadOnly: true) }
            let source = MutableNode<Setter>(Setter(target))
            source.clean()
            trigger.listened(by: lifetime).with { value in
                guard value == 1 else { return }
                first.recorder.withLock { $0 = nil }
                other.value = 1
            }
            let second = GraphRecorder(sites: false, onThisThreadOnly: true)
            trigger.value = 1
            target.value = 9
            let sets = second.events().filter { [target.name, other.name].contains($0.node?.name) }.map(\.description)
            #expect(
                sets == [
                    "'target' was set to 7 (was 0)", "'other' was set to 1 (was 0)", "'target' was set to 9 (was 7)",
                ])
        }
    }
    @Test("a value that goes with a cut may set nodes as it goes: that is told, and all that comes after")
    func goesWithACut() async {
        await #expect(processExitsWith: .success) {
            let log = MutableNode(0).named("log"), left = MutableNode<Setter>(), right = MutableNode<Int>()
            let pair = left.zip(right)
            left.value = Setter(log)
            left.value = Setter(log)
            let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
            pair.removeUpstreamNodes()
            log.value = 8
            let sets = recorder.events().filter { $0.kind == .set }.map(\.description)
            #expect(sets == ["'log' was set to 7 (was 0)", "'log' was set to 8 (was 7)"])
        }
    }
    @Test("a recorder that begins while a listener is called records that listener's sets from then on")
    func comesInAListener() {
        let other = Kept(), lifetime = Lifetime()
        let source = MutableNode(0).named("source"), target = MutableNode(0).named("target")
        source.listened(by: lifetime).with { value in
            guard value == 1 else { return }
            other.recorder.withLock { $0 = GraphRecorder(sites: false, onThisThreadOnly: true) }
            target.value = value
        }
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        source.value = 1
        #expect(other.recorder.withLock { $0 }?.events().map(\.description) == ["'target' was set to 1 (was 0)"])
        #expect(recorder.events().map(\.kind) == [.set, .heard, .set])
    }
}
