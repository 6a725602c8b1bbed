import ReactCore

extension Node {
    /// "EachRow": calls `make` once for each key, with a node that holds the key's row, and keeps the results.
    ///
    /// Use it for lists on screen: one view model for each row, which lives as long as the row. A row that changes is
    /// set in its node alone, before the results are passed on. The results are passed on at first, and when a key has
    /// come or gone. The result of a key goes with the key.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3])
    ///     let labels = prices.eachRow { name, price in price.map { "\(name): \($0) €" } }
    ///     let apple = labels.value!["apple"]!
    ///     prices.update {
    ///         $0["apple"] = 5
    ///         $0["pear"] = 4
    ///     }
    ///     print(apple.current)             // apple: 5 €
    ///     print(labels.value!.count)       // 2
    ///
    /// **Lifetime.** A row's node is not linked to this node. When the key or the result of `eachRow` has gone, or the
    /// edge is cut, the row's node keeps its last row. Keep the result of `eachRow` for as long as rows are to change.
    /// The operator starts over, with new nodes, when its edge is re-pointed.
    ///
    /// **Up to date.** `upToDate()` of the result tells if a table is on its way. It does not tell if work of a row's
    /// result is under way, because no edge leads from there to this result. Ask the rows' results.
    ///
    /// **Secrets.** If this node is redacted when a row's node is made, the row's node is redacted as well.
    ///
    /// **Order.** Rows are set in the order of the keys, on the thread that sets the table, with the table's context.
    /// Their combinations fire at the end of the transaction.
    ///
    /// - Parameter make: Called in the order of the keys, with no lock held.
    /// - Returns: A new node with the results, in the order of the keys.
    /// - Complexity: O(d · log n) for d changed rows. Each row costs a node.
    @inlinable public func eachRow<Key, Row, Output: Sendable>(
        _ make: @escaping @Sendable (Key, Node<Row>) -> Output
    ) -> Node<RowResults<Key, Output>> where Value == Table<Key, Row> {
        makingRows(make)
    }
    /// "EachRow": calls `make` once for each key, however often its row moves. The results stand in the order of the
    /// rows.
    ///
    /// The results are passed on at first, when a key has come or gone, and when a row has moved. A row that moves
    /// keeps its node and its result. See `eachRow` of a table for the rest.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "pear": 4])
    ///     let labels = prices.sorted { $0 }.eachRow { name, price in price.map { "\(name): \($0) €" } }
    ///     let apple = labels.current["apple"]!
    ///     prices.update { $0["apple"] = 5 }
    ///     print(labels.current.map(\.output.current))          // ["pear: 4 €", "apple: 5 €"]
    ///     print(labels.current["apple"]! === apple)            // true
    ///
    /// **Order.** Rows are set in this order: rows that moved, by their old rank, then the other rows, by rank.
    ///
    /// - Parameter make: Called in the order of the rows, with no lock held.
    /// - Returns: A new node with the results, in the order of the rows.
    /// - Complexity: O(d · log n) for d changed rows, and O(n · log n) for a new order. Each row costs a node.
    @inlinable public func eachRow<Key, Row, Output: Sendable>(
        _ make: @escaping @Sendable (Key, Node<Row>) -> Output
    ) -> Node<RowResults<Key, Output>> where Value == SortedTable<Key, Row> {
        makingRows(make)
    }

    /// Returns a new node with the results of `make` for this node's rows.
    @inlinable func makingRows<Output>(
        _ make: @escaping @Sendable (Value.Key, Node<Value.Row>) -> Output
    ) -> Node<RowResults<Value.Key, Output>> where Value: Versioned {
        let memory = Remembered("results only if a key has come or gone, or a row has moved")
        return following("EachRow", state: memory) {
            let delivery = EdgeCall<Value, RowResults<Value.Key, Output>>($0)
            let (box, isFirst) = memory.lend(to: $0) { MadeRows<Value, Output>(make) }
            let (hasMoved, changed) = box.state.update(to: delivery.value, &box.calls) { delivery.isOfRedactedSource }
            let results = RowResults(byKey: box.state.results, inOrder: box.state.inOrder)
            // A call of `make` may have run while the edge was cut. Then the rows stay as they were.
            guard memory.takeBack(box, from: $0) else { return .nothing }
            // Set after the state is taken back, because listeners of these nodes may do anything.
            for (node, row) in changed {
                guard delivery.isStillConnected else { return .nothing }
                node.setValue(row, context: delivery.context)
            }
            return hasMoved || isFirst ? delivery.send(results) : .nothing
        }
    }
}

/// The nodes and results that were made of a table's keys.
@usableFromInline struct MadeRows<Rows: Versioned, Output: Sendable>: Sendable {
    @usableFromInline typealias Key = Rows.Key
    @usableFromInline typealias Row = Rows.Row
    @usableFromInline let make: @Sendable (Key, Node<Row>) -> Output
    @usableFromInline var input = Rows()
    @usableFromInline var nodes = Table<Key, MutableNode<Row>>()
    @usableFromInline var results = Table<Key, RowResult<Output>>()
    /// The results in the order of the rows; `nil` if that is the order of the keys.
    @usableFromInline var inOrder: Table<RowPlace<Key>, RowResult<Output>>?

    @inlinable init(_ make: @escaping @Sendable (Key, Node<Row>) -> Output) { self.make = make }

    /// Takes the next input. Returns true if the results or their order have changed, and the nodes whose rows are to
    /// be set. If `redacts` returns true, the nodes of new rows are redacted. It may search everything upstream, so it
    /// is asked once at most.
    @inlinable mutating func update(
        to new: Rows, _ calls: inout Int, redacts: () -> Bool
    ) -> (hasMoved: Bool, changed: [(node: MutableNode<Row>, row: Row)]) {
        let old = input, changes = new.changesWithMoves(from: old)
        input = new
        for (_, key, _) in changes.removed { (nodes[key], results[key]) = (nil, nil) }
        let redacted = !changes.inserted.isEmpty && redacts()
        for (_, key, row) in changes.inserted {
            let node = MutableNode(row)
            if redacted { node.redacted() }
            nodes[key] = node
            calls += 1
            results[key] = RowResult(make(key, node))
        }
        arrange(from: old, to: new)
        let moved = changes.moved.filter { $0.old != $0.new }.map { ($0.key, $0.new) }
        let changed = (moved + changes.updated.map { ($0.key, $0.new) }).compactMap { key, row in
            nodes[key].map { (node: $0, row: row) }
        }
        return (!(changes.removed.isEmpty && changes.inserted.isEmpty && changes.moved.isEmpty), changed)
    }
    /// Puts the results in the places of `new`.
    @inlinable mutating func arrange(from old: Rows, to new: Rows) {
        guard let places = new.byPlace, let oldPlaces = old.byPlace else { return }
        guard var arranged = inOrder.take(), places.isSortedAlike(oldPlaces) else {
            inOrder = places.compactMapped { place, _ in results[place.key] }
            return
        }
        for (place, before, now, _) in places.differences(from: oldPlaces) {
            if before == nil || now == nil { arranged[place] = now == nil ? nil : results[place.key] }
        }
        inOrder = arranged
    }
}

extension EdgeCall {
    /// True if the value of the source must not be shown.
    @usableFromInline var isOfRedactedSource: Bool { raw.edge.takeUnretainedValue().source?.isRedacted ?? false }
}
