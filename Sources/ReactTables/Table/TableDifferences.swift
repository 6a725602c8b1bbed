extension Table {
    /// Calls `body` for each key whose rows differ, in the order of the keys.
    ///
    /// `old` is `nil` for a key that came, `new` for one that went. Parts that the two tables share are skipped.
    @inlinable func forEachDifference(from old: Table, _ body: (_ key: Key, _ old: Row?, _ new: Row?) -> Void) {
        var (i, j) = (0, 0)
        while i < old.entries.count || j < entries.count {
            if j == entries.count || i < old.entries.count && old.entries[i].key < entries[j].key {
                body(old.entries[i].key, old.entries[i].row, nil)
                i += 1
            } else if i == old.entries.count || entries[j].key < old.entries[i].key {
                body(entries[j].key, nil, entries[j].row)
                j += 1
            } else {
                if old.entries[i].row != entries[j].row { body(entries[j].key, old.entries[i].row, entries[j].row) }
                i += 1
                j += 1
            }
        }
    }
}
