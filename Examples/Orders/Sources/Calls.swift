import Synchronization

/// Counts the calls of each closure of the graph.
final class Calls: Sendable {
    struct Counts: Equatable {
        var filter = 0, reference = 0, join = 0, sort = 0, section = 0, group = 0, adding = 0, removing = 0

        var line: String {
            "\(filter) filter, \(reference) reference, \(join) join, \(sort) sort, \(section) section, \(group) group, \(adding) adding, \(removing) removing"
        }
    }
    private let counts = Mutex(Counts())

    func add(_ closure: WritableKeyPath<Counts, Int> & Sendable) { counts.withLock { $0[keyPath: closure] += 1 } }
    /// Returns the counts since the last call.
    func take() -> Counts {
        counts.withLock { counts in
            defer { counts = Counts() }
            return counts
        }
    }
}
