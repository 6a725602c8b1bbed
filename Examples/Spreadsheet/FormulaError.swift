/// A malformed formula: where in its text, what was expected there, and what stands there.
struct FormulaError: Error, Equatable, CustomStringConvertible {
    /// In characters, counted from 1; the formula's `=` is column 1.
    let column: Int
    let expected: String
    let found: String

    var description: String { "column \(column): expected \(expected), found \(found)" }
}
