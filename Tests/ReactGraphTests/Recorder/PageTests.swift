import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import Testing

@testable import ReactGraph

/// What the script of a recorder's page makes of the records.
@Suite("A recorder's page", .enabled(if: Browser.isAvailable)) struct PageTests {
    private let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)

    @Test("an edge that was pointed elsewhere is drawn from where it led, while it did, and why not names it")
    func rePointed() throws {
        let local = MutableNode("local").named("local"), remote = MutableNode("remote").named("remote")
        let shown = Node<String>().named("shown"), link = LinkTransform<String>()
        shown.link(to: local, transform: link)
        link.from = remote
        local.value = "edited"
        struct Answer: Decodable {
            let lines: [String]
            let edges: [String: [Bool]]
        }
        let answer: Answer = try Browser.ask(
            recorder.page(of: shown),
            """
            {
              lines: nodes[0].answer.map(line => line.text || sentence(line.event)),
              edges: Object.fromEntries(edges.map(edge => [`${label(edge.from)} to ${label(edge.to)}`,
                events.filter(event => [KIND.linked, KIND.cut].includes(event.kind)).map(event => isThereAt(edge, event.id))])),
            }
            """)
        #expect(
            answer.lines == [
                "has not been set since it became \"remote\":", "'local' was set to edited (was local)",
                "Link 'shown' had been cut from 'local', and linked to 'remote'",
            ])
        // When it was linked, cut, and linked to the other one.
        #expect(
            answer.edges == ["'local' to 'shown'": [true, false, false], "'remote' to 'shown'": [false, false, true]])
    }
    @Test("an arrival at a combination that fired is not told as refused, whichever of its inputs it was")
    func severalCauses() throws {
        let a = MutableNode(1).named("a"), b = MutableNode(1).named("b")
        let both = combine(a, b, a.map { -$0 })
        let none = both.filter { _ in false }.named("none")
        batch {
            a.value = 2
            b.value = 2
        }
        struct Answer: Decodable {
            let lines: [String]
            let refused: [Bool]
        }
        let answer: Answer = try Browser.ask(
            recorder.page(of: none),
            """
            {
              lines: nodes[0].answer.map(({ text, event }) => text || (isSet(event) ? label(event.node) : edgeLabel(event.edge))),
              refused: events.filter(event => event.kind === KIND.arrived).map(event => event.isRefusal),
            }
            """)
        #expect(answer.lines == ["was not set:", "'a'", "Filter 'none'", "'b'", "Filter 'none'"])
        // As they were linked, and in the batch.
        #expect(answer.refused == Array(repeating: false, count: 6))
    }
    @Test("the page tells of each event in the words of the record") func words() throws {
        let price = MutableNode(1).named("price"), stock = MutableNode<Int>().named("stock"), screen = Lifetime()
        let worth = combine(price, stock) { $0 * $1 }.named("worth"), large = price.filter { $0 > 5 }.map { $0 + 1 }
        let total = computed { try $0(worth) + 1 }.named("total")
        screen.effect { _ = try $0(total) }
        worth.listened(by: screen).with { _ in }
        stock.value = 3
        batch {
            price.value = 7
            stock.value = 4
        }
        stock.clean()
        recorder.mark("end {value}")
        // Taken together, because other tests may come on the record while the browser is asked.
        let (page, events) = (recorder.page(of: total), recorder.events())
        let told: [String] = try Browser.ask(page, "events.map(sentence)")
        #expect(told == events.map(\.description))
        withExtendedLifetime(large) {}
    }
    @Test("the page answers why each of its nodes was not set as the record does") func whyNot() throws {
        let clock = VirtualScheduler()
        let price = MutableNode(1).named("price"), stock = MutableNode<Int>().named("stock"), unused = Node<Int>()
        let worth = combine(price, stock) { $0 * $1 }.named("worth"), large = price.filter { $0 > 5 }.named("large")
        let later = large.delay(.seconds(1), on: clock).named("later"), both = combine(later, unused).named("both")
        for value in 2...4 { price.value = value }
        price.value = 9
        price.value = 3
        let page: [[String]] = try Browser.ask(
            recorder.page(of: price),
            "nodes.map(node => [node.label, ...node.answer.map(line => line.text || sentence(line.event))])")
        #expect(page.count == 7)
        for node in [price, stock, worth, large, later, both] as [AnyNode] {
            let lines = recorder.whyNot(node).description.split(separator: "\n").map {
                $0.trimmingPrefix(while: \.isWhitespace)
            }
            let told = try #require(page.first { $0[0] == "'\(node.name!)'" })
            #expect(lines[0] == "\(told[0]) \(told[1])" && lines.count == told.count - 1)
            // The record's lines name the thread and the time of a set as well.
            #expect(zip(lines.dropFirst(), told.dropFirst(2)).allSatisfy { $0.hasPrefix($1) })
        }
    }
    @Test("calls of an edge that keeps values until later count among the hot ones") func hot() throws {
        let clock = VirtualScheduler()
        let search = MutableNode("").named("search")
        let settled = search.throttle(.milliseconds(300), on: clock).named("settled")
        for number in 1...5 { search.value = "\(number)" }
        let calls: [Int] = try Browser.ask(recorder.page(of: settled), "edges.map(edge => edge.calls.length)")
        // It took the first value when it was linked.
        #expect(calls == [6])
    }
    @Test("a page opens at the last set of the node asked for, with the edges that were cut before, dashed")
    func opens()
        throws
    {
        let node = MutableNode(1).named("node"), source = MutableNode(0).named("source"),
            other = MutableNode(0).named("other")
        node.link(to: source).cancel()
        let joined = combine(node, other).named("joined")
        node.value = 2
        other.value = 5
        other.value = 6
        recorder.mark("<b>sale</b>\nover")
        let answer: [String] = try Browser.ask(
            recorder.page(of: node),
            """
            [sentence(events[step]), `${edges.filter(edge => !isThereAt(edge, step)).map(edge => edge.name)}`,
              `${document.querySelectorAll('.edge.gone').length}`,
              getComputedStyle(document.querySelector('.edge.gone path')).strokeDasharray.replace(/px/g, ''),
              $('marks').lastChild.textContent, `${$('marks').querySelectorAll('b').length}`]
            """)
        #expect(answer == ["'node' was set to 2 (was 0)", "Link", "1", "3, 4", "<b>sale</b>↵over", "0"])
        withExtendedLifetime(joined) {}
    }
    @Test("a value that was not kept is told apart from none") func notKept() throws {
        let recorder = GraphRecorder(values: false, sites: false, onThisThreadOnly: true)
        let node = MutableNode(1).named("node")
        node.value = 2
        node.clean()
        node.value = 3
        node.value = 4
        let answer: [String] = try Browser.ask(
            recorder.page(of: node),
            "events.flatMap(event => [heldText(valueAt(nodes[0], event.id)), sentence(event)])"
                + ".concat(nodes[0].answer[0].text)")
        #expect(
            answer == [
                "not kept", "'node' was set to a value that was not kept",
                "empty", "'node' was emptied",
                "not kept", "'node' was set to a value that was not kept",
                "4", "'node' was set to 4",
                "has not been set since it became 4: nothing leads to it",
            ])
    }
}
