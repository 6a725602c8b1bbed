import ReactCore

/// A place in an order that people arrange by hand. Between two places there is always another one.
///
///     struct Task: Equatable { var title: String, place: Place }
///     let places = Place.initial(3)
///     let tasks = MutableNode<Table<Int, Task>>([
///         1: Task(title: "Post", place: places[0]), 2: Task(title: "Call", place: places[1]),
///         3: Task(title: "Bake", place: places[2]),
///     ])
///     let shown = tasks.sorted(by: \.place)
///     tasks.update { $0.update(3) { $0.place = .between(places[0], places[1]) } }
///     print(shown.current.map(\.row.title))       // ["Post", "Bake", "Call"]
///
/// Two people who drop rows at one place at once, on two machines, make equal places. Rows with equal places stand in
/// the order of their keys. There is no place between them: `between` gives a place right behind both.
///
/// **Length.** A place takes 2 bytes for each of the first 256 rows, and 3 bytes for each of the next 65,280. Rows that
/// are put at the beginning or at the end take O(log n) bytes. A row that is put between two others takes one bit more
/// than the longer of their places, rounded up to bytes. So n rows that are put at one place, one after another, take
/// up to n / 8 bytes each: the last of 10,000 rows takes 1,252 bytes. New places from `initial(_:)`
/// are short again.
///
/// **Storing.** A place is encoded as a string of hexadecimal digits, the same as `description`. Places sort as these
/// strings do, so that a database can sort them.
public struct Place: Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The integer part, whose first byte is 128 plus its length for a number from 0 on, or 127 minus its length for a
    /// negative one; then the fraction, whose last byte is not 0. Places sort as their bytes do.
    private let bytes: [UInt8]

    private init(_ integer: Int, _ fraction: some Sequence<UInt8> = []) {
        let length = Self.length(of: integer)
        let digits = (0..<length).reversed().map { UInt8(truncatingIfNeeded: integer >> ($0 * 8)) }
        bytes = [UInt8(integer < 0 ? 127 - length : 128 + length)] + digits + fraction
    }
    /// The integers whose parts have seven bytes, besides the first one, at most.
    private static let integers = -(1 << 56)...(1 << 56) - 1
    /// The number of bytes of an integer part, besides the first one.
    private static func length(of integer: Int) -> Int {
        let magnitude = integer < 0 ? ~integer : integer
        return max(1, (Int.bitWidth - magnitude.leadingZeroBitCount + 7) / 8)
    }
    private static func length(of first: UInt8) -> Int { first < 128 ? 127 - Int(first) : Int(first) - 128 }

    private var integer: Int {
        let digits = bytes[1...Self.length(of: bytes[0])]
        return digits.reduce(bytes[0] < 128 ? -1 : 0) { $0 << 8 | Int($1) }
    }
    private var fraction: ArraySlice<UInt8> { bytes[(1 + Self.length(of: bytes[0]))...] }

    /// Returns places for `count` rows, in order.
    ///
    /// - Precondition: `count` is not negative. The message names the caller's `file` and `line`.
    /// - Complexity: O(count).
    public static func initial(_ count: Int, file: StaticString = #fileID, line: UInt = #line) -> [Place] {
        require(count >= 0, "there are no \(count) places. Ask for 0 or more.", file: file, line: line)
        return (0..<count).map { Place($0) }
    }
    /// Returns a place between two others.
    ///
    /// The result depends on the two places alone. `nil` stands for the beginning or the end. If a filter hides rows,
    /// give the next place of all rows, not of those that are shown. Otherwise the new place may be that of a hidden
    /// row.
    ///
    ///     let first = Place.between(nil, nil), second = Place.between(first, nil)
    ///     let middle = Place.between(first, second)
    ///     print(first < middle, middle < second)       // true true
    ///     print(first, middle, second)                 // 8100 810080 8101
    ///
    /// - Parameters:
    ///   - lower: The place before, or `nil` for the beginning.
    ///   - upper: The place after, or `nil` for the end.
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    /// - Returns: A place that is greater than `lower`, and smaller than `upper`. If the two are equal, a place right
    ///   behind them. A row whose place begins with theirs may stand before it.
    /// - Precondition: `upper` is not smaller than `lower`.
    /// - Complexity: O(length). See ``Place`` for how long places become.
    public static func between(
        _ lower: Place?, _ upper: Place?, file: StaticString = #fileID, line: UInt = #line
    ) -> Place {
        switch (lower, upper) {
        case (nil, nil): return Place(0)
        case (let lower?, nil):
            // Behind the last integer there are only fractions of it.
            if lower.integer == integers.upperBound { return Place(lower.integer, middle(lower.fraction, nil)) }
            return Place(lower.integer + 1)
        case (nil, let upper?):
            let (first, before) = (integers.lowerBound, upper.fraction.isEmpty ? upper.integer - 1 : upper.integer)
            // The first integer without a fraction is no place, because nothing could stand before it.
            if before > first { return Place(before) }
            return Place(first, middle([], upper.integer == first ? upper.fraction : nil))
        case (let lower?, let upper?):
            require(
                lower <= upper, "there is no place between \(lower) and \(upper). Give the smaller one first.",
                file: file, line: line)
            let (from, to) = (lower.integer, upper.integer)
            if lower == upper { return Place(from, lower.fraction + [1]) }
            if from == to { return Place(from, middle(lower.fraction, upper.fraction)) }
            if from + 1 < to || !upper.fraction.isEmpty { return Place(from + 1) }
            return Place(from, middle(lower.fraction, nil))
        }
    }
    /// Returns the fraction in the middle of two, as short as possible. `nil` stands for 1.
    private static func middle(_ lower: ArraySlice<UInt8>, _ upper: ArraySlice<UInt8>?) -> [UInt8] {
        var (lower, upper, result) = (lower, upper, [UInt8]())
        while true {
            let (low, high) = (Int(lower.first ?? 0), upper.map { Int($0.first ?? 0) } ?? 256)
            if high - low > 1 { return result + [UInt8((low + high) / 2)] }
            result.append(UInt8(low))
            lower = lower.dropFirst()
            // Any digit that follows is smaller than the upper fraction if the digits so far are.
            upper = low == high ? upper?.dropFirst() : nil
        }
    }

    /// Returns true if `a` is before `b`.
    ///
    /// - Complexity: O(length).
    public static func < (a: Place, b: Place) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

    /// Hexadecimal digits, which sort as places do.
    public var description: String { bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    /// Writes a string of hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
    /// Reads a string of hexadecimal digits. Throws `DecodingError.dataCorrupted` for a string that no place has.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self), digits = Array(text.utf8)
        let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0...$0 + 1] }
        bytes = pairs.compactMap { UInt8(String(decoding: $0, as: UTF8.self), radix: 16) }
        guard digits.count % 2 == 0, Self.isValid(bytes), description == text else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is no place.")
        }
    }
    /// Returns true if the bytes are those of a place: the integer is there, and is as short as it can be, the fraction
    /// does not end with 0, and a place may stand before this one.
    private static func isValid(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return false }
        let length = length(of: first)
        guard 1...7 ~= length, bytes.count > length else { return false }
        let padding: UInt8 = first < 128 ? 255 : 0
        return (length == 1 || bytes[1] != padding) && (bytes.count == length + 1 || bytes.last != 0)
            && bytes != Place(integers.lowerBound).bytes
    }
}
