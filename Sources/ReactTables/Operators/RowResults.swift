import ReactCore

/// The results of `eachRow`, in the order of the keys, or of the rows of a sorted table.
///
///     let names = MutableNode<Table<Int, String>>([7: "Ada", 9: "Grace"])
///     let lengths = names.eachRow { _, name in name.map(\.count) }
///     print(lengths.current[7]!.current)                                          // 3
///     print(lengths.current.indices.map { lengths.current[$0].output.current })   // [3, 5]
public struct RowResults<Key: Hashable & Comparable & Sendable, Output: Sendable>: Sendable {
    /// A key and its result.
    public typealias Element = (key: Key, output: Output)

    @usableFromInline let byKey: Table<Key, RowResult<Output>>
    /// The results in the order of the rows; `nil` if that is the order of the keys.
    @usableFromInline let inOrder: Table<RowPlace<Key>, RowResult<Output>>?

    @inlinable init(byKey: Table<Key, RowResult<Output>>, inOrder: Table<RowPlace<Key>, RowResult<Output>>?) {
        self.byKey = byKey
        self.inOrder = inOrder
    }

    /// The result of a key, or `nil` if there is none. O(log n).
    @inlinable public subscript(key: Key) -> Output? { byKey[key]?.output }
}

extension RowResults: RankedCollection {
    /// The number of results. O(1).
    @inlinable public var count: Int { byKey.count }
    @inlinable public var _age: Int { byKey.age }
    /// The key and result at a position.
    ///
    /// Traps at `endIndex`. See ``RowIndex`` for an index from before a key came or went.
    ///
    /// - Complexity: O(log n).
    @inlinable public subscript(position: RowIndex) -> Element {
        if let inOrder {
            requireValid(position)
            let (place, result) = inOrder[rank: position.rank]
            return (place.key, result.output)
        }
        let (key, result) = byKey[position]
        return (key, result.output)
    }
}

extension RowResults: CustomStringConvertible {
    /// The number of results, and the first three, as for a table.
    public var description: String { RowText.of(lazy.map { (key: $0.key, row: $0.output) }) { ValueText.of($0) } }
}

/// A result that equals only itself.
@usableFromInline final class RowResult<Output: Sendable>: Equatable, Sendable {
    @usableFromInline let output: Output

    @inlinable init(_ output: Output) { self.output = output }
    @inlinable static func == (a: RowResult, b: RowResult) -> Bool { a === b }
}
