import Foundation
import ReactCore
import ReactOperators
import Testing

// What the guide "Your model is on the main actor only" shows of targets whose default isolation is the main actor, as this one's is.

nonisolated struct Item: Equatable, Sendable { var name: String, isDone = false }
nonisolated func isOpen(_ item: Item) -> Bool { !item.isDone }

final class TodoList: Listener {
    let lifetime = Lifetime()
    @Reactive var items: [Item] = []
    private(set) var badge = ""

    init() {
        let open = $items.map { $0.filter(isOpen).count }.distinctUntilChanged()
        listen(to: open).call(TodoList.show)
    }
    func show(_ open: Int) { badge = open == 0 ? "" : "\(open)" }
}

@Suite("Code whose default isolation is the main actor")
struct TodoListTests {
    @Test("a class of a target whose default is the main actor listens as the guide says")
    func listens() async {
        let list = TodoList()
        #expect(list.badge == "")
        list.items = [Item(name: "write"), Item(name: "read", isDone: true)]
        #expect(list.badge == "1")
        let items = list.$items
        await Task.detached { items.update { $0.append(Item(name: "rest")) } }.value
        while list.badge != "2" { await Task.yield() }
        var other: TodoList? = TodoList()
        weak let gone = other
        #expect(gone?.badge == "")
        other = nil
        #expect(gone == nil)
    }

    @Test("the guide shows the code that is compiled here")
    func guide() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(
            contentsOf: root.appending(path: "Sources/ReactCore/ReactCore.docc/MainActorOnly.md"), encoding: .utf8)
        let block = try #require(guide.split(separator: "```swift\n").first { $0.hasPrefix("nonisolated struct Item") })
        let code = try #require(block.split(separator: "```").first)
        #expect(try String(contentsOf: here, encoding: .utf8).contains(code))
    }
}
