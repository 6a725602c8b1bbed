import ReactCore

extension Node {
    /// "Flat map rows": makes one table of the rows that each row contains, under the keys of both.
    ///
    /// Equal rows are not passed on, unless they are the first.
    ///
    ///     let orders = MutableNode<Table<Int, [String]>>([7: ["pen", "ink"], 9: ["cup"]])
    ///     let items = orders.flatMapRows { _, items in Table(items.enumerated().map { ($0, $1) }) }
    ///     orders.update { $0[9]?.append("jug") }
    ///     print(items.current.map { "\($0.key.outer).\($0.key.inner) \($0.row)" })     // ["7.0 pen", "7.1 ink", "9.0 cup", "9.1 jug"]
    ///
    /// **Memory.** Remembers its last input, the table of each row, and its output, until the edge is cut or
    /// re-pointed.
    ///
    /// - Parameter children: Called once for each row that came or changed, in the order of the keys, on the thread
    ///   that sets the table, with no lock held.
    /// - Returns: A new node with all inner rows, sorted by the outer key, then by the inner one.
    /// - Complexity: O((d + c) · log n) for d changed rows with c changed inner rows. If `children` makes its table
    ///   anew, all inner rows of that row are compared.
    @inlinable public func flatMapRows<Key, Row, ChildKey, ChildRow>(
        _ children: @escaping @Sendable (Key, Row) -> Table<ChildKey, ChildRow>
    ) -> Node<Table<NestedKey<Key, ChildKey>, ChildRow>> where Value == Table<Key, Row> {
        remembering("Flat map rows", NestedRows(Parts(children)))
    }
    /// "Flat map rows" by a closure that takes the row alone. See `flatMapRows` of keys and rows for the rest.
    @inlinable public func flatMapRows<Key, Row, ChildKey, ChildRow>(
        _ children: @escaping @Sendable (Row) -> Table<ChildKey, ChildRow>
    ) -> Node<Table<NestedKey<Key, ChildKey>, ChildRow>> where Value == Table<Key, Row> {
        flatMapRows { children($1) }
    }
}

/// A key of a row that another row contains: the key of that row, then its own.
///
/// Nested keys sort by `outer` first. They are `Codable` if both keys are.
public struct NestedKey<Outer: Hashable & Comparable & Sendable, Inner: Hashable & Comparable & Sendable>:
    Hashable, Comparable, Sendable
{
    /// The key of the containing row.
    public let outer: Outer
    /// The key of the row in that row.
    public let inner: Inner

    /// Makes a key of both.
    @inlinable public init(_ outer: Outer, _ inner: Inner) {
        self.outer = outer
        self.inner = inner
    }
    /// Compares the outer keys, then the inner ones. One that does not equal itself, as NaN, comes after all others.
    @inlinable public static func < (a: Self, b: Self) -> Bool {
        comesBefore(a.outer, b.outer) || isOneKey(a.outer, b.outer) && comesBefore(a.inner, b.inner)
    }
    /// Returns true if both keys are equal, or do not equal themselves, as NaN.
    @inlinable public static func == (a: Self, b: Self) -> Bool {
        isOneKey(a.outer, b.outer) && isOneKey(a.inner, b.inner)
    }
    /// Hashes the keys that equal themselves.
    @inlinable public func hash(into hasher: inout Hasher) {
        if outer == outer { hasher.combine(outer) }
        if inner == inner { hasher.combine(inner) }
    }
}
extension NestedKey: Encodable where Outer: Encodable, Inner: Encodable {}
extension NestedKey: Decodable where Outer: Decodable, Inner: Decodable {}

/// The rows that the rows of a table contain.
@usableFromInline
struct NestedRows<
    Key: Hashable & Comparable & Sendable, Row: Equatable & Sendable,
    ChildKey: Hashable & Comparable & Sendable, ChildRow: Equatable & Sendable
>: Incremental {
    @usableFromInline var children: Parts<Key, Row, Table<ChildKey, ChildRow>>
    @usableFromInline var output = Table<NestedKey<Key, ChildKey>, ChildRow>()

    @inlinable init(_ children: Parts<Key, Row, Table<ChildKey, ChildRow>>) { self.children = children }

    @inlinable mutating func update(to new: Table<Key, Row>, _ calls: inout Int) -> Bool {
        var hasChanged = false
        for (key, old, new) in children.update(to: new, &calls) {
            for (childKey, _, row, _) in (new?.part ?? Table()).differences(from: old?.part ?? Table()) {
                output[NestedKey(key, childKey)] = row
                hasChanged = true
            }
        }
        return hasChanged
    }
}
