import ReactCore
import ReactOperators
import ReactTesting
import Testing

@testable import ShoppingModel

@Suite("Undo and redo")
struct HistoryTests {
    let shop = Shop()
    var list: ShoppingList { shop.list }

    @Test("an undo brings back what was before the last edit, and a redo what was after it")
    func undo() {
        list.add("milk", to: "dairy")
        list.edit(1) { $0.name = "oat milk" }
        list.undo()
        #expect(shop.shown == ["dairy": ["milk"]])
        list.undo()
        #expect(shop.shown == [:])
        #expect(!list.canUndo.current && list.canRedo.current)
        list.redo()
        list.redo()
        #expect(shop.shown == ["dairy": ["oat milk"]])
        #expect(list.canUndo.current && !list.canRedo.current)
    }

    @Test("a batch is one step, whatever it sets")
    func batches() throws {
        try expectRuns(of: list.document, exactly: 1) {
            batch {
                list.title.value = "Breakfast"
                list.add("bread", to: "bakery")
                list.add("butter", to: "dairy")
            }
        }
        list.undo()
        #expect(list.title.current == "Shopping" && shop.shown == [:])
        #expect(!list.canUndo.current)
    }

    @Test("an undo changes all that it brings back in one batch")
    func oneBatch() {
        batch {
            list.title.value = "Breakfast"
            list.add("bread", to: "bakery")
        }
        let heard = Heard(combine(list.title, list.remaining) { "\($0): \($1)" })
        list.undo()
        #expect(heard.values == ["Breakfast: 1", "Shopping: 0"])
    }

    @Test("an edit after an undo leaves nothing to redo, and one that changes nothing is no step")
    func edits() {
        list.add("milk", to: "dairy")
        list.undo()
        list.title.value = "Shopping"
        #expect(list.canRedo.current)
        list.title.value = "Today"
        #expect(!list.canRedo.current)
        list.redo()
        #expect(list.title.current == "Today" && shop.shown == [:])
    }

    @Test("what was restored cannot be undone")
    func restored() {
        var document = Document()
        document.title = "Yesterday"
        #expect(!Shop(document).list.canUndo.current)
    }

    @Test("the search and the draft are no part of the history")
    func search() {
        list.search.value = "m"
        list.draft.value = "m"
        #expect(!list.canUndo.current)
    }
}
