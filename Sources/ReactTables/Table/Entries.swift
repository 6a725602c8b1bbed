import ReactCore

/// The entries of a leaf of a table's tree, or the bounds of an inner node. The tree does not know their types.
///
/// Unchecked, because it has subclasses, and because its entries change. Only the one tree that refers to it changes
/// it.
@usableFromInline class AnyEntries: @unchecked Sendable {
    @usableFromInline var count: Int { abstract() }
    /// The number of entries that a leaf may have.
    var most: Int { abstract() }
    /// Returns a copy, which another tree can change.
    func copy() -> AnyEntries { abstract() }
    func part(_ slots: Range<Int>) -> AnyEntries { abstract() }
    /// Returns these entries, and behind them all others, which are copied once each.
    func appending(_ others: [AnyEntries]) -> AnyEntries { abstract() }
    /// Returns the key at a slot, as the only bound.
    func bound(at slot: Int) -> AnyEntries { abstract() }
    /// Returns true if the key at a slot comes before a key of `other`.
    func isBefore(_ slot: Int, _ other: AnyEntries, _ otherSlot: Int) -> Bool { abstract() }

    /// Returns these entries, with others in place of those at some slots.
    final func replacing(_ slots: Range<Int>, with other: AnyEntries?) -> AnyEntries {
        part(0..<slots.lowerBound).appending([other, part(slots.upperBound..<count)].compactMap(\.self))
    }
    private func abstract() -> Never { preconditionFailure("a subclass overrides this") }
}

/// Keys in rising order, each with its row. Bounds have no rows: each is ``Present``.
///
/// The functions that are `@inlinable` are compiled for the types of keys and rows, in the client. The others are
/// called rarely, and compiled once.
///
/// Unchecked, as its base is. Keys and rows are `Sendable`.
@usableFromInline
final class Entries<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable>: AnyEntries, @unchecked Sendable {
    @usableFromInline struct Entry: Sendable {
        @usableFromInline var key: Key
        @usableFromInline var row: Row
        @inlinable init(key: Key, row: Row) {
            self.key = key
            self.row = row
        }
    }
    @exclusivity(unchecked) @usableFromInline var list: ContiguousArray<Entry>

    @usableFromInline init(_ list: ContiguousArray<Entry>) { self.list = list }

    /// Returns entries whose types the caller knows. Checked in debug builds.
    @inlinable @inline(__always) static func of(_ entries: AnyEntries) -> Entries {
        unsafeDowncast(entries, to: Entries.self)
    }
    /// Returns the slot of a key, or the slot where it belongs.
    @inlinable func place(of key: Key) -> (slot: Int, isThere: Bool) {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) >> 1
            if comesBefore(list[middle].key, key) { low = middle + 1 } else { high = middle }
        }
        return (low, low < list.count && !comesBefore(key, list[low].key))
    }

    @usableFromInline override var count: Int { list.count }
    /// At least 24, and more of small entries, because each leaf also takes 80 bytes, and its parent about 40.
    override var most: Int { Swift.min(Swift.max(24, 384 / MemoryLayout<Entry>.stride), 96) }
    override func copy() -> AnyEntries { Entries(list) }
    override func part(_ slots: Range<Int>) -> AnyEntries {
        // An array of the whole slice would keep the room of the old one.
        var part = ContiguousArray<Entry>()
        part.reserveCapacity(slots.count)
        part.append(contentsOf: list[slots])
        return Entries(part)
    }
    override func appending(_ others: [AnyEntries]) -> AnyEntries {
        var all = ContiguousArray<Entry>()
        all.reserveCapacity(others.reduce(count) { $0 + $1.count })
        all += list
        for other in others { all += Entries.of(other).list }
        Steps.count(all.count)
        return Entries(all)
    }
    override func bound(at slot: Int) -> AnyEntries {
        Entries<Key, Present>([.init(key: list[slot].key, row: Present())])
    }
    override func isBefore(_ slot: Int, _ other: AnyEntries, _ otherSlot: Int) -> Bool {
        comesBefore(list[slot].key, Entries.of(other).list[otherSlot].key)
    }

    /// Inserts an entry. The array is at most a quarter larger than necessary; by itself, it would double.
    func insert(_ entry: Entry, at slot: Int) {
        if list.count == list.capacity { list.reserveCapacity(list.count + Swift.max(1, list.count / 4)) }
        list.insert(entry, at: slot)
    }
    /// Removes an entry, and gives room back if the array is much larger than necessary.
    func remove(at slot: Int) -> Row {
        let row = list.remove(at: slot).row
        if list.capacity > list.count + list.count / 4 + 1 { list = Entries.of(part(0..<list.count)).list }
        return row
    }
}

/// The row of a table that serves as a set of keys.
@usableFromInline struct Present: Equatable, Sendable {
    @inlinable init() {}
}
