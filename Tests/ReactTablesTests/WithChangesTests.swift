import ReactCore
import ReactTables
import TestSupport
import Testing

@Suite("Changes for a list on screen")
struct WithChangesTests {
    private let lifetime = Lifetime()

    @Test("the first call has every row as inserted, and each later one the changes since the last")
    func calls() {
        let node = MutableNode<Table<Int, String>>([1: "a", 3: "c"])
        let heard = Recorder<String>()
        lifetime.listen(to: node).withChanges { table, changes in
            heard.record("\(changes.removed) \(changes.inserted) \(changes.updated)")
        }
        node.update { table in
            table[1] = nil
            table[2] = "b"
            table[3] = "d"
        }
        #expect(
            heard.events == [
                #"[] [(rank: 0, key: 1, row: "a"), (rank: 1, key: 3, row: "c")] []"#,
                #"[(rank: 0, key: 1, row: "a")] [(rank: 0, key: 2, row: "b")] "#
                    + #"[(rank: 1, key: 3, old: "c", new: "d")]"#,
            ])
    }

    @Test("a listener's changes, applied in the documented order, give the table, after any sets")
    func applied() {
        var random = SeededGenerator.announced()
        let node = MutableNode<Table<Int, Int>>(), screen = Screen()
        lifetime.listen(to: node).withChanges { table, changes in screen.apply(changes, giving: table) }
        node.value = Table()
        for _ in 0..<Scale.scaled(1_000) {
            var table = node.value ?? Table()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                table[.random(in: 0..<40, using: &random)] = Bool.random(using: &random) ? Int(random.next() % 5) : nil
            }
            if random.next() % 20 == 0 { node.clean() }
            node.value = random.next() % 50 == 0 ? Table() : table
        }
        #expect(screen.calls > 0)
        #expect(screen.problems == [])
    }

    @Test("changes from four setting threads, applied, give the node's table")
    func fourThreads() {
        let node = MutableNode<Table<Int, Int>>(Table()), screen = Screen()
        lifetime.listen(to: node).withChanges { table, changes in screen.apply(changes, giving: table) }
        edit(node, Scale.scaled(2_000))
        #expect(screen.problems == [])
        #expect(node.value.map { screen.shows($0) } == true)
    }

    @Test("on the main actor, changes from four setting threads give the node's table, with fewer calls than sets")
    @MainActor func onMainActor() async {
        let node = MutableNode<Table<Int, Int>>(Table()), screen = Screen()
        lifetime.listen(to: node).withChangesOnMainActor { table, changes in
            MainActor.assertIsolated()
            screen.apply(changes, giving: table)
        }
        #expect(screen.calls == 1)
        // The main actor is busy meanwhile, so that versions come while it is.
        edit(node, Scale.scaled(500))
        #expect(screen.calls == 1)
        while node.value.map({ screen.shows($0) }) != true { await Task.yield() }
        #expect(screen.problems == [])
        #expect(screen.calls == 2)
    }

    @Test("a set on the main actor is heard before it returns, with those that waited, as one call")
    @MainActor func atOnce() {
        let node = MutableNode<Table<Int, Int>>([1: 1]), screen = Screen()
        lifetime.listen(to: node).withChangesOnMainActor { table, changes in screen.apply(changes, giving: table) }
        Worker { node.update { $0[2] = 2 } }.join()
        #expect(screen.calls == 1)
        node.update { $0[3] = 3 }
        #expect(screen.calls == 2)
        #expect(screen.shows([1: 1, 2: 2, 3: 3]))
    }

    @Test("a set in a call on the main actor is heard after that call")
    @MainActor func reentrant() {
        let node = MutableNode<Table<Int, Int>>([1: 1]), screen = Screen()
        lifetime.listen(to: node).withChangesOnMainActor { table, changes in
            if table.count < 4 { node.update { $0[table.count + 1] = 0 } }
            screen.apply(changes, giving: table)
        }
        #expect(screen.problems == [])
        #expect(screen.shows([1: 1, 2: 0, 3: 0, 4: 0]))
    }

    @Test("a listening that has ended hears nothing more, on the main actor or elsewhere")
    @MainActor func cancelled() async {
        let node = MutableNode<Table<Int, Int>>(Table()), screen = Screen(), other = Screen()
        let listening = lifetime.listen(to: node).withChangesOnMainActor { table, changes in
            screen.apply(changes, giving: table)
        }
        let plain = lifetime.listen(to: node).withChanges { table, changes in other.apply(changes, giving: table) }
        Worker { node.update { $0[1] = 1 } }.join()
        listening.cancel()
        plain.cancel()
        Worker { node.update { $0[2] = 2 } }.join()
        for _ in 0..<100 { await Task.yield() }
        #expect(screen.calls == 1)
        #expect(other.calls == 2)
    }

    /// Edits a table from four threads at once.
    private func edit(_ node: MutableNode<Table<Int, Int>>, _ count: Int) {
        concurrently(4) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<count {
                let key = Int.random(in: 0..<100, using: &random)
                let row = Bool.random(using: &random) ? Int(random.next() % 5) : nil
                node.update { $0[key] = row }
            }
        }
        waitForLate(at: node)
    }
}

/// A list that is changed as a table view's is.
final class Screen: Sendable {
    private struct State {
        var list: [(key: Int, row: Int)] = []
        var calls = 0
        var problems: [String] = []
    }
    private let state = Locked(State())

    var calls: Int { state.withLock { $0.calls } }
    var problems: [String] { state.withLock { $0.problems } }

    func shows(_ table: Table<Int, Int>) -> Bool {
        state.withLock { state in
            state.list.count == table.count
                && zip(state.list, table).allSatisfy { $0.key == $1.key && $0.row == $1.row }
        }
    }
    func apply(_ changes: TableChanges<Int, Int>, giving table: Table<Int, Int>) {
        state.withLock { state in
            state.calls += 1
            for change in changes.removed.reversed() {
                let gone = state.list.remove(at: change.rank)
                if gone != (change.key, change.row) { state.problems.append("removed \(gone), not \(change)") }
            }
            for change in changes.inserted { state.list.insert((change.key, change.row), at: change.rank) }
            for change in changes.updated {
                let old = state.list[change.rank]
                if old != (change.key, change.old) { state.problems.append("updated \(old), not \(change)") }
                if change.old == change.new { state.problems.append("no change: \(change)") }
                state.list[change.rank] = (change.key, change.new)
            }
        }
        if !shows(table) { state.withLock { $0.problems.append("call \($0.calls): \($0.list), not \(Array(table))") } }
    }
}
