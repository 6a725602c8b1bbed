import Foundation

// Texts that come from a file, as they stand in code and in lines. All work is done scalar by scalar: a mark such as
// U+0301 makes one character of itself and its neighbour, so a search for the character "\n" or "\"" would miss that.
extension String {
    /// The text in one line. Line ends, controls and invisible signs are written as `\n` or `\u{202E}`.
    var inOneLine: String { escaping([]) }

    /// The text as a Swift literal.
    var literal: String { "\"\(escaping(["\"", "\\"]))\"" }

    /// The text as a JSON literal in one line.
    var jsonLiteral: String {
        "\"\(escaping(["\"", "\\"]) { $0.utf16.map { String(format: "\\u%04X", $0) }.joined() })\""
    }

    /// The text, which has one line, as a raw Swift literal.
    var rawLiteral: String {
        // The longest run of number signs after a quotation mark or a backslash.
        let parts = unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "\\" }
        let longest = parts.dropFirst().map { $0.prefix { $0 == "#" }.count }.max() ?? 0
        let marks = String(repeating: "#", count: longest + 1)
        return "\(marks)\"\(self)\"\(marks)"
    }

    /// True if a Swift variable may have this name.
    var isVariable: Bool {
        guard let first = unicodeScalars.first, self != "_", first == "_" || first.properties.isXIDStart else {
            return false
        }
        return unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    }

    /// Returns the text with a backslash before each scalar of `others`, and with escapes for the scalars that end a
    /// line or cannot be seen. `escape` writes those that have no short escape.
    private func escaping(
        _ others: Set<Unicode.Scalar>, _ escape: (Unicode.Scalar) -> String = { String(format: "\\u{%X}", $0.value) }
    ) -> String {
        unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case _ where others.contains(scalar): "\\" + String(scalar)
            case _ where Self.hidden.contains(scalar.properties.generalCategory): escape(scalar)
            default: String(scalar)
            }
        }.joined()
    }
    /// The categories of scalars without a shape: controls, separators of lines, and those that change how their
    /// neighbours are shown, such as a change of the direction of writing.
    private static let hidden: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
}
