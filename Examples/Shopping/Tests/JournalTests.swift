import Foundation
import ReactCore
import ReactGraph
import ReactScheduling
import ReactTesting
import Testing

@testable import ShoppingModel

/// A bug report is a test: the steps are recorded, repeated in virtual time, and shrunk.
@Suite("The list's journal")
struct JournalTests {
    let shop = Shop()
    var list: ShoppingList { shop.list }

    /// Does some things, and returns the journal as a bug report carries it.
    private func report() throws -> Journal {
        let clock = shop.clock
        let recorder = JournalRecorder(of: list.journalSources, watching: list.watched) { clock.now }
        list.draft.value = "mi"
        clock.advance(by: .seconds(1))
        list.take(try #require(list.suggestions.current.finished?.first))
        list.add("bread", to: "bakery")
        list.add("butter", to: "dairy")
        list.undo()
        list.redo()
        list.move(3, to: 0, of: "dairy")
        list.search.value = "b"
        list.edit(2) { $0.isDone = true }
        let data = try JSONEncoder().encode(recorder.stop())
        return try JSONDecoder().decode(Journal.self, from: data)
    }

    @Test("a replay in virtual time comes to the same list, and to the same suggestions on the way")
    func replay() throws {
        let journal = try report()
        #expect(journal.isComplete)
        let again = Shop()
        let differences = try journal.replay(into: again.list.journalSources, watching: again.list.watched) {
            again.clock.advance(by: $0)
        }
        #expect(differences == [])
        #expect(again.list.document.current == list.document.current)
        #expect(again.shown == ["bakery": ["bread"], "dairy": ["butter"]])
    }

    @Test("an undo is a step of the journal, and what it sets is none")
    func undo() throws {
        list.add("milk", to: "dairy")
        let recorder = JournalRecorder(of: list.journalSources)
        list.undo()
        let steps = recorder.stop().steps.filter { if case .wait = $0 { false } else { true } }
        #expect(steps == [.pulse(source: "steps", value: "undo")])
    }

    @Test("a journal shrinks to the steps after which an item has been bought")
    func shrink() throws {
        let journal = try report()
        let short = try journal.shrunk { journal in
            let again = Shop()
            try journal.replay(into: again.list.journalSources)
            return again.list.items.current.contains { $0.row.isDone }
        }
        #expect(short.steps.count == 1)
        #expect(short.description.hasPrefix("items = "))
    }

    @Test("the runs of closures are counted while a journal is recorded")
    func runs() throws {
        let recorder = JournalRecorder(of: list.journalSources, watching: list.watched)
        // The section and the place of the one item.
        try expectRuns(of: list.sections, exactly: 2) { list.add("milk", to: "dairy") }
        try expectRuns(of: list.document, exactly: 1) { list.undo() }
        #expect(recorder.stop().isComplete)
    }
}
