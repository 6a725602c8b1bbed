import ReactTables
import Testing

@testable import ShoppingModel

@Suite("Items with equal places, as two machines may give")
struct EqualPlacesTests {
    /// A list of items in one section, by their numbers from 1 on.
    private func shop(_ places: [Place]) -> Shop {
        var document = Document()
        for (index, place) in places.enumerated() {
            document.items[index + 1] = Item(name: "\(index + 1)", section: "d", place: place)
        }
        return Shop(document)
    }

    @Test(
        "an item is dropped at each row, between equal ones too, and the others stay in order", arguments: 1...4, 0...3)
    func everyRow(id: Int, row: Int) {
        let places = Place.initial(2)
        let shop = shop([places[0], places[0], places[0], places[1]])
        shop.list.move(id, to: row, of: "d")
        var expected = [1, 2, 3, 4].filter { $0 != id }.map(String.init)
        expected.insert("\(id)", at: row)
        #expect(shop.shown == ["d": expected])
        #expect(shop.list.canUndo.current == (id != row + 1))
    }

    @Test("an item from another section is dropped between equal ones, before the items of other sections that follow")
    func otherSection() {
        let place = Place.initial(1)[0]
        let shop = shop([place, place, place])
        shop.list.add("x", to: "e")
        shop.list.move(4, to: 1, of: "d")
        #expect(shop.shown == ["d": ["1", "x", "2", "3"]])
    }
}
