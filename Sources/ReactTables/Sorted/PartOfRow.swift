/// The first of the parts of a row, with its type.
@usableFromInline final class PartOfRow<Part: Sendable>: RowParts, @unchecked Sendable {
    @usableFromInline let part: Part

    @inlinable init(_ part: Part, _ comparison: PartComparison, _ next: RowParts?) {
        self.part = part
        super.init(comparison, next)
    }
}
