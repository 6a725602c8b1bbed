import ReactCore

/// The text in a check of a journal. The word "redacted" stands for the value of a redacted node. A node's own text
/// that is this word stands in quotation marks, and so does that word in any number of them.
enum CheckText {
    static let redacted = "redacted"

    /// Returns the text in a check for the text of a node.
    static func of(_ text: String) -> String { isWord(text) ? "“\(text)”" : text }
    /// Returns the node's text for the text in a check.
    static func text(_ check: String) -> String { isQuoted(check) && isWord(check) ? unquoted(check) : check }

    /// True if a text is the word, in any number of quotation marks.
    private static func isWord(_ text: String) -> Bool {
        var text = text
        while isQuoted(text) { text = unquoted(text) }
        return text == redacted
    }
    private static func isQuoted(_ text: String) -> Bool { text.hasPrefix("“") && text.hasSuffix("”") }
    private static func unquoted(_ text: String) -> String { String(text.dropFirst().dropLast()) }
}

extension AnyNode {
    /// The value as the checks of a ``Journal`` have it; `nil` while the node is empty. Safe from any thread.
    ///
    /// It is the `valueDescription`, but equal values have equal texts: the parts of sets and dictionaries stand in the
    /// order of their texts, also inside of lists, optionals, tuples, structures, enumerations and tables. A
    /// `description` that a type writes by itself stays as it is. The names of private types have no addresses, which
    /// are others in each process.
    ///
    ///     let tags = MutableNode(["pear": Set([2, 1])])
    ///     print(tags.journalText ?? "empty")      // ["pear": Set([1, 2])]
    public var journalText: String? { journalText(isRedacted: isRedacted) }

    func journalText(isRedacted: Bool) -> String? { ValueText.sorted { valueDescription(isRedacted: isRedacted) } }
}
