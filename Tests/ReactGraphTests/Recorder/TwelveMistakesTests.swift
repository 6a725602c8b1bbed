import ReactCore
import ReactOperators
import ReactScheduling
import Testing

@testable import ReactGraph

/// The mistakes of the guide *Why, and why not*, each with the question and the answer that the guide prints.
@Suite("Twelve mistakes") struct TwelveMistakesTests {
    private let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
    private let lifetime = Lifetime()

    @Test("a filter with its condition the wrong way round") func filter() {
        let price = MutableNode(20).named("price")
        let cheap = price.filter { $0 > 25 }.named("cheap")
        price.value = 22
        #expect(
            recorder.whyNot(cheap).description.steady == """
                'cheap' was not set:
                  'price' was set to 22 (was 20):
                    Filter 'cheap' did not pass on 22: it passes on only values for which its condition is true
                """)
    }
    @Test("a link cut by a lifetime that went too early") func lifetimeTooEarly() {
        let price = MutableNode(20).named("price"), shown = MutableNode(0).named("shown")
        do {
            let lifetime = Lifetime()
            shown.link(to: price).cancelled(by: lifetime)
        }
        price.value = 22
        #expect(
            recorder.whyNot(shown).description.steady == """
                'shown' has not been set since it became 20:
                  'price' was set to 22 (was 20):
                    Link 'shown' had been cut from 'price'
                """)
    }
    @Test("a zip for a combine") func zipForCombine() {
        let width = MutableNode(3).named("width"), height = MutableNode(4).named("height")
        let area = zip(width, height).mapEach { $0 * $1 }.named("area")
        width.value = 5
        let answer = recorder.whyNot(area).description.steady
        #expect(answer.contains("kept 5, to pair it with a later value of 'height'"))
        #expect(answer.contains("waits for 'height', and keeps one value of 'width'"))
    }
    @Test("a combine with an input that never had a value") func emptyInput() {
        let price = MutableNode(20).named("price"), stock = MutableNode<Int>().named("stock")
        let worth = combine(price, stock).named("worth")
        price.value = 22
        #expect(
            recorder.whyNot(worth).description.steady == """
                'worth' was not set:
                  'price' was set to 22 (was 20):
                    Combine 'worth' kept 22: 'stock' had no value
                Combine 'worth' waits for 'stock', which has never had a value
                """)
    }
    @Test("a ring that eats a value") func ring() {
        let left = MutableNode(1).named("left"), right = MutableNode(1).named("right")
        right.link(to: left)
        let half = left.link(to: right)
        defer { half.cancel() }
        let start = recorder.mark("start")
        left.value = 5
        let refused = recorder.events(since: start).compactMap(\.reason).map(\.withoutPlaces)
        #expect(
            refused
                == ["Link 'left' did not pass on 5, which had passed 'left', and came back to 'left' round a ring"])
    }
    @Test("a flatten whose values come back to it") func flattenedRing() {
        let inner = MutableNode(1).named("inner"), outer = MutableNode(inner as Node<Int>).named("outer")
        let shown = outer.flatten().named("shown").mutablify()
        let back = outer.link(to: shown.map { _ in inner as Node<Int> })
        defer { back.cancel() }
        let start = recorder.mark("start")
        shown.value = 5
        let refused = recorder.events(since: start).compactMap(\.reason).map(\.withoutPlaces)
        #expect(
            refused.contains { $0.hasSuffix("came back to 'shown' round a ring") }, "\(refused)"
        )
    }
    @Test("a value that throttle still holds") func throttle() {
        let scheduler = VirtualScheduler()
        let search = MutableNode("").named("search")
        let settled = search.throttle(.milliseconds(300), on: scheduler).named("settled")
        search.value = "graph"
        let answer = recorder.whyNot(settled).description.steady
        #expect(
            answer == """
                'settled' was not set:
                  'search' was set to "graph" (was ""):
                    Throttle 'settled' took "graph", to send it 0.3 s later
                Throttle 'settled' still has to send "graph", in 0.3 s
                """)
    }
    @Test("a wrong key in a switch") func wrongKey() {
        let page = MutableNode("home").named("page")
        let help = page.switch { $0 }.case("Help").named("help")
        page.value = "help"
        let answer = recorder.whyNot(help).description.steady
        #expect(answer.contains("'page' was set to \"help\""))
        #expect(answer.hasSuffix("Case 'help' did not pass on branch \"help\": it passes on branch \"Help\""))
    }
    @Test("a re-pointed edge") func rePointed() {
        let local = MutableNode("local").named("local"), remote = MutableNode("remote").named("remote")
        let shown = Node<String>().named("shown")
        let link = LinkTransform<String>()
        shown.link(to: local, transform: link)
        link.from = remote
        local.value = "edited"
        #expect(
            recorder.whyNot(shown).description.steady == """
                'shown' has not been set since it became "remote":
                  'local' was set to "edited" (was "local"):
                    Link 'shown' had been cut from 'local', and linked to 'remote'
                """)
    }
    @Test("a listener added too late") func lateListener() {
        let taps = MutableNode<Int>().named("taps")
        taps.value = 1
        taps.clean()
        taps.listened(by: lifetime).with { _ in }
        let events = recorder.events().filter { $0.node?.name == "taps" || $0.source?.name == "taps" }
        #expect(events.map(\.kind) == [.set, .cleaned, .linked])
    }
    @Test("a leak by a ring") func leak() {
        let start = recorder.mark("start")
        weak var kept: Node<Int>?
        do {
            let left = Node<Int>().named("left"), right = Node(1).named("right")
            left.link(to: right)
            right.link(to: left)
            kept = left
        }
        #expect(recorder.liveObjects(since: start).filter { $0.kind == .node }.map(\.label) == ["'left'", "'right'"])
        kept?.removeUpstreamNodes()
        #expect(recorder.liveObjects(since: start).filter { $0.kind == .node }.isEmpty)
    }
    @Test("an equal value that recomputes half the graph") func equalValue() throws {
        let price = MutableNode(20).named("price")
        let net = price.map { $0 * 100 / 119 }.named("net")
        let start = recorder.mark("start")
        price.value = 20
        let wasted = try #require(recorder.redundantUpdates(since: start).first)
        #expect(wasted.label == "'price'" && wasted.calls == 1 && wasted.callsDownstream == 1)
        #expect(net.value == 16)
    }
    @Test("a set from a listener that is queued") func queuedSet() {
        let count = MutableNode(0).named("count")
        count.listened(by: lifetime).with { [unowned count] in if $0 == 1 { count.value = 2 } }
        count.value = 1
        #expect(
            recorder.why(count).description.steady == """
                'count' holds 2, because
                  'count' was set to 1 (was 0)
                  → Listen of Lifetime called its listener with 1 of 'count'
                  → a new value for 'count' had to wait, because 'count' was still passing on the value before
                  → 'count' took the value that had waited
                  → 'count' was set to 2 (was 1) by Listen of Lifetime
                """)
    }
}
