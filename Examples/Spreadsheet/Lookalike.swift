import Foundation

/// A text that looks like a number, such as `1,200.00`, `12%`, `(50.00)` or `1,5`, but is none here.
///
/// Spreadsheets write numbers in such ways, and each country in its own. This program does not guess which number is
/// meant. It says so if a formula leaves the text out.
struct Lookalike {
    let text: String
    /// Begins messages about the cell, as in `budget.csv:2: `.
    let place: String
    /// True if somebody was told of it.
    var isTold = false

    /// Returns `nil` for a text that does not look like a number.
    ///
    /// A sign, parentheses, a percent sign, a currency and spaces may stand around the digits. Between them stand
    /// separators: groups have three digits, and at most one separator, the last one, begins the decimals.
    init?(_ text: String, from place: @autoclosure () -> String) {
        // Most texts have no digit.
        guard text.unicodeScalars.contains(where: \.isDecimalDigit) else { return nil }
        if let amount = Lookalike.amount(text) {
            guard Lookalike.isInGroups(amount) else { return nil }
        } else {
            guard Lookalike.isNumber(text) else { return nil }
        }
        (self.text, self.place) = (text, place())
    }

    /// Returns the text without the currency, if that is written in letters; `nil` for all other texts.
    private static func amount(_ text: String) -> [Unicode.Scalar]? {
        let scalars = Array(text.unicodeScalars)
        guard let start = scalars.firstIndex(where: { !$0.standsAroundNumbers }),
            let end = scalars.lastIndex(where: { !$0.standsAroundNumbers })
        else { return nil }
        let inner = scalars[start...end]
        func isCurrency(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
            scalars.count < 5 && currencies.contains(String(String.UnicodeScalarView(scalars)))
        }
        let first = inner.prefix { $0.isPartOfCurrency }
        if isCurrency(first) { return Array(inner.dropFirst(first.count)) }
        let last = inner.suffix(inner.reversed().prefix { $0.isPartOfCurrency }.count)
        return isCurrency(last) ? Array(inner.dropLast(last.count)) : nil
    }
    /// The codes of ISO 4217, and the signs in letters that are most common.
    private static let currencies = Set(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF \
        CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD \
        HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD \
        MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN \
        PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY \
        TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG R$ US$ A$ C$ HK$ NZ$ S$ Rs \
        Rs. kr kr. Fr. zł Kč Ft
        """.split(separator: " ").map(String.init))

    private static func isNumber(_ text: String) -> Bool {
        if text.utf8.allSatisfy({ $0.isPartOfNumber }) {
            // Most of these are numbers, which need not be read for that. Others are too great, as 1e999 is.
            let isPlain = text.utf8.count < 300 && text.last != "-" && !text.utf8.contains { "eE".utf8.contains($0) }
            if isPlain, text.utf8.count(where: { $0 == UInt8(ascii: ".") }) < 2 { return false }
            if let number = Double(text) { return number.isInfinite }
        }
        return isInGroups(Array(text.unicodeScalars))
    }
    /// Returns true for digits with separators between them, and what may stand around a number.
    private static func isInGroups(_ scalars: [Unicode.Scalar]) -> Bool {
        guard let start = scalars.firstIndex(where: { !$0.standsAroundNumbers }),
            let end = scalars.lastIndex(where: { !$0.standsAroundNumbers })
        else { return false }
        let number = scalars[start...end]
        let groups = number.split(omittingEmptySubsequences: false) { !$0.isDecimalDigit }.map(\.count)
        let separators = number.filter { !$0.isDecimalDigit }
        guard separators.allSatisfy(\.separatesDigits), groups.dropFirst().allSatisfy({ $0 > 0 }) else { return false }
        // The last separator may begin the decimals, unless it is one that only stands between groups.
        guard let last = separators.last else { return true }
        let mayBeDecimal = (last == "." || last == "," || last == "\u{66B}") && !separators.dropLast().contains(last)
        let inGroups = mayBeDecimal ? groups.dropLast() : groups[...]
        let ofGroups = Set(separators.dropLast(mayBeDecimal ? 1 : 0))
        guard inGroups.count > 1 else { return true }
        // In India, only the last group has three digits.
        return ofGroups.count == 1 && 1...3 ~= inGroups[0] && inGroups.last == 3
            && inGroups.dropFirst().allSatisfy { 2...3 ~= $0 }
    }
}

extension Sheet {
    /// Notes a cell whose text looks like a number.
    func noteLookalike(_ edit: Edit, from place: () -> String) {
        if !lookalikes.isEmpty { lookalikes[edit.address] = nil }
        guard case .constant(let text) = edit.content, let lookalike = Lookalike(text, from: place()),
            case .text = CellValue(constant: text)
        else { return }
        lookalikes[edit.address] = lookalike
    }
    /// Returns a message for each text that looks like a number, if a formula has it in a range, and so leaves it out.
    /// Each is told once.
    func takeLeftOut() -> [String] {
        guard lookalikes.contains(where: { !$0.value.isTold }) else { return [] }
        var inSmallRanges: Set<CellAddress> = []
        for case .formula(let formula) in cells.values.lazy.map(\.content) {
            for case .range(let indices) in formula.program {
                for index in indices { inSmallRanges.insert(formula.references[Int(index)]) }
            }
        }
        var messages: [String] = []
        for (address, lookalike) in lookalikes.sorted(by: { $0.key < $1.key }) where !lookalike.isTold {
            guard inSmallRanges.contains(address) || segments?.segments(with: address).isEmpty == false else {
                continue
            }
            lookalikes[address]?.isTold = true
            messages.append(
                "\(lookalike.place)\(address), \(lookalike.text.quoted(cutAt: 40)) is a text, which formulas leave out; write a number as 1200.5 or -0.12"
            )
        }
        return messages
    }
}

extension Unicode.Scalar {
    /// True for a digit of any script.
    fileprivate var isDecimalDigit: Bool {
        isASCII ? "0"..."9" ~= self : properties.numericType == .decimal
    }
    fileprivate var separatesDigits: Bool {
        switch self {
        case ".", ",", "'", "’", " ", "\u{A0}", "\u{2009}", "\u{202F}", "\u{66B}", "\u{66C}": true
        default: false
        }
    }
    fileprivate var isPartOfCurrency: Bool { properties.isAlphabetic || self == "$" || self == "." }
    fileprivate var standsAroundNumbers: Bool {
        switch self {
        case "+", "-", "−", "(", ")", "%", "$", " ", "\t": true
        default: !isASCII && (properties.isWhitespace || properties.generalCategory == .currencySymbol)
        }
    }
}

extension UInt8 {
    fileprivate var isPartOfNumber: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: ".+-eE".utf8.contains(self)
        }
    }
}
