import ReactCore
import ReactOperators
import TestSupport
import Testing

/// The editor of *Undo and redo of several nodes*, in `Recipes.md`.
private final class Editor: Listener, Sendable {
    struct Drawing: Equatable, Sendable { var title: String, width: Int }
    struct History: Sendable {
        private(set) var past: [Drawing] = [], present: Drawing, future: [Drawing] = []

        init(_ present: Drawing) { self.present = present }
        mutating func record(_ drawing: Drawing) {
            guard drawing != present else { return }
            past.append(present)
            (present, future) = (drawing, [])
        }
        mutating func undo() {
            guard let version = past.popLast() else { return }
            future.append(present)
            present = version
        }
        mutating func redo() {
            guard let version = future.popLast() else { return }
            past.append(present)
            present = version
        }
    }
    let lifetime = Lifetime()
    let title = MutableNode("a"), width = MutableNode(1)
    let drawing: Node<Drawing>, history: MutableNode<History>

    init() {
        drawing = combine(title, width) { Drawing(title: $0, width: $1) }
        history = MutableNode(History(drawing.current))
        listen(to: drawing.settled()).with { [history] drawing in history.update { $0.record(drawing) } }
    }
    func undo() { step { $0.undo() } }
    func redo() { step { $0.redo() } }

    private func step(_ change: @escaping @Sendable (inout History) -> Void) {
        let now = Drawing(title: title.current, width: width.current)
        let changed = history.tryUpdate {
            $0.record(now)
            change(&$0)
            return $0.present
        }
        guard let present = changed else { return }
        batch {
            title.value = present.title
            width.value = present.width
        }
    }
    var titles: [String] {
        let history = history.current
        return history.past.map(\.title) + ["[\(history.present.title)]"] + history.future.reversed().map(\.title)
    }
}

@Suite("Undo and redo of several nodes") struct UndoRecipeTests {
    private func editor() -> Editor {
        let editor = Editor()
        for title in ["b", "c", "d"] { editor.title.value = title }
        return editor
    }

    @Test("an undo in a batch, or in a listener of another node, goes back one version each time")
    func inBatch() {
        let editor = editor(), button = MutableNode<Int>(), lifetime = Lifetime()
        button.listened(by: lifetime).with { _ in editor.undo() }
        editor.undo()
        batch {
            editor.undo()
            editor.undo()
            editor.redo()
        }
        #expect(editor.titles == ["a", "[b]", "c", "d"] && editor.title.current == "b")
        button.value = 1
        #expect(editor.titles == ["[a]", "b", "c", "d"] && editor.title.current == "a")
    }

    @Test("an undo in a listener of the history does nothing, and loses no version")
    func inListener() {
        let editor = editor(), lifetime = Lifetime()
        let calls = Locked(0)
        editor.history.listened(by: lifetime).with { _ in
            guard calls.increment() == 2 else { return }
            editor.undo()
            editor.undo()
        }
        editor.undo()
        #expect(editor.titles == ["a", "b", "[c]", "d"] && editor.title.current == "c")
        editor.redo()
        #expect(editor.titles == ["a", "b", "c", "[d]"] && editor.title.current == "d")
    }

    @Test("an undo beside another thread's long batch of the history does nothing, and loses no version")
    func besideBatch() {
        let editor = editor()
        editor.undo()
        let busy = BusyGraph(of: editor.history, setting: editor.history.current)
        editor.undo()
        busy.end()
        #expect(editor.titles == ["a", "b", "[c]", "d"] && editor.title.current == "c")
        editor.redo()
        #expect(editor.titles == ["a", "b", "c", "[d]"] && editor.title.current == "d")
    }
}
