import ReactCore

/// Stores the names of the threads that have written to a record buffer, one after the other. A thread's number is used
/// again when the thread has ended.
struct RecordedWriters: Sendable {
    /// The position of each writer's first record, in growing order.
    private var writers: [(first: Int, name: String)]

    init(_ name: String) { writers = [(0, name)] }
    /// Copies at once.
    init(copying other: RecordedWriters) { writers = other.writers.map(\.self) }

    /// Makes `name` the writer from `position` on. Records more than `capacity` before that are evicted, so their
    /// writers are removed.
    mutating func begin(_ name: String, at position: Int, capacity: Int) {
        if writers[writers.count - 1].first == position { writers.removeLast() }
        guard writers.last?.name != name else { return }
        writers.append((position, name))
        let old = place(of: position - capacity)
        // Removed in bulk, because removing moves the rest.
        if old > writers.count / 2 { writers.removeFirst(old) }
    }
    func name(at position: Int) -> String { writers[place(of: position)].name }
    /// Returns the names of the writers from `position` on, each once.
    func names(from position: Int) -> [String] { writers[place(of: position)...].map(\.name).uniqued }
    /// Returns the place of the writer of the record at `position`; the first known writer if the record is older.
    private func place(of position: Int) -> Int { max(writers.endOfPrefix { $0.first <= position } - 1, 0) }
}

extension Array {
    /// Returns the end of the elements for which `belongs` is true. Precondition: these come before all others. O(log
    /// n).
    func endOfPrefix(while belongs: (Element) -> Bool) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
