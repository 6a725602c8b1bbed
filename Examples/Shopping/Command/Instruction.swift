/// A line of input: one thing that people do with the list.
nonisolated enum Instruction: Equatable {
    case type(String)
    case take(Int)
    case enter
    case add(section: String, name: String)
    case check(Int, Bool)
    case rename(Int, String)
    case remove(Int)
    case clean
    case move(Int, section: String, row: Int)
    case search(String)
    case title(String)
    case undo, redo, show
    case wait(Duration)

    /// Reads a line. Returns `nil` for an empty line and for a comment, which begins with `#`.
    ///
    /// Throws for a line that is no instruction, and for one with a control character, which could steer the terminal
    /// when it is printed.
    init?(_ line: String) throws(Mistake) {
        for scalar in line.unicodeScalars where scalar.properties.generalCategory == .control && scalar != "\t" {
            throw Mistake("the line has a control character, number \(scalar.value)")
        }
        var words = Words(line)
        guard let verb = words.next(), !verb.hasPrefix("#") else { return nil }
        switch verb {
        case "type": self = .type(words.rest)
        case "take": self = .take(try words.number())
        case "enter": self = .enter
        case "add": self = .add(section: try words.word("a section"), name: try words.text("a name"))
        case "check", "uncheck": self = .check(try words.number(), verb == "check")
        case "rename": self = .rename(try words.number(), try words.text("a name"))
        case "remove": self = .remove(try words.number())
        case "clean": self = .clean
        case "move":
            self = .move(try words.number(), section: try words.word("a section"), row: try words.number())
        case "search": self = .search(words.rest)
        case "title": self = .title(try words.text("a title"))
        case "undo": self = .undo
        case "redo": self = .redo
        case "show": self = .show
        case "wait": self = .wait(try words.duration())
        default: throw Mistake("“\(verb)” is no instruction; --help lists them")
        }
        if !takesRest, let more = words.next() { throw Mistake("“\(more)” is too much behind “\(verb)”") }
    }
    private var takesRest: Bool {
        switch self {
        case .type, .add, .rename, .search, .title: true
        default: false
        }
    }
}

/// The words of a line, one after the other.
nonisolated private struct Words {
    private(set) var rest: String

    init(_ line: String) { rest = Words.trimmed(line[...]) }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
    mutating func next() -> String? {
        guard !rest.isEmpty else { return nil }
        let word = rest.prefix { !$0.isWhitespace }
        defer { rest = Words.trimmed(rest.dropFirst(word.count)) }
        return String(word)
    }
    mutating func word(_ kind: String) throws(Mistake) -> String {
        guard let word = next() else { throw Mistake("\(kind) is missing") }
        return word
    }
    /// All that is left of the line.
    func text(_ kind: String) throws(Mistake) -> String {
        guard !rest.isEmpty else { throw Mistake("\(kind) is missing") }
        return rest
    }
    mutating func number() throws(Mistake) -> Int {
        let word = try word("a number")
        guard let number = Int(word), 1...1_000_000_000 ~= number else {
            throw Mistake("“\(word)” is no whole number from 1 to 1000000000")
        }
        return number
    }
    /// Reads `2s`, `1.5s` or `300ms`, up to a day.
    mutating func duration() throws(Mistake) -> Duration {
        let word = try word("a time")
        let factor = word.hasSuffix("ms") ? 1.0 : 1_000
        let number = word.hasSuffix("ms") ? word.dropLast(2) : word.hasSuffix("s") ? word.dropLast() : ""
        guard let amount = Double(number), (0...86_400_000).contains(amount * factor) else {
            throw Mistake("“\(word)” is no time to wait, such as 2s or 300ms, up to a day")
        }
        return .milliseconds(Int(amount * factor))
    }
}
