import ReactCore

extension Node {
    /// "Flatten rows": makes a table of the rows that nodes hold. Each row follows its node.
    ///
    /// Keys come and go with this node's table, and so do their nodes. A row whose node is empty is left out. All that
    /// is set in one transaction leads to one new table. A table whose rows stay the same is not passed on, unless it
    /// is the first.
    ///
    ///     let apple = MutableNode(3), pear = MutableNode(4)
    ///     let nodes = MutableNode<Table<String, Node<Int>>>(["apple": apple])
    ///     let prices = nodes.flattenRows()
    ///     nodes.update { $0["pear"] = pear }
    ///     pear.value = 5
    ///     print(prices.current)    // 2 rows: [apple: 3, pear: 5]
    ///
    /// **Lifetime.** The result keeps the nodes of the newest table alive. Two nodes lie between, which receive the
    /// rows one by one. If this node's edge is cut, the nodes are left, and the rows stay as they were. If this node is
    /// emptied, the result stays as it was.
    ///
    /// - Returns: A new node with the rows.
    /// - Complexity: O(log n) for each set of a node, and O(d · log n) for d keys that come or go. Each node costs an
    ///   edge.
    @inlinable public func flattenRows<Key, Row>() -> Node<Table<Key, Row>> where Value == Table<Key, Node<Row>> {
        flatteningRows(from: Table()) { new, old in new.differences(from: old).map { ($0.key, $0.new) } }
    }
    /// "Flatten rows" of the nodes that an `eachRow` has made. The result is in the order of the keys. See
    /// `flattenRows()` of a table for the rest.
    ///
    ///     let prices = MutableNode<Table<String, Int>>(["apple": 3, "pear": 4])
    ///     let labels: Node<Table<String, String>> = prices.eachRow { name, price in price.map { "\(name) \($0)" } }.flattenRows()
    ///     prices.update { $0["pear"] = 5 }
    ///     print(labels.current.rows.joined(separator: ", "))      // apple 3, pear 5
    @inlinable public func flattenRows<Key, Row>() -> Node<Table<Key, Row>> where Value == RowResults<Key, Node<Row>> {
        flatteningRows(from: RowResults(byKey: Table(), inOrder: nil)) { new, old in
            new.byKey.differences(from: old.byKey).map { ($0.key, $0.new?.output) }
        }
    }

    /// Returns a new node that follows all nodes of the newest value, in which `differences` finds those that came and
    /// went since another value, at first `empty`.
    @inlinable func flatteningRows<Key, Row>(
        from empty: Value, _ differences: @escaping @Sendable (Value, Value) -> [(Key, Node<Row>?)]
    ) -> Node<Table<Key, Row>> {
        let followed = FollowedRows<Key, Row, Value>(empty, differences)
        let now: Node<Table<Key, Row>> = following("Flatten rows", state: followed) {
            followed.follow(EdgeCall($0))
        }
        return now.oncePerTransaction("Flatten rows")
    }
}

/// The nodes whose rows a table has, each with a link to that table's node.
///
///     outer  ──▶ now ──▶ pair ──▶ result          `pair` is a combination, which fires once a transaction
///     node   ──▶
///     node   ──▶
///
/// A link is made in the turn of `now`, together with the row that it finds, so `now` never shows an older row after a
/// newer one. All links belong to one connection of the outer edge.
@usableFromInline
final class FollowedRows<Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable, Outer: Sendable>:
    OperatorState
{
    @usableFromInline typealias Differences = @Sendable (Outer, Outer) -> [(Key, Node<Row>?)]
    @usableFromInline typealias Link = StatefulTransform<Row, Table<Key, Row>>
    /// The links of a connection, and the value that they were made of.
    private struct Links: Sendable {
        var generation: UInt64
        var outer: Outer
        var byKey = Table<Key, RowResult<Link>>()
    }
    private let links = Lock<Links?>(nil)
    private let differences: Differences
    private let empty: Outer

    @usableFromInline init(_ empty: Outer, _ differences: @escaping Differences) {
        self.differences = differences
        self.empty = empty
    }

    /// Follows the nodes of the delivery's value, in the turn of `now`.
    @usableFromInline func follow(_ delivery: EdgeCall<Outer, Table<Key, Row>>) -> NextEdge {
        let (outer, token, now) = (delivery.value, delivery.token, delivery.targetNode)
        let present = { delivery.targetValue }
        return delivery.change { [self, weak now] in
            guard let now, token.isStillConnected else { return nil }
            return .some(follow(outer, to: now, from: present() ?? Table(), token))
        }
    }
    /// Returns the rows of `outer`. `rows` are those of the value before.
    private func follow(
        _ outer: Outer, to now: Node<Table<Key, Row>>, from rows: Table<Key, Row>, _ token: ConnectionToken
    ) -> Table<Key, Row> {
        let known = links.withLock { $0 }
        // Released at the end, because that may run user code.
        defer { withExtendedLifetime(known) {} }
        let isKnown = known?.generation == token.generation
        var current = isKnown ? known! : Links(generation: token.generation, outer: empty)
        var rows = isKnown ? rows : Table()
        for (key, node) in differences(outer, current.outer) {
            current.byKey[key]?.output.cancel()
            current.byKey[key] = nil
            rows[key] = nil
            guard let node else { continue }
            let row = RowOfNode<Key, Row>(key: key)
            let link = Link(name: "Flatten rows", state: row) { row.set(EdgeCall<Row, Never>($0).value, by: $0) }
            link.to = now
            // An edge that is cut after this check is cut with its links, which are on the list by then.
            let found = link.point(at: node, if: { token.isStillConnected })
            // The graph of the node may be busy. Then the link is made later, and brings the row itself.
            guard link.source === node else {
                link.cancel()
                continue
            }
            current.byKey[key] = RowResult(link)
            rows[key] = found ?? nil
        }
        current.outer = outer
        let newest = current
        let old = links.withLock { links in
            // A later connection may have come meanwhile.
            if let other = links, other.generation > newest.generation { return Optional(newest) }
            let old = exchange(&links, with: newest)
            return old?.generation == newest.generation ? nil : old
        }
        Self.cancel(old)
        if !token.isStillConnected { discard(token.generation) }
        return rows
    }
    private static func cancel(_ links: Links?) { links?.byKey.rows.forEach { $0.output.cancel() } }
    @usableFromInline func discard(_ connection: Connection) { discard(connection.generation) }
    private func discard(_ generation: UInt64) {
        Self.cancel(links.withLock { $0?.generation == generation ? $0.take() : nil })
    }
}
