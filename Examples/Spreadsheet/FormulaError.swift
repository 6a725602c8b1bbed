/// A malformed formula: the place in its text, the expected token, and the token that stands there.
struct FormulaError: Error, Equatable, CustomStringConvertible {
    /// The column in characters, counted from 1. The formula's `=` is column 1.
    let column: Int
    let expected: String
    let found: String

    /// Names the place behind the last token.
    static let end = "the end of the formula"

    var description: String { "column \(column): expected \(expected), found \(found)" }
}
