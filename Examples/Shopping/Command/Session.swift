import ReactScheduling
import ShoppingModel

/// Carries the lines out, at a list.
final class Session {
    private let list: ShoppingList
    private let screen: Screen
    /// The clock of the list, if time is virtual.
    private let virtual: VirtualScheduler?
    private let print: (String) -> Void
    private var number = 0
    private(set) var hasMistakes = false

    /// Without a `storage`, the list is not saved.
    init(_ document: Document, storage: Storage?, isVirtual: Bool, print: @escaping (String) -> Void) {
        let isKept = storage != nil, storage = storage ?? Storage.none
        let clock = VirtualScheduler()
        virtual = isVirtual ? clock : nil
        list =
            isVirtual
            ? ShoppingList(
                document, catalogue: .sample(clock.clock), storage: storage, on: clock, executor: clock)
            : ShoppingList(document, catalogue: .sample(ContinuousClock()), storage: storage)
        self.print = print
        screen = Screen(list, isKept: isKept, print: print)
    }

    /// Carries a line out. `nil` stands for a line that is not UTF-8.
    ///
    /// Returns a message about a line that cannot be used, which changes nothing.
    func take(_ line: String?) async -> String? {
        number += 1
        do throws(Mistake) {
            guard let line else { throw Mistake("the line is not UTF-8") }
            guard let instruction = try Instruction(line) else { return nil }
            print("> \(line)")
            try await perform(instruction)
            return nil
        } catch {
            hasMistakes = true
            return "standard input:\(number): \(error)"
        }
    }
    /// Waits until the catalogue has answered, and nothing is left to save. Returns a message if it cannot be saved.
    func end() async -> String? {
        virtual?.run()
        _ = try? await list.suggestions.whenUpToDate()
        guard let failure = try? await list.saved.whenUpToDate()?.failure else { return nil }
        hasMistakes = true
        return "\(failure)"
    }

    private func perform(_ instruction: Instruction) async throws(Mistake) {
        switch instruction {
        case .type(let text): list.draft.value = text
        case .take(let number):
            let found = list.suggestions.current.finished ?? []
            guard number <= found.count else { throw Mistake("there is no suggestion \(number)") }
            list.take(found[number - 1])
        case .enter:
            guard !list.draft.current.isEmpty else { throw Mistake("nothing was typed") }
            list.takeDraft()
        case .add(let section, let name): list.add(name, to: section)
        case .check(let id, let isDone): list.edit(try existing(id)) { $0.isDone = isDone }
        case .rename(let id, let name): list.edit(try existing(id)) { $0.name = name }
        case .remove(let id): list.remove(try existing(id))
        case .clean: list.removeDone()
        case .move(let id, let section, let row):
            let others = list.sections.current[section]?.filter { $0.key != id } ?? []
            guard row <= others.count + 1 else {
                throw Mistake("there is no row \(row), only 1 to \(others.count + 1)")
            }
            list.move(try existing(id), to: row - 1, of: section)
        case .search(let text): list.search.value = text
        case .title(let text): list.title.value = text
        case .undo:
            guard list.canUndo.current else { throw Mistake("there is nothing to undo") }
            list.undo()
        case .redo:
            guard list.canRedo.current else { throw Mistake("there is nothing to redo") }
            list.redo()
        case .show: screen.lines.forEach(print)
        case .wait(let duration): await wait(duration)
        }
    }
    private func existing(_ id: Int) throws(Mistake) -> Int {
        if list.items.current[id] == nil { throw Mistake("there is no item \(id)") }
        return id
    }
    private func wait(_ duration: Duration) async {
        guard let virtual else { return _ = try? await Task.sleep(for: duration) }
        virtual.advance(by: duration)
        // The main actor hears the values that tasks have set when it has a turn.
        await Task.yield()
    }
}
