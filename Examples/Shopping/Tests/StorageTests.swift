import Foundation
import ReactCore
import ReactTables
import ReactTesting
import Testing

@testable import ShoppingModel

@Suite("The stored list")
struct StorageTests {
    let shop = Shop()
    var list: ShoppingList { shop.list }

    @Test("the list is saved once, when it has not changed for a second")
    func quiet() {
        list.add("milk", to: "dairy")
        shop.clock.advance(by: .milliseconds(999))
        list.add("bread", to: "bakery")
        #expect(!list.saved.isUpToDate)
        shop.clock.advance(by: .milliseconds(999))
        #expect(shop.kept.documents == [])
        shop.clock.advance(by: .milliseconds(1))
        #expect(shop.kept.documents == [list.document.current])
        #expect(list.saved.isUpToDate)
        list.undo()
        shop.clock.run()
        #expect(shop.kept.documents.last?.items.count == 1)
    }

    @Test("a search is nothing to save, and what was restored is not saved again")
    func nothingToSave() {
        let shop = Shop(Document(title: "Today", items: [:]))
        shop.list.search.value = "m"
        shop.list.title.value = "Today"
        #expect(shop.list.saved.isUpToDate)
        shop.clock.run()
        #expect(shop.kept.documents == [])
    }

    @Test("a list that could not be saved says so, and is saved with the next change")
    func full() {
        shop.kept.isFull = true
        list.title.value = "Today"
        shop.clock.run()
        #expect(list.saved.current.failure as? Storage.Failure == Storage.Failure("the disk is full"))
        #expect(list.title.current == "Today")
        shop.kept.isFull = false
        list.add("milk", to: "dairy")
        shop.clock.run()
        #expect(list.saved.current.failure == nil)
        #expect(shop.kept.documents == [list.document.current])
    }

    @Test("a list is what it was when it was saved")
    func restored() throws {
        let shop = Shop(["dairy": ["milk", "butter"], "bakery": ["bread"]])
        shop.list.move(3, to: 1, of: "dairy")
        shop.list.edit(1) { $0.isDone = true }
        let data = try JSONEncoder().encode(shop.list.document.current)
        let again = Shop(try JSONDecoder().decode(Document.self, from: data))
        #expect(again.list.document.current == shop.list.document.current)
        #expect(again.shown == ["dairy": ["milk", "bread", "butter"]])
        #expect(again.list.remaining.current == 2)
    }

    @Test("a document is shown in one batch")
    func oneBatch() throws {
        let document = Shop(["dairy": ["milk"]]).list.document.current
        try expectRuns(of: list.document, exactly: 1) { list.show(document) }
        #expect(shop.shown == ["dairy": ["milk"]])
    }

    @Test("names of version 1 become items, in their order")
    func migration() throws {
        let text = #"{"version": 1, "items": ["milk", "bread", "soap"]}"#
        let shop = Shop(try JSONDecoder().decode(Document.self, from: Data(text.utf8)))
        #expect(shop.shown == ["other": ["milk", "bread", "soap"]])
        shop.list.add("tea", to: "other")
        #expect(shop.shown == ["other": ["milk", "bread", "soap", "tea"]])
    }

    @Test(
        "a file that is no list is told with the place and the reason",
        arguments: [
            (#"{"version": 3}"#, "version: this program reads versions 1 and 2, not 3"),
            ("{}", "there is no “version”"),
            (#"{"version": 2, "title": "x"}"#, "there is no “items”"),
            (#"{"version": 2, "title": "x", "items": [[1, {"name": "milk"}]]}"#, "items.0.1: there is no “section”"),
            (
                #"{"version": 2, "title": "", "items": [[1, {"name": "", "section": "", "isDone": false, "place": "!"}]]}"#,
                "items.0.1.place: '!' is no place."
            ),
            (
                #"{"version": 2, "title": "", "items": [[9223372036854775807, {"name": "", "section": "", "isDone": false, "place": "8100"}]]}"#,
                "items: an item has a number from 1 to 1000000000, and not 9223372036854775807"
            ),
            (
                #"{"version": 2, "title": "", "items": [[0, {"name": "", "section": "", "isDone": false, "place": "8100"}]]}"#,
                "items: an item has a number from 1 to 1000000000, and not 0"
            ),
        ])
    func wrong(text: String, reason: String) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("shopping-\(UUID()).json").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: Storage.Failure("\(path): \(reason)")) { try Storage.file(path).load() }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
}
