import ReactOperators
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@testable import ReactCore

/// A settled node fires after everything else. So a value that has left the waiting edges may still be behind it.
extension UpToDateTests {
    /// What a combination of a node and its answer tells.
    private func told<Value>(_ node: Node<Value>) -> Heard<String> {
        Heard(combine(node, node.upToDate()).mapEach { "\($0) \($1)" })
    }
    private func repoint(_ node: Node<Int>, to source: Node<Int>) {
        (node.upstreamTransforms[0] as? Transform<Int, Int>)?.from = source
    }

    @Test("with settled on the way, a combination of a node and its answer never shows the old value beside true")
    func behindSettled() {
        let source = MutableNode(1), plain = MutableNode(0), delayed = source.delay(.seconds(1), on: clock)
        clock.run()
        let settled = delayed.settled(), pairs = delayed.withLatest(from: plain).mapEach { value, _ in value }
        let forms: [(String, Node<Int>)] = [
            ("settled", settled), ("map", settled.map { $0 }), ("settled again", settled.settled()),
            ("combination", combine(settled, plain).mapEach { $0 + $1 }.settled()),
            ("computed", computed { read in try read(settled) + read(plain) }),
            ("withLatest of settled", settled.withLatest(from: plain).mapEach { value, _ in value }),
            ("settled of withLatest", pairs.settled()), ("link", Node<Int>()),
        ]
        forms.last?.1.link(to: settled)
        let all = forms.map { told($0.1) }
        source.value = 2
        clock.run()
        for (form, heard) in zip(forms, all) {
            #expect(heard.values == ["1 true", "1 false", "2 true"], "\(form.0)")
        }
    }
    @Test("a combination of a node and its settled form is up to date when both have come")
    func besideSettled() {
        let source = MutableNode(1), delayed = source.delay(.seconds(1), on: clock)
        clock.run()
        let heard = told(combine(delayed.settled(), delayed).mapEach { [$0, $1] })
        source.value = 2
        clock.run()
        #expect(heard.values == ["[1, 1] true", "[1, 1] false", "[1, 2] false", "[2, 2] true"])
    }
    @Test("behind settled, an edge or link that is pointed elsewhere changes the value and the answer in one step")
    func repointedAboveSettled() throws {
        let slow = MutableNode(1), fast = MutableNode(10), other = MutableNode(20)
        let waiting = slow.delay(.seconds(1), on: clock)
        clock.run()
        let copy = waiting.map { $0 }, linked = Node<Int>(), link = linked.link(to: waiting)
        let byEdge = told(copy.settled()), byLink = told(linked.settled())
        slow.value = 2
        repoint(copy, to: fast)
        link.source = fast
        #expect(byEdge.values == ["1 true", "1 false", "10 true"])
        #expect(byLink.values == ["1 true", "1 false", "10 true"])
        // Where nothing waits, neither before nor after, the answer stays true.
        repoint(copy, to: other)
        link.source = other
        #expect(byEdge.values.suffix(2) == ["10 true", "20 true"])
        #expect(byLink.values.suffix(2) == ["10 true", "20 true"])
    }
    @Test("a value that a filter behind settled drops has arrived")
    func filteredBehindSettled() {
        let source = MutableNode(1), delayed = source.delay(.seconds(1), on: clock)
        clock.run()
        let odd = delayed.settled().filter { !$0.isMultiple(of: 2) }, heard = told(odd)
        source.value = 2
        clock.run()
        #expect(heard.values == ["1 true", "1 false", "1 true"])
    }
    @Test("a node that asks before settled has fired has false, and then true")
    func askedBeforeSettledFires() {
        let source = MutableNode(1), delayed = source.delay(.seconds(1), on: clock)
        clock.run()
        let settled = delayed.settled(), heard = Locked<Heard<String>?>(nil)
        // The value reaches the settled node first.
        delayed.map { $0 }.listened(by: lifetime).with { value in
            if value == 2 { heard.value = told(settled) }
        }
        source.value = 2
        clock.run()
        #expect(heard.value?.values == ["1 false", "2 true"])
    }
    @Test("a settled node that loses its source before it fires has nothing on its way")
    func settledWithoutSource() {
        let source = MutableNode(1), delayed = source.delay(.seconds(1), on: clock), empty = Node<Int>()
        clock.run()
        let (cut, moved) = (delayed.settled(), delayed.settled())
        let all = [Heard(cut.upToDate()), Heard(moved.upToDate())]
        // The value reaches the settled nodes first.
        delayed.map { $0 }.listened(by: lifetime).with { value in
            guard value == 2 else { return }
            cut.removeUpstreamNodes()
            repoint(moved, to: empty)
        }
        source.value = 2
        clock.run()
        for heard in all { #expect(heard.values == [true, false, true]) }
    }

    // MARK: Waiting

    @Test("a task that waits for another thread's batch ends when it is cancelled, before the batch does")
    func cancelledBesideABatch() async {
        let source = MutableNode(1), sum = combine(source, source.map { $0 }).mapEach { $0 + $1 }
        let busy = BusyGraph(of: source, setting: 2), hasEnded = Locked(false)
        let task = Task {
            defer { hasEnded.value = true }
            return try await sum.whenUpToDate()
        }
        // It waits in line for the end of the batch.
        while !Region.change(of: source.vertex, { $1.requestOfLate != nil }) { await Task.yield() }
        task.cancel()
        let isFirst = Locked(false)
        let other = Worker {
            isFirst.value = eventually(within: .seconds(60)) { hasEnded.value }
            busy.end()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        other.join()
        #expect(isFirst.value)
        #expect(sum.value == 4)
    }
}
