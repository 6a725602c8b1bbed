extension Journal {
    /// The steps as Swift code for a test: sets, batches, `clock.advance(by:)`, and one `#expect` for each check.
    /// Safe from any thread.
    ///
    ///     let journal = Journal(initial: ["price": 3], steps: [.clean(source: "price"), .wait(.milliseconds(300))])
    ///     print(journal.swiftCode)        // price.value = 3
    ///                                     // price.clean()
    ///                                     // clock.advance(by: .milliseconds(300))
    ///
    /// The initial values come first, with the sources that began empty. The code compiles if each source and watched
    /// node is a variable of its name. A line with a name that no variable can have is a comment, with `sources["…"]`
    /// in its place. Numbers, texts, booleans, and lists of them are literals; other values are decoded from JSON, by a
    /// function that stands on top. Such code needs `import Foundation`, and a test that throws. A check needs
    /// `import ReactGraph`. A redacted value is a comment.
    ///
    /// A journal from elsewhere makes no code but this: names and texts are escaped.
    ///
    /// - Complexity: O(size of the journal).
    public var swiftCode: String {
        let coded = Set(coded ?? [])
        let sets = initial.map { Step.set(source: $0.key, value: $0.value) }, all = sets + steps.flatMap(\.single)
        let decoded = all.filter { $0.value?.literal == nil || $0.source.map(coded.contains) ?? false }
        var writer = JournalCodeWriter(coded: coded, marks: NonFiniteTexts(of: decoded.compactMap(\.value)))
        // The sources that a replay empties before the first step.
        let names = Set(empty ?? []).union(all.compactMap(\.source)).subtracting(initial.keys)
        let first = (sets + names.map { .clean(source: $0) }).sorted { ($0.source ?? "") < ($1.source ?? "") }
        if !first.isEmpty { writer.write(first.count == 1 ? first[0] : .batch(first)) }
        for step in steps { writer.write(step) }
        return ((writer.decodes ? [writer.decoding] : []) + writer.lines).joined(separator: "\n")
    }
}

extension Journal.Step {
    /// The steps of a batch; another step itself.
    fileprivate var single: [Journal.Step] {
        if case .batch(let steps) = self { steps.flatMap(\.single) } else { [self] }
    }
}

private struct JournalCodeWriter {
    /// The sources whose values are decoded.
    let coded: Set<String>
    /// The texts of infinities and NaN in all JSON of the code; `nil` if none are in it.
    let marks: NonFiniteTexts?
    var indent = ""
    private(set) var lines: [String] = []
    private(set) var decodes = false

    var decoding: String {
        let head = "func decoded<Value: Decodable>(_ json: String) throws -> Value {"
        guard let marks else {
            return """
                \(head)
                    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
                }
                """
        }
        return """
            \(head)
                let decoder = JSONDecoder()
                decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "\(marks.infinity)", negativeInfinity: "\(marks.negativeInfinity)",
                    nan: "\(marks.nan)")
                return try decoder.decode(Value.self, from: Data(json.utf8))
            }
            """
    }

    mutating func write(_ step: Journal.Step) {
        switch step {
        case .set(let source, let value): write(source, value) { "\($0).value = \($1)" }
        case .pulse(let source, let value): write(source, value) { "\($0).pulse(\($1))" }
        case .clean(let source): add(of: source, in: "sources") { "\($0).clean()" }
        case .batch(let steps):
            var inner = JournalCodeWriter(coded: coded, marks: marks, indent: indent + "    ")
            for step in steps { inner.write(step) }
            decodes = decodes || inner.decodes
            add(inner.decodes ? "try batch {" : "batch {")
            lines += inner.lines
            add("}")
        case .wait(let time): add("clock.advance(by: \(time.code))")
        case .check(let node, let text):
            if text == CheckText.redacted { return addComment("\(node) was redacted") }
            let condition = text.map { ".journalText == \(CheckText.text($0).literal)" } ?? ".isEmpty"
            add(of: node, in: "watched") { "#expect(\($0)\(condition))" }
        }
    }
    private mutating func write(_ source: String, _ value: JournalValue, _ line: (String, String) -> String) {
        if value == .redacted { return addComment("\(source) was set to a redacted value") }
        let literal = coded.contains(source) ? nil : value.literal
        let text = literal ?? "try decoded(\(value.json(marks).rawLiteral))"
        if literal == nil, source.isVariable { decodes = true }
        add(of: source, in: "sources") { line($0, text) }
    }
    /// Adds a line about a node. It is a comment if no variable can have the node's name.
    private mutating func add(of name: String, in list: String, _ line: (String) -> String) {
        if name.isVariable { add(line(name.asVariable)) } else { addComment(line("\(list)[\(name.literal)]")) }
    }
    private mutating func addComment(_ text: String) { add("// \(text.inOneLine)") }
    private mutating func add(_ line: String) { lines.append(indent + line) }
}

extension JournalValue {
    /// The value as a literal; `nil` if it has none.
    fileprivate var literal: String? {
        switch content {
        case .null: return "nil"
        case .boolean, .integer, .digits, .text: return description
        case .number(let bits):
            let number = Double(bitPattern: bits)
            return number.isNaN ? ".nan" : number.isInfinite ? (number < 0 ? "-.infinity" : ".infinity") : "\(number)"
        case .list(let values):
            let literals = values.compactMap(\.literal)
            return literals.count == values.count ? "[\(literals.joined(separator: ", "))]" : nil
        case .dictionary, .redacted: return nil
        }
    }
}

extension Duration {
    fileprivate var code: String {
        let millisecond: Int128 = 1_000_000_000_000_000
        let (milliseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: millisecond)
        if rest != 0 { return "Duration(attoseconds: \(attoseconds))" }
        return milliseconds % 1000 == 0 ? ".seconds(\(milliseconds / 1000))" : ".milliseconds(\(milliseconds))"
    }
}

extension String {
    /// The name as Swift reads it: in backticks if the word means something else to the compiler.
    fileprivate var asVariable: String { Self.keywords.contains(self) ? "`\(self)`" : self }
    private static let keywords = Set(
        """
        Any any as associatedtype async await borrow break case catch class consume continue copy default defer \
        deinit discard do each else enum extension fallthrough false fileprivate for func guard if import in init \
        inout internal is let nil operator precedencegroup private protocol public repeat rethrows return self Self \
        some static struct subscript super switch then throw throws true try typealias unsafe var where while yield
        """.split(separator: " ").map(String.init))
}
