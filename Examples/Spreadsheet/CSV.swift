/// Comma-separated values by RFC 4180: quoted fields hold commas, line ends and doubled quotes.
///
/// The reader accepts more than the RFC: lines that end in LF or CR alone, a byte-order mark, and rows of unequal
/// length. It never guesses: malformed text is an error with its place.
enum CSV {
    struct Field: Equatable {
        let text: String
        /// The line of the file on which the field starts, counted from 1. Quoted fields may span several.
        let line: Int
        var isQuoted = false
    }

    struct Malformed: Error, Equatable {
        /// The place, counted from 1. The column counts characters.
        let line: Int
        let column: Int
        let problem: String
    }

    static func parse(_ bytes: [UInt8]) throws(Malformed) -> [[Field]] {
        var reader = Reader(bytes: bytes)
        var records: [[Field]] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    /// Returns one record with its line end, CRLF.
    static func record(_ fields: some Sequence<String>) -> String {
        fields.lazy.map(escaped).joined(separator: ",") + "\r\n"
    }

    private static func escaped(_ field: String) -> String {
        guard field.utf8.contains(where: { $0 == .quote || $0.endsField || $0.isOtherSeparator }) else { return field }
        // Works on scalars, because a quote with a combining accent is another `Character`, but still a quote for a
        // reader.
        let doubled = field.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }
}

extension UInt8 {
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")

    fileprivate static let semicolon = UInt8(ascii: ";")
    fileprivate static let tab = UInt8(ascii: "\t")

    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    fileprivate var endsField: Bool { self == .comma || self == .lineFeed || self == .carriageReturn }
    /// True for a character that stands between fields in files that other programs write.
    fileprivate var isOtherSeparator: Bool { self == .semicolon || self == .tab }
}

extension CSV {
    /// Reads one record after the other.
    ///
    /// Works on bytes, because all characters that structure the text are ASCII, and no byte of a longer UTF-8 sequence
    /// is.
    struct Reader {
        private let bytes: [UInt8]
        private var offset = 0
        private var line = 1
        private var lineStart = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
                offset = 3
                lineStart = 3
            }
        }

        private var isAtEnd: Bool { offset == bytes.count }
        private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

        /// Returns the next record, and `nil` after the last.
        mutating func next() throws(Malformed) -> [Field]? {
            guard !isAtEnd else { return nil }
            if line == 1 { try checkSeparator() }
            var fields = [try field()]
            while byte == .comma {
                offset += 1
                fields.append(try field())
            }
            if !isAtEnd { lineEnd() }
            return fields
        }

        /// Throws if another character than the comma stands between the fields. Each line would be one text otherwise,
        /// and no formula among them would be one.
        private func checkSeparator() throws(CSV.Malformed) {
            for (separator, name) in [(UInt8.semicolon, "semicolons"), (.tab, "tabs")] where isSeparated(by: separator)
            {
                throw malformed(
                    at: offset,
                    "\(name) stand between the fields; write commas there, and a point in numbers, or quote a field that is a text with \(name)"
                )
            }
        }
        /// Returns true if most lines have `separator`, and no comma but between digits, as in 1,5. Text between quotes
        /// and blank lines do not count.
        private func isSeparated(by separator: UInt8) -> Bool {
            var (isQuoted, isBlank, hasSeparator, hasComma) = (false, true, false, false)
            var (lines, separated) = (0, 0)
            func endLine() {
                if !isBlank { lines += 1 }
                if hasSeparator, !hasComma { separated += 1 }
                (isBlank, hasSeparator, hasComma) = (true, false, false)
            }
            for place in offset..<bytes.count {
                let byte = bytes[place]
                if !isQuoted, byte == .lineFeed || byte == .carriageReturn {
                    endLine()
                    continue
                }
                isBlank = false
                if byte == .quote { isQuoted.toggle() }
                if isQuoted { continue }
                if byte == separator { hasSeparator = true }
                if byte == .comma, !isBetweenDigits(place) { hasComma = true }
            }
            endLine()
            return 2 * separated > lines
        }
        private func isBetweenDigits(_ place: Int) -> Bool {
            place > offset && place + 1 < bytes.count && bytes[place - 1].isDigit && bytes[place + 1].isDigit
        }

        private mutating func field() throws(CSV.Malformed) -> CSV.Field {
            byte == .quote ? try quotedField() : try bareField()
        }

        private mutating func bareField() throws(CSV.Malformed) -> CSV.Field {
            let start = offset
            while let byte, !byte.endsField {
                if byte == .quote {
                    throw malformed(
                        at: offset,
                        "a quote inside a field that does not start with one; quote the whole field, and double the quotes in it"
                    )
                }
                offset += 1
            }
            return try field(bytes[start..<offset], startingAt: start, line: line, from: lineStart)
        }

        private mutating func quotedField() throws(CSV.Malformed) -> CSV.Field {
            let (start, startLine, startOfLine) = (offset, line, lineStart)
            var content: [UInt8] = []
            offset += 1
            while let byte {
                switch byte {
                case .quote:
                    offset += 1
                    guard self.byte == .quote else {
                        guard isAtEnd || bytes[offset].endsField else {
                            throw malformed(
                                at: offset, "text after a closing quote; double the quotes inside the field")
                        }
                        return try field(
                            content[...], startingAt: start, line: startLine, from: startOfLine)
                    }
                    content.append(.quote)
                    offset += 1
                case .lineFeed, .carriageReturn:
                    let lineEndStart = offset
                    lineEnd()
                    content += bytes[lineEndStart..<offset]
                default:
                    content.append(byte)
                    offset += 1
                }
            }
            (line, lineStart) = (startLine, startOfLine)
            throw malformed(at: start, "a quote that is never closed")
        }

        /// Skips CRLF, LF or CR.
        private mutating func lineEnd() {
            if byte == .carriageReturn, offset + 1 < bytes.count, bytes[offset + 1] == .lineFeed { offset += 1 }
            offset += 1
            line += 1
            lineStart = offset
        }

        private func field(
            _ content: ArraySlice<UInt8>,
            startingAt start: Int,
            line: Int,
            from lineStart: Int
        ) throws(CSV.Malformed) -> CSV.Field {
            guard let text = String(validating: content, as: UTF8.self) else {
                throw CSV.Malformed(line: line, column: column(of: start, from: lineStart), problem: "not UTF-8")
            }
            return CSV.Field(text: text, line: line, isQuoted: start < bytes.count && bytes[start] == .quote)
        }

        private func malformed(at offset: Int, _ problem: String) -> CSV.Malformed {
            CSV.Malformed(line: line, column: column(of: offset, from: lineStart), problem: problem)
        }

        private func column(of offset: Int, from lineStart: Int) -> Int {
            String(decoding: bytes[min(lineStart, offset)..<offset], as: UTF8.self).count + 1
        }
    }
}
