extension Journal {
    /// The steps as Swift code for a test: sets, batches, `clock.advance(by:)`, and one `#expect` for each check.
    /// Safe from any thread.
    ///
    ///     let journal = Journal(steps: [.clean(source: "price"), .wait(.milliseconds(300))])
    ///     print(journal.swiftCode)        // price.clean()
    ///                                     // clock.advance(by: .milliseconds(300))
    ///
    /// The initial values come first. The code compiles if each source and watched node is a variable of its name.
    /// A line with a name that no variable can have is a comment, with `sources["…"]` in its place. Numbers, texts,
    /// booleans, and lists of them are literals; other values are decoded from JSON, by a function that stands on top.
    /// Such code needs `import Foundation`, and a test that throws. A redacted value is a comment.
    public var swiftCode: String {
        var writer = JournalCodeWriter(coded: Set(coded ?? []))
        let initial = initial.sorted { $0.key < $1.key }.map { Step.set(source: $0.key, value: $0.value) }
        if !initial.isEmpty { writer.write(initial.count == 1 ? initial[0] : .batch(initial)) }
        for step in steps { writer.write(step) }
        return ((writer.decodes ? [JournalCodeWriter.decoding] : []) + writer.lines).joined(separator: "\n")
    }
}

private struct JournalCodeWriter {
    /// The sources whose values are decoded.
    let coded: Set<String>
    var indent = ""
    private(set) var lines: [String] = []
    private(set) var decodes = false

    static let decoding = """
        func decoded<Value: Decodable>(_ json: String) throws -> Value {
            let decoder = JSONDecoder()
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            return try decoder.decode(Value.self, from: Data(json.utf8))
        }
        """

    mutating func write(_ step: Journal.Step) {
        switch step {
        case .set(let source, let value): write(source, value) { "\($0).value = \($1)" }
        case .pulse(let source, let value): write(source, value) { "\($0).pulse(\($1))" }
        case .clean(let source): add(of: source, "sources", "\(source.asVariable).clean()")
        case .batch(let steps):
            var inner = JournalCodeWriter(coded: coded, indent: indent + "    ")
            for step in steps { inner.write(step) }
            decodes = decodes || inner.decodes
            add(inner.decodes ? "try batch {" : "batch {")
            lines += inner.lines
            add("}")
        case .wait(let time): add("clock.advance(by: \(time.code))")
        case .check(let node, let text):
            if text == "redacted" { return add("// \(node) was redacted") }
            let equals = text.map { ".value.map { String(describing: $0) } == \($0.debugDescription)" }
            add(of: node, "watched", "#expect(\(node.asVariable)\(equals ?? ".isEmpty"))")
        }
    }
    private mutating func write(_ source: String, _ value: JournalValue, _ line: (String, String) -> String) {
        if value == .redacted { return add("// \(source) was set to a redacted value") }
        let literal = coded.contains(source) ? nil : value.literal
        let text = literal ?? "try decoded(\(((try? value.json) ?? "null").rawLiteral))"
        if literal == nil, source.isVariable { decodes = true }
        add(of: source, "sources", line(source.asVariable, text))
    }
    /// Adds a line, as a comment if `name` is no variable's.
    private mutating func add(of name: String, _ list: String, _ line: String) {
        if name.isVariable { return add(line) }
        let comment = "// " + line.replacing(name.asVariable, with: "\(list)[\(name.debugDescription)]")
        add(comment.replacing("\n", with: " "))
    }
    private mutating func add(_ line: String) { lines.append(indent + line) }
}

extension JournalValue {
    /// The value as a literal; `nil` if it has none.
    fileprivate var literal: String? {
        switch content {
        case .null: return "nil"
        case .boolean, .integer, .unsigned, .text: return description
        case .number(let bits):
            let number = Double(bitPattern: bits)
            return number.isNaN ? ".nan" : number.isInfinite ? (number < 0 ? "-.infinity" : ".infinity") : "\(number)"
        case .list(let values) where values.contains { $0.literal == nil }: return nil
        case .list(let values): return "[\(values.compactMap(\.literal).joined(separator: ", "))]"
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
    /// The text as a raw literal of one line.
    fileprivate var rawLiteral: String {
        var marks = "#"
        while contains("\"" + marks) || contains("\\" + marks) { marks += "#" }
        return "\(marks)\"\(self)\"\(marks)"
    }
    /// True if a variable may have this name.
    fileprivate var isVariable: Bool {
        guard let first, first.isLetter || first == "_", self != "_" else { return false }
        return allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    fileprivate var asVariable: String { Self.keywords.contains(self) ? "`\(self)`" : self }
    private static let keywords = Set(
        """
        as break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for \
        func guard if import in init inout internal is let nil operator precedencegroup private protocol public repeat \
        rethrows return self static struct subscript super switch throw throws true try typealias var where while
        """.split(separator: " ").map(String.init))
}
