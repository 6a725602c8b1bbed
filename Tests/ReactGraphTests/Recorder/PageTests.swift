import Foundation
import ReactCore
import ReactOperators
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
            let stops: [[String]]
            let edges: [String: [Bool]]
        }
        let answer: Answer = try Browser.ask(
            recorder.page(of: shown),
            """
            {
              stops: whyNot(0, events.length - 1).map(({ set, stops }) => [set, ...stops].map(sentence)),
              edges: Object.fromEntries(edges.map(edge => [`${label(edge.from)} to ${label(edge.to)}`,
                events.filter(event => [KIND.linked, KIND.cut].includes(event.kind)).map(event => isThereAt(edge, event.id))])),
            }
            """)
        #expect(answer.stops.count == 1)
        #expect(answer.stops.first?.first == "'local' was set to edited (was local)")
        #expect(answer.stops.first?.last?.hasSuffix("was cut from 'local'") == true)
        // When it was linked, cut, and linked to the other one.
        #expect(
            answer.edges == ["'local' to 'shown'": [true, false, false], "'remote' to 'shown'": [false, false, true]])
    }
}
