/// Something that is built, and can be measured again and again.
struct Sample {
    /// By how many operations a measurement is divided.
    let operations: Int
    private let measure: () throws -> Double

    init(of operations: Int = 1, _ measure: @escaping () throws -> Double) {
        self.operations = operations
        self.measure = measure
    }
    /// Measures once, and returns the result per operation. Throws if what came out is wrong.
    func callAsFunction() throws -> Double { try measure() / Double(operations) }
}

/// One row of the benchmark: what is measured, what it is held against, and how.
struct Case: Sendable {
    /// What the plot shows it among; set where all cases are listed.
    var group = ""
    let name: String
    let size: String
    let metric: Metric
    var baseline: Baseline?
    var goal: Goal?
    /// How many samples to take, where the definition of the case says so.
    var samples: Int?
    /// Whether each sample is held against the baseline's next to it, as where two threads run: a shared machine seldom lets both
    /// of them run undisturbed, so that their minimum says less than one thread's.
    var comparesPairs = false
    /// Builds what is to be measured. Called when the turn of the case comes, so that no two cases share memory.
    let prepare: @Sendable () -> Sample

    var label: String { "\(name) \(size)" }

    /// Whether the label begins with the words of `filter`: "chain" finds "chain 100"; "chain 100" does not find "chain 1000".
    func matches(_ filter: String) -> Bool {
        "\(label) ".hasPrefix("\(filter) ")
    }
}

/// What a row counts, and by what it is divided.
struct Metric: Sendable {
    enum Unit: String, Sendable {
        case nanoseconds = "ns"
        case microseconds = "µs"
        case bytes
        case count = ""
    }
    let unit: Unit
    let description: String
    var isTime: Bool { unit == .nanoseconds || unit == .microseconds }

    /// Nanoseconds per hop, delivery, trigger …
    static func nanoseconds(per what: String) -> Metric { Metric(unit: .nanoseconds, description: "ns/\(what)") }
    static func microseconds(per what: String) -> Metric { Metric(unit: .microseconds, description: "µs/\(what)") }
    static func bytes(per what: String) -> Metric { Metric(unit: .bytes, description: "bytes/\(what)") }
    /// A plain number of something, such as "emissions/set".
    static func count(of what: String) -> Metric { Metric(unit: .count, description: what) }
}

/// The limit of a row.
enum Goal: Sendable {
    /// A number of times the baseline.
    case ratio(Double)
    /// An amount in the unit of the metric.
    case value(Double)
    /// An amount more than the baseline, in the unit of the metric.
    case more(Double)

    /// The outcome of a run for the goal.
    enum Verdict: String {
        case met = "✓"
        case missed = "✗"
        /// Nanoseconds, or a ratio to a floor that is not the library's. Both depend on the processor; instructions are counted.
        case notJudged = "–"
        /// The machine was too busy for a ratio of times.
        case tooBusy = "?"
    }

    /// Bytes and counts are always judged. A ratio of times is judged beside a row that does the same kind of work, if the
    /// samples of the row lie close together.
    func verdict(on row: Row, isTime: Bool, besideFloor: Bool) -> Verdict {
        if isTime {
            guard case .ratio = self, !besideFloor else { return .notJudged }
            guard row.median <= 1.25 * row.min else { return .tooBusy }
        }
        return isMet(by: row) ? .met : .missed
    }

    private func isMet(by row: Row) -> Bool {
        switch self {
        case .ratio(let limit): row.ratio.map { $0 <= limit } ?? false
        case .value(let limit): row.min <= limit
        case .more(let limit): row.baseline.map { row.min - $0 <= limit } ?? false
        }
    }
}

/// What came out is not what the case says must come out.
struct WrongResult: Error, CustomStringConvertible {
    let description: String

    static func expect<T: Equatable>(_ what: String, _ actual: T, toBe expected: T) throws {
        if actual != expected { throw WrongResult(description: "\(what) is \(actual), and must be \(expected)") }
    }
}
