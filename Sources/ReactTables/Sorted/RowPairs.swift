/// The rows that two sorted tables both have, and that may have moved.
///
/// `old` and `new` are the rows that may differ, by rising rank. All other rows are in both tables, and stay.
@usableFromInline struct RowPairs<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable> {
    @usableFromInline let (old, new): ([(rank: Int, key: Key, row: Row)], [(rank: Int, key: Key, row: Row)])
    /// The place in `new` of each row of `old`, or `nil` for a row that went.
    @usableFromInline var partners: [Int?]
    /// True for each row of `new` that `old` has as well.
    @usableFromInline var isPaired: [Bool]

    @inlinable init(_ old: [(rank: Int, key: Key, row: Row)], _ new: [(rank: Int, key: Key, row: Row)]) {
        (self.old, self.new) = (old, new)
        isPaired = Array(repeating: false, count: new.count)
        // A key stands there twice only if its `<` is no order.
        let places = Dictionary(new.enumerated().lazy.map { ($1.key, $0) }) { $1 }
        partners = old.map { places[$0.key] }
        for case let place? in partners { isPaired[place] = true }
    }

    /// Returns true for each row of `old` that stays. The rows that stay are a largest set with this property: they and
    /// the rows outside of `old` and `new` have the same order in both tables. O(d · log d).
    ///
    /// A row can stay only if as many of these other rows stand before it in both tables. The set is then a longest
    /// rising sequence of the places in `new`.
    @inlinable func staying() -> [Bool] {
        var stays = Array(repeating: false, count: old.count)
        /// For each length, the row of `old` with the smallest place in `new` that ends a rising sequence of it.
        var ends: [Int] = []
        /// The row before each row, in the sequence that it ends.
        var previous = Array(repeating: -1, count: old.count)
        for (place, row) in old.enumerated() {
            guard let partner = partners[place], row.rank - place == new[partner].rank - partner else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if partners[ends[middle]]! < partner { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[place] = ends[low - 1] }
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var place = ends.last ?? -1
        while place >= 0 {
            stays[place] = true
            place = previous[place]
        }
        return stays
    }
}
