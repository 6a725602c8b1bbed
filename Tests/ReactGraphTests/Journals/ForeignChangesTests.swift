import Foundation
import ReactCore
import ReactGraph
import ReactOperators
import TestSupport
import Testing

@Suite("Changes of sources by nodes that are none")
struct ForeignChangesTests {
    @Test("a source that a node changes which is no source is told, and the journal is not complete")
    func foreignChange() {
        let a = MutableNode(1).named("a"), b = MutableNode(1).named("b")
        let sync = a.sync(with: b)
        var sources = JournalSources()
        sources.add(b)
        let recorder = JournalRecorder(of: sources, now: { .zero })
        b.value = 2
        #expect(recorder.errors.isEmpty && a.current == 2)
        a.value = 3
        a.value = 4
        #expect(
            recorder.errors == ["“b” was changed by a set of “a”, which is no source; add that node to the sources"])
        #expect(!recorder.stop().isComplete && b.current == 4)
        #expect(recorder.journal.description == "b = 2")
        sync.cancel()
    }

    @Test("a source that a node changes through a combination is told, and a set by a listener is not")
    func foreignChangeThroughCombination() {
        let price = MutableNode(1).named("price"), factor = MutableNode(2).named("factor")
        let total = MutableNode(0).named("total"), lifetime = Lifetime()
        defer { lifetime.cancel() }
        lifetime.hold(total.link(to: combine(price, factor) { $0 * $1 }))
        lifetime.listen(to: price).with { (value: Int) in if value == 7 { factor.value = 5 } }
        var sources = JournalSources()
        sources.add(price)
        sources.add(total)
        let recorder = JournalRecorder(of: sources, now: { .zero })
        price.value = 3
        price.value = 7
        #expect(recorder.errors.isEmpty && total.current == 35)
        factor.value = 4
        #expect(
            recorder.errors
                == ["“total” was changed by a set of “factor”, which is no source; add that node to the sources"])
        #expect(!recorder.stop().isComplete && total.current == 28)
    }

    @Test("a source that a node changes by a value which had to wait is told")
    func foreignChangeAfterWait() {
        let price = MutableNode(1).named("price"), other = MutableNode(1).named("other"), lifetime = Lifetime()
        defer { lifetime.cancel() }
        lifetime.hold(price.link(to: other))
        lifetime.listen(to: price).with { (value: Int) in
            guard value == 2 else { return }
            guard value == 2 else { return }
            let isSet = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                other.value = 3
                isSet.signal()
            }
            isSet.wait()
        }
        var sources = JournalSources()
        sources.add(price)
        let recorder = JournalRecorder(of: sources, now: { .zero })
        price.value = 2
        waitForLate(at: price, other)
        #expect(price.current == 3)
        #expect(
            recorder.errors == [
                "“price” was changed by a set of “other”, which is no source; add that node to the sources"
            ])
        #expect(!recorder.stop().isComplete)
    }
}
