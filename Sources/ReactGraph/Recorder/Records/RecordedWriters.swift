import ReactCore

/// What the threads are called that have written to a ring, one after the other: a thread's number is used again when it has ended.
struct RecordedWriters: Sendable {
    /// Where the records of each begin; positions grow.
    private var writers: [(first: Int, name: String)]

    init(_ name: String) { writers = [(0, name)] }

    /// What writes from `position` on is called `name`. Of what lies `capacity` before that, nothing is on record any more.
    mutating func begin(_ name: String, at position: Int, capacity: Int) {
        if writers[writers.count - 1].first == position { writers.removeLast() }
        guard writers.last?.name != name else { return }
        writers.append((position, name))
        let old = place(of: position - capacity)
        // Not for each one: those that stay are moved.
        if old > writers.count / 2 { writers.removeFirst(old) }
    }
    func name(at position: Int) -> String { writers[place(of: position)].name }
    /// The names of those that have written from `position` on, each once.
    func names(from position: Int) -> [String] {
        var seen: Set<String> = []
        return writers[place(of: position)...].map(\.name).filter { seen.insert($0).inserted }
    }
    /// Who has written what is at `position`; the first one that is known where that is older.
    private func place(of position: Int) -> Int { max(writers.endOfPrefix { $0.first <= position } - 1, 0) }
}
