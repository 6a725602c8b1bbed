/// An integer that encodes itself by a key.
struct Cents: FixedWidthInteger, SignedInteger, Codable, Sendable {
    private var cents: Int8

    init(_ cents: Int8) { self.cents = cents }
    init<T: BinaryInteger>(_ source: T) { cents = Int8(source) }
    init<T: BinaryInteger>(truncatingIfNeeded source: T) { cents = Int8(truncatingIfNeeded: source) }
    init(integerLiteral value: Int8) { cents = value }
    init(_truncatingBits bits: UInt) { cents = Int8(truncatingIfNeeded: bits) }

    static let bitWidth = 8, min = Cents(Int8.min), max = Cents(Int8.max)
    var description: String { cents.description }
    func hash(into hasher: inout Hasher) { hasher.combine(cents) }
    static func == (a: Cents, b: Cents) -> Bool { a.cents == b.cents }
    static func < (a: Cents, b: Cents) -> Bool { a.cents < b.cents }
    var words: Int8.Words { cents.words }
    var magnitude: UInt8 { cents.magnitude }
    var trailingZeroBitCount: Int { cents.trailingZeroBitCount }
    var leadingZeroBitCount: Int { cents.leadingZeroBitCount }
    var nonzeroBitCount: Int { cents.nonzeroBitCount }
    var byteSwapped: Cents { self }

    private static func sum(_ both: (partialValue: Int8, overflow: Bool)) -> (partialValue: Cents, overflow: Bool) {
        (Cents(both.partialValue), both.overflow)
    }
    func addingReportingOverflow(_ other: Cents) -> (partialValue: Cents, overflow: Bool) {
        Cents.sum(cents.addingReportingOverflow(other.cents))
    }
    func subtractingReportingOverflow(_ other: Cents) -> (partialValue: Cents, overflow: Bool) {
        Cents.sum(cents.subtractingReportingOverflow(other.cents))
    }
    func multipliedReportingOverflow(by other: Cents) -> (partialValue: Cents, overflow: Bool) {
        Cents.sum(cents.multipliedReportingOverflow(by: other.cents))
    }
    func dividedReportingOverflow(by other: Cents) -> (partialValue: Cents, overflow: Bool) {
        Cents.sum(cents.dividedReportingOverflow(by: other.cents))
    }
    func remainderReportingOverflow(dividingBy other: Cents) -> (partialValue: Cents, overflow: Bool) {
        Cents.sum(cents.remainderReportingOverflow(dividingBy: other.cents))
    }
    func dividingFullWidth(_ dividend: (high: Cents, low: UInt8)) -> (quotient: Cents, remainder: Cents) {
        let result = cents.dividingFullWidth((dividend.high.cents, dividend.low))
        return (Cents(result.quotient), Cents(result.remainder))
    }

    static func + (a: Cents, b: Cents) -> Cents { Cents(a.cents + b.cents) }
    static func - (a: Cents, b: Cents) -> Cents { Cents(a.cents - b.cents) }
    static func * (a: Cents, b: Cents) -> Cents { Cents(a.cents * b.cents) }
    static func / (a: Cents, b: Cents) -> Cents { Cents(a.cents / b.cents) }
    static func % (a: Cents, b: Cents) -> Cents { Cents(a.cents % b.cents) }
    static func += (a: inout Cents, b: Cents) { a = a + b }
    static func -= (a: inout Cents, b: Cents) { a = a - b }
    static func *= (a: inout Cents, b: Cents) { a = a * b }
    static func /= (a: inout Cents, b: Cents) { a = a / b }
    static func %= (a: inout Cents, b: Cents) { a = a % b }
    static func &= (a: inout Cents, b: Cents) { a.cents &= b.cents }
    static func |= (a: inout Cents, b: Cents) { a.cents |= b.cents }
    static func ^= (a: inout Cents, b: Cents) { a.cents ^= b.cents }
}
