import ReactCore
import ReactScheduling
import ReactTesting
import Testing

@testable import ShoppingModel

/// In virtual time: nothing is awaited.
@Suite("Suggestions")
struct SuggestionTests {
    let shop = Shop()
    var list: ShoppingList { shop.list }
    private var found: [String]? { list.suggestions.current.finished?.map(\.name) }

    @Test("the catalogue is asked when the typing stops, and the spinner turns from the first letter to the answer")
    func spinner() {
        let spinner = Heard(list.isSuggesting)
        list.draft.value = "b"
        shop.clock.advance(by: .milliseconds(299))
        list.draft.value = "bu"
        #expect(spinner.values == [false, true])
        shop.clock.advance(by: .milliseconds(699))
        #expect(spinner.values == [false, true])
        shop.clock.advance(by: .milliseconds(1))
        #expect(spinner.values == [false, true, false])
        #expect(found == ["butter"])
    }

    @Test("at the start, and with an empty draft, no spinner turns")
    func empty() {
        #expect(!list.isSuggesting.current)
        list.draft.value = "milk"
        shop.clock.advance(by: .milliseconds(500))
        let spinner = Heard(list.isSuggesting)
        list.draft.value = ""
        #expect(found == [])
        shop.clock.run()
        #expect(spinner.values == [true, false])
        #expect(found == [])
    }

    @Test("while the answer for an older draft is shown, the spinner still turns")
    func older() {
        list.draft.value = "milk"
        shop.clock.advance(by: .milliseconds(600))
        list.draft.value = "bread"
        shop.clock.advance(by: .milliseconds(100))
        #expect(found == ["milk"] && list.isSuggesting.current)
        shop.clock.run()
        #expect(found == ["bread"] && !list.isSuggesting.current)
    }

    @Test("a catalogue that is asked for a newer draft is no longer waited for")
    func newer() {
        let phases = Heard(list.suggestions)
        list.draft.value = "milk"
        shop.clock.advance(by: .milliseconds(300))
        list.draft.value = "bread"
        shop.clock.advance(by: .milliseconds(399))
        #expect(phases.values.compactMap(\.finished) == [[]])
        shop.clock.run()
        #expect(found == ["bread"])
    }

    @Test("a catalogue that does not answer is a failure, and is asked again for another draft")
    func failure() {
        list.draft.value = "down"
        shop.clock.run()
        #expect(list.suggestions.current.failure is Catalogue.Unreachable)
        #expect(!list.isSuggesting.current)
        list.draft.value = "pe"
        shop.clock.run()
        #expect(found == ["pears"])
    }

    @Test("taking a suggestion adds it to its section and empties the draft, and is one step for undo")
    func take() throws {
        list.draft.value = "mi"
        shop.clock.run()
        let suggestion = try #require(list.suggestions.current.finished?.first)
        try expectRuns(of: list.document, exactly: 1) { list.take(suggestion) }
        #expect(shop.shown == ["dairy": ["milk"]] && list.draft.current == "" && found == [])
        list.undo()
        #expect(shop.shown == [:])
    }

    @Test("a draft that the catalogue does not know is added as it is")
    func takeDraft() {
        list.takeDraft()
        #expect(shop.shown == [:])
        list.draft.value = "batteries"
        list.takeDraft()
        #expect(shop.shown == ["other": ["batteries"]])
    }
}
