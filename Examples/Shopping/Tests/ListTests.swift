import ReactCore
import ReactTables
import ReactTesting
import TestSupport
import Testing

@testable import ShoppingModel

@Suite("The list")
struct ListTests {
    let shop = Shop(["dairy": ["milk", "butter"], "bakery": ["bread"]])
    var list: ShoppingList { shop.list }

    @Test("each section has its items, in the order in which they came")
    func sections() {
        #expect(shop.shown == ["bakery": ["bread"], "dairy": ["milk", "butter"]])
        list.remove(shop.id("bread"))
        #expect(shop.shown == ["dairy": ["milk", "butter"]])
        #expect(list.remaining.current == 2)
        list.edit(shop.id("milk")) { $0.isDone = true }
        #expect(list.remaining.current == 1)
        list.removeDone()
        #expect(shop.shown == ["dairy": ["butter"]])
    }

    @Test("the search shows the items that contain its text, in capitals or not")
    func search() {
        list.search.value = "B"
        #expect(shop.shown == ["bakery": ["bread"], "dairy": ["butter"]])
        list.search.value = "x"
        #expect(shop.shown == [:])
        list.search.value = ""
        #expect(shop.shown == ["bakery": ["bread"], "dairy": ["milk", "butter"]])
    }

    @Test("an item is dropped in its own section and in others")
    func drops() {
        list.move(shop.id("butter"), to: 0, of: "dairy")
        #expect(shop.shown["dairy"] == ["butter", "milk"])
        list.move(shop.id("bread"), to: 1, of: "dairy")
        #expect(shop.shown == ["dairy": ["butter", "bread", "milk"]])
        // A list on screen says in front of which row an item is dropped. The item itself still counts.
        list.drop(shop.id("butter"), at: 2, of: "dairy")
        #expect(shop.shown["dairy"] == ["bread", "butter", "milk"])
        list.drop(shop.id("milk"), at: 0, of: "dairy")
        #expect(shop.shown["dairy"] == ["milk", "bread", "butter"])
        list.drop(shop.id("bread"), at: 0, of: "fish")
        #expect(shop.shown == ["dairy": ["milk", "butter"], "fish": ["bread"]])
    }

    @Test("an item that is dropped during a search stands right behind the item above it")
    func dropsDuringASearch() {
        let shop = Shop(["dairy": ["cream", "butter", "curd", "cheese"]])
        shop.list.search.value = "c"
        shop.list.move(shop.id("cheese"), to: 1, of: "dairy")
        #expect(shop.shown["dairy"] == ["cream", "cheese", "curd"])
        shop.list.search.value = ""
        #expect(shop.shown["dairy"] == ["cream", "cheese", "butter", "curd"])
    }

    @Test("an item that is dropped between two of one place stands between them")
    func dropsBetweenEqualPlaces() {
        let shop = Shop(["dairy": ["milk", "butter", "curd", "cheese"]]), place = Place.initial(1)[0]
        for name in ["milk", "butter", "curd"] { shop.list.edit(shop.id(name)) { $0.place = place } }
        #expect(shop.shown["dairy"] == ["milk", "butter", "curd", "cheese"])
        shop.list.move(shop.id("cheese"), to: 1, of: "dairy")
        #expect(shop.shown["dairy"] == ["milk", "cheese", "butter", "curd"])
        shop.list.move(shop.id("curd"), to: 0, of: "dairy")
        #expect(shop.shown["dairy"] == ["curd", "milk", "cheese", "butter"])
    }

    @Test("items that are dragged at random stand where they were dropped")
    func randomDrops() {
        var random = SeededGenerator.announced()
        let names = (0..<12).map { "item \($0)" }
        let shop = Shop(["a": names])
        var model = ["a": names]
        for _ in 0..<500 {
            let name = names.randomElement(using: &random)!
            let section = ["a", "b", "c"].randomElement(using: &random)!
            for other in model.keys { model[other]?.removeAll { $0 == name } }
            let rank = Int.random(in: 0...model[section, default: []].count, using: &random)
            model[section, default: []].insert(name, at: rank)
            shop.list.move(shop.id(name), to: rank, of: section)
            #expect(shop.shown == model.filter { !$0.value.isEmpty }, "seed \(random.seed)")
        }
    }

    @Test("an edit runs each closure once, and one that changes nothing comes to the same list")
    func runs() throws {
        let id = shop.id("milk")
        // The section and the place of the one item.
        try expectRuns(of: list.sections, exactly: 2) {
            try expectRuns(of: list.document, exactly: 1) { list.edit(id) { $0.name = "oat milk" } }
        }
        try expectRuns(of: list.document, exactly: 0) { list.search.value = "m" }
        let before = Heard(list.document)
        list.move(id, to: 0, of: "dairy")
        #expect(before.values.count == 1)
    }

    @Test("a list that goes leaves nothing behind")
    func nothingLeft() throws {
        try expectNothingLeft {
            let shop = Shop(["dairy": ["milk"]])
            shop.list.draft.value = "bu"
            shop.clock.advance(by: .milliseconds(500))
            shop.list.undo()
        }
    }
}
