/// Built work that can be measured repeatedly.
struct Sample {
    /// The number of operations by which a measurement is divided.
    let operations: Int
    private let measure: () throws -> Double

    init(of operations: Int = 1, _ measure: @escaping () throws -> Double) {
        self.operations = operations
        self.measure = measure
    }
    /// Measures once, and returns the result per operation. Throws if the result of the work is wrong.
    func callAsFunction() throws -> Double { try measure() / Double(operations) }
}

/// One row of the benchmark: the work, its comparison, and its goal.
struct Case: Sendable {
    /// The group of the case in the plot. Set where all cases are listed.
    var group = ""
    let name: String
    let size: String
    let metric: Metric
    var baseline: Baseline?
    var goal: Goal?
    /// The number of samples, if the case sets it.
    var samples: Int?
    /// If true, each sample is compared with the neighbouring sample of the baseline, as for two threads. A shared
    /// machine seldom lets both threads run undisturbed, so the minimum is less reliable than for one thread.
    var comparesPairs = false
    /// Builds the work. Called when the turn of the case comes, so that no two cases share memory.
    let prepare: @Sendable () -> Sample

    var label: String { "\(name) \(size)" }

    /// True if the label begins with the words of `filter`: "chain" finds "chain 100"; "chain 100" does not find "chain
    /// 1000".
    func matches(_ filter: String) -> Bool {
        "\(label) ".hasPrefix("\(filter) ")
    }
}

/// The unit of a row, and the operation that it is divided by.
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
        /// Nanoseconds, or a ratio that depends on the processor. Instructions are counted instead.
        case notJudged = "–"
        /// The machine was too busy for a ratio of times.
        case tooBusy = "?"
    }

    /// Bytes and counts are always judged. A ratio of times is judged beside a row that does the same kind of work, if
    /// the samples of the row lie close together.
    func verdict(on row: Row, of subject: Case) -> Verdict {
        if subject.metric.isTime {
            guard case .ratio = self, subject.baseline?.dependsOnProcessor == false else { return .notJudged }
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

/// A result that differs from the expected one.
struct WrongResult: Error, CustomStringConvertible {
    let description: String

    static func expect<T: Equatable>(_ what: String, _ actual: T, toBe expected: T) throws {
        if actual != expected { throw WrongResult(description: "\(what) is \(actual), and must be \(expected)") }
    }
}
