/// One line of a script: one action at the form.
enum Instruction: Equatable {
    case type(Field, String)
    case wait(Duration)
    case submit, show

    enum Field: String, CaseIterable {
        case name, email, password, `repeat`
    }

    /// Reads a line. Returns `nil` for an empty line and for a comment, which begins with `#`.
    init?(_ line: String) throws(Mistake) {
        let line = line.drop(while: \.isWhitespace)
        guard let first = line.first, first != "#" else { return nil }
        let word = line.prefix { !$0.isWhitespace }
        let rest = String(line.dropFirst(word.count + 1))
        if let field = Field(rawValue: String(word)) {
            self = .type(field, rest)
            return
        }
        switch word {
        case "wait": self = .wait(try Instruction.duration(rest))
        case "submit", "show":
            guard rest.allSatisfy(\.isWhitespace) else {
                throw Mistake("“\(word)” stands alone, and “\(rest)” is behind it")
            }
            self = word == "submit" ? .submit : .show
        default:
            let words = Field.allCases.map(\.rawValue) + ["wait", "submit", "show"]
            throw Mistake("“\(word)” is none of \(words.joined(separator: ", "))")
        }
    }

    /// Reads `2s`, `1.5s` or `300ms`, up to a day.
    private static func duration(_ text: String) throws(Mistake) -> Duration {
        let text = text.filter { !$0.isWhitespace }
        let factor = text.hasSuffix("ms") ? 1 : 1_000
        let number = text.hasSuffix("ms") ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast() : ""
        guard let amount = Double(number), (0...86_400_000).contains(amount * Double(factor)) else {
            throw Mistake("“\(text)” is no time to wait, such as 2s or 300ms, up to a day")
        }
        return .milliseconds(Int(amount * Double(factor)))
    }
}

/// An error in a script or on the command line.
struct Mistake: Error, Equatable {
    let message: String
    init(_ message: String) { self.message = message }
}
