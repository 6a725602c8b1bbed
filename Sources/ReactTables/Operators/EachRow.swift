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
        makingRows { ResultsOfTable(MadeRows(make)) }
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
        makingRows { ResultsOfSortedTable(MadeRows(make)) }
    }

    /// Returns a new node with the results that `initial`, and its later states, make of this node's values.
    @inlinable func makingRows<State: MakesRows>(
        _ initial: @escaping @Sendable () -> State
    ) -> Node<RowResults<State.Key, State.Output>> where Value == State.Input {
        let memory = Remembered<State>()
        return following("EachRow", state: memory) {
            let delivery = EdgeCall<Value, RowResults<State.Key, State.Output>>($0)
            var lent = memory.lend(to: delivery)
            let isFirst = lent == nil
            var state = lent.take() ?? initial()
            let hasChanged = state.update(to: delivery.value, redacts: { delivery.isOfRedactedSource })
            let changed = state.made.takeChanged(), results = state.results
            // A call of `make` may have run while the edge was cut. Then the rows stay as they were.
            guard memory.takeBack(consume state, from: delivery) else { return .nothing }
            // Set after the state is taken back, because listeners of these nodes may do anything.
            for (node, row) in changed {
                guard delivery.isStillConnected else { return .nothing }
                node.setValue(row, context: delivery.context)
            }
            return hasChanged || isFirst ? delivery.send(results) : .nothing
        }
    }
}

/// The state of an `eachRow`.
@usableFromInline protocol MakesRows: Sendable {
    associatedtype Key: Hashable & Comparable & Sendable
    associatedtype Row: Equatable & Sendable
    associatedtype Output: Sendable
    associatedtype Input: Sendable

    var made: MadeRows<Key, Row, Output> { get set }
    var results: RowResults<Key, Output> { get }
    /// Takes the next input. Returns true if `results` has changed. If `redacts` returns true, the nodes of new rows
    /// are redacted.
    mutating func update(to new: Input, redacts: () -> Bool) -> Bool
}

/// The nodes and results that were made of keys.
@usableFromInline
struct MadeRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Output: Sendable>: Sendable {
    @usableFromInline let make: @Sendable (Key, Node<Row>) -> Output
    @usableFromInline var nodes = Table<Key, MutableNode<Row>>()
    @usableFromInline var results = Table<Key, RowResult<Output>>()
    /// The nodes whose rows have changed since the last `takeChanged()`.
    @usableFromInline var changed: [(node: MutableNode<Row>, row: Row)] = []

    @inlinable init(_ make: @escaping @Sendable (Key, Node<Row>) -> Output) { self.make = make }

    @inlinable mutating func takeChanged() -> [(node: MutableNode<Row>, row: Row)] {
        defer { changed = [] }
        return changed
    }
    /// Makes the node and the result of a key that has come.
    @inlinable mutating func add(_ row: Row, of key: Key, redacted: Bool) {
        let node = MutableNode(row)
        if redacted { node.redacted() }
        nodes[key] = node
        results[key] = RowResult(make(key, node))
    }
    /// Notes that the row of a key has changed.
    @inlinable mutating func change(_ row: Row, of key: Key) {
        if let node = nodes[key] { changed.append((node, row)) }
    }
    @inlinable mutating func remove(_ key: Key) {
        nodes[key] = nil
        results[key] = nil
    }
}

/// The results of a table's rows, in the order of the keys.
@usableFromInline
struct ResultsOfTable<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Output: Sendable>: MakesRows {
    @usableFromInline var made: MadeRows<Key, Row, Output>
    @usableFromInline var input = Table<Key, Row>()

    @inlinable init(_ made: MadeRows<Key, Row, Output>) { self.made = made }

    @inlinable var results: RowResults<Key, Output> { RowResults(byKey: made.results, inOrder: nil) }

    @inlinable mutating func update(to new: Table<Key, Row>, redacts: () -> Bool) -> Bool {
        let old = input
        input = new
        // Asked once at most, because it may search everything upstream.
        var isSecret: Bool?
        var hasChanged = false
        new.forEachDifference(from: old) { key, before, row in
            if before != nil, let row { return made.change(row, of: key) }
            hasChanged = true
            guard let row else { return made.remove(key) }
            let redacted = isSecret ?? redacts()
            isSecret = redacted
            made.add(row, of: key, redacted: redacted)
        }
        return hasChanged
    }
}

/// The results of a sorted table's rows, in the order of the rows.
@usableFromInline
struct ResultsOfSortedTable<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Output: Sendable>:
    MakesRows
{
    @usableFromInline var made: MadeRows<Key, Row, Output>
    @usableFromInline var input = SortedTable<Key, Row>()
    @usableFromInline var inOrder = Table<RowPlace<Key>, RowResult<Output>>()

    @inlinable init(_ made: MadeRows<Key, Row, Output>) { self.made = made }

    @inlinable var results: RowResults<Key, Output> { RowResults(byKey: made.results, inOrder: inOrder) }

    @inlinable mutating func update(to new: SortedTable<Key, Row>, redacts: () -> Bool) -> Bool {
        let old = input
        input = new
        let changes = new.changes(from: old)
        for (_, key, _) in changes.removed { made.remove(key) }
        for (_, _, key, old, new) in changes.moved where old != new { made.change(new, of: key) }
        for (_, key, _, row) in changes.updated { made.change(row, of: key) }
        if !changes.inserted.isEmpty {
            let redacted = redacts()
            for (_, key, row) in changes.inserted { made.add(row, of: key, redacted: redacted) }
        }
        arrange(from: old, to: new)
        return !(changes.removed.isEmpty && changes.inserted.isEmpty && changes.moved.isEmpty)
    }
    /// Puts the results in the places of `new`.
    @inlinable mutating func arrange(from old: SortedTable<Key, Row>, to new: SortedTable<Key, Row>) {
        guard new.isSortedAlike(old) else {
            let places = ContiguousArray(new.order.keys)
            inOrder = Table(risingKeys: places, rows: ContiguousArray(places.map { made.results[$0.key]! }))
            return
        }
        new.order.forEachDifference(from: old.order) { place, before, now in
            switch (before, now) {
            case (nil, _): inOrder[place] = made.results[place.key]
            case (_, nil): inOrder[place] = nil
            default: break
            }
        }
    }
}

extension EdgeCall {
    /// True if the value of the source must not be shown.
    @usableFromInline var isOfRedactedSource: Bool { raw.edge.takeUnretainedValue().source?.isRedacted ?? false }
}
