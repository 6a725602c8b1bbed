/// A value that contains rows, of which answers tell those that have changed.
@usableFromInline package protocol DescribesRows {
    /// Describes the first rows that `other` does not have, or has otherwise. Returns `nil` if the two cannot be
    /// compared.
    func description(ofRowsNotIn other: Any) -> String?
}
/// A collection of rows that keep their keys, such as a table. A set of a row that has gone, as by a focus, does not
/// bring it back.
@usableFromInline package protocol RowsByKey: DescribesRows {
    /// The number of rows.
    var count: Int { get }
}
