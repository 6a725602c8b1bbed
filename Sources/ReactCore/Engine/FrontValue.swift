import Synchronization

/// A value that has been set, and is late: others read it although it is not stored yet.
///
/// Front values stand in a table, because few vertices ever have one. A flag of the vertex says so. Reads on the thread
/// that delivers in the graph get the stored value, which is the one that the graph delivers.
final class FrontValue {
    /// The newest value, in a vertex apart from the graph; empty if the vertex was emptied.
    @exclusivity(unchecked) fileprivate var value: Vertex
    /// The number of late sets that are still to be stored.
    @exclusivity(unchecked) fileprivate var count = 1

    fileprivate init(_ value: Vertex) { self.value = value }

    private static let lock = Lock(())
    /// Used under the lock.
    nonisolated(unsafe) private static var all: [ObjectIdentifier: FrontValue] = [:]

    /// Notes a late value, which the caller's work for later retains the vertex for. Any thread.
    fileprivate static func begin(_ value: Vertex, of vertex: Vertex) {
        var old = value
        lock.locking {
            if let known = all[ObjectIdentifier(vertex)] {
                swap(&known.value, &old)
                known.count += 1
            } else {
                all[ObjectIdentifier(vertex)] = FrontValue(value)
                vertex.setHasFront(true)
            }
        }
        withExtendedLifetime(old) {}
    }
    /// Notes that one of the late values has been stored.
    fileprivate static func end(of vertex: Vertex) {
        let old: FrontValue? = lock.locking {
            guard let known = all[ObjectIdentifier(vertex)] else { return nil }
            known.count -= 1
            guard known.count == 0 else { return nil }
            vertex.setHasFront(false)
            return all.removeValue(forKey: ObjectIdentifier(vertex))
        }
        withExtendedLifetime(old) {}
    }
    fileprivate static func value(of vertex: Vertex) -> Vertex? {
        lock.locking { all[ObjectIdentifier(vertex)]?.value }
    }
}

extension OptionalValueCell {
    /// Lets others read a value that is late. `endFront` ends that.
    func beginFront(_ value: Held) { FrontValue.begin(OptionalValueCell(value), of: self) }
    func endFront() { FrontValue.end(of: self) }
    /// Returns the late value. On the thread that delivers in the graph, returns the stored one.
    @usableFromInline @inline(never) func readFront() -> Held {
        let delivers = Engine.known?._withUnsafeGuaranteedRef { $0.delivers(in: self) } ?? false
        guard !delivers, let front = FrontValue.value(of: self) else { return readStored() }
        return unsafeDowncast(front, to: OptionalValueCell<Held>.self).readStored()
    }
}
