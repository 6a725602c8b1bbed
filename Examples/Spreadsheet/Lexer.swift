/// The tokens of formulas.
struct Token: Equatable {
    enum Kind: Equatable {
        case number(Double)
        case text(String)
        /// A function, or an unknown name.
        case name(String)
        case reference(CellAddress)
        /// A text that reads as a reference, such as `A0`, but no sheet has the cell.
        case referenceOutside
        case bool(Bool)
        case error(CellError)
        case symbol(Symbol)
        case end
    }

    enum Symbol: String {
        case plus = "+", minus = "-", times = "*", divided = "/", power = "^", ampersand = "&"
        case equal = "=", notEqual = "<>", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
        case open = "(", close = ")", comma = ",", colon = ":"
    }

    let kind: Kind
    /// The place in the formula's text, in UTF-8 code units.
    let range: Range<Int>
}

/// Cuts a formula's text into tokens, one at a time.
struct Lexer {
    private let bytes: [UInt8]
    private var offset: Int

    /// Precondition: `text` starts with `=`, which is skipped.
    init(_ text: String) {
        precondition(text.utf8.first == UInt8(ascii: "="), "a formula starts with '=', and this text does not: \(text)")
        bytes = Array(text.utf8)
        offset = 1
    }

    mutating func next() throws(FormulaError) -> Token {
        while spaceLength > 0 { offset += spaceLength }
        let start = offset
        let kind = try kind()
        return Token(kind: kind, range: start..<offset)
    }

    /// Returns the error that `expected` should stand where `token` stands. `found` names the text there, if it is not
    /// the token itself.
    func expected(_ expected: String, at token: Token, found: String? = nil) -> FormulaError {
        error(expected, at: token.range.lowerBound, found: found ?? (token.kind == .end ? nil : excerpt(token.range)))
    }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }
    /// The length of the space at this place, in bytes. A no-break space (two bytes) is a space too: spreadsheets and
    /// web pages put it into copied text.
    private var spaceLength: Int {
        guard let byte else { return 0 }
        if byte == UInt8(ascii: " ") || 0x09...0x0D ~= byte { return 1 }
        return bytes[offset...].starts(with: [0xC2, 0xA0]) ? 2 : 0
    }

    private mutating func kind() throws(FormulaError) -> Token.Kind {
        guard let byte else { return .end }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): return try number()
        case UInt8(ascii: "\""): return try text()
        case UInt8(ascii: "#"): return try errorLiteral()
        case UInt8(ascii: "$"): return try word()
        case _ where byte.isPartOfWord: return try word()
        default: return try symbol()
        }
    }

    private mutating func number() throws(FormulaError) -> Token.Kind {
        let start = offset
        skipDigits()
        if byte == UInt8(ascii: ".") {
            offset += 1
            skipDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            offset += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
            skipDigits()
        }
        guard let number = Double(source(start..<offset)), number.isFinite else {
            throw error("a number, such as 12.5 or 1e6", at: start, found: excerpt(start..<offset))
        }
        return .number(number)
    }

    private mutating func skipDigits() {
        while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
    }

    /// Reads text between quotes. A quote in the text is doubled.
    private mutating func text() throws(FormulaError) -> Token.Kind {
        var content: [UInt8] = []
        offset += 1
        while let byte {
            offset += 1
            if byte != UInt8(ascii: "\"") {
                content.append(byte)
            } else if self.byte == byte {
                content.append(byte)
                offset += 1
            } else {
                return .text(String(decoding: content, as: UTF8.self))
            }
        }
        throw error("a closing quote", at: offset, found: nil)
    }

    private mutating func errorLiteral() throws(FormulaError) -> Token.Kind {
        for error in CellError.allCases where bytes[offset...].starts(with: error.rawValue.utf8) {
            offset += error.rawValue.utf8.count
            return .error(error)
        }
        throw error("an error such as #REF!", at: offset, found: excerpt(offset..<bytes.count))
    }

    private mutating func word() throws(FormulaError) -> Token.Kind {
        let start = offset
        while let byte, byte.isPartOfWord && spaceLength == 0 || byte == UInt8(ascii: "$") { offset += 1 }
        let word = bytes[start..<offset]
        // `LOG10(` is a function, although its name looks like a cell.
        if byte != UInt8(ascii: "(") {
            switch CellAddress.read(word) {
            case .inside(let address): return .reference(address)
            case .outside: return .referenceOutside
            case .notAnAddress: break
            }
        }
        if let dollar = word.firstIndex(of: UInt8(ascii: "$")) {
            throw error("a cell such as $B$2", at: dollar, found: excerpt(start..<offset))
        }
        let name = source(start..<offset)
        return CellValue.readBool(name).map { .bool($0) } ?? .name(name)
    }

    private mutating func symbol() throws(FormulaError) -> Token.Kind {
        for length in [2, 1] where offset + length <= bytes.count {
            if let symbol = Token.Symbol(rawValue: source(offset..<offset + length)) {
                offset += length
                return .symbol(symbol)
            }
        }
        throw error("a value or an operator", at: offset, found: excerpt(offset..<offset + 1))
    }

    private func source(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func excerpt(_ range: Range<Int>) -> String { source(range).quoted(cutAt: 20) }

    private func error(_ expected: String, at offset: Int, found: String?) -> FormulaError {
        FormulaError(
            column: source(0..<offset).count + 1,
            expected: expected,
            found: found ?? FormulaError.end
        )
    }
}

extension UInt8 {
    /// Letters, digits, `_`, `.`, and all characters that are not ASCII.
    fileprivate var isPartOfWord: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }
}
