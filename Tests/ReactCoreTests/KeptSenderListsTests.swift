import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Sender lists that are kept")
struct KeptSenderListsTests {
    @Test("a sender list that is kept holds the values of the nodes that it names, and not the nodes")
    func holdsValues() {
        let tracker = LifetimeTracker()
        var kept: SenderList?
        weak var gone: AnyNode?
        func use() {
            let node = MutableNode<Tracked>(), lifetime = Lifetime()
            gone = node
            let lists = Recorder<SenderList>()
            node.map { $0 }.listened(by: lifetime).withSenderListAndContext { _, senders, _ in lists.record(senders) }
            node.value = tracker.track("value")
            kept = lists.events.first
        }
        use()
        #expect(gone == nil)
        #expect(kept?.senders == [])
        #expect(tracker.live == ["value"])
        kept = nil
        #expect(tracker.live.isEmpty)
    }
}
