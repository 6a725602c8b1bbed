/// The steps that were done to some nodes from outside, in order. A bug report carries them, and a test replays them.
///
/// A ``JournalRecorder`` writes it. It is `Codable`, so it travels as JSON. Like all text of recorders it is
/// experimental: later versions may write other files.
///
///     let price = MutableNode(30), quantity = MutableNode(2)
///     let total = combine(price, quantity) { $0 * $1 }.named("total")
///     var sources = JournalSources()
///     sources.add(price, named: "price")
///     sources.add(quantity, named: "quantity")
///     let recorder = JournalRecorder(of: sources, watching: [total], now: { .zero })
///     batch { price.value = 10; quantity.value = 5 }
///     print(recorder.stop())          // batch { price = 10; quantity = 5 }
///                                     // total was 50
///
/// **Steps** are sets, emptyings and pulses from outside: by the program's threads, tasks and timers, and the values of
/// `follow`. A set by a call of an edge is none: by a listener (on a scheduler or the main actor too), an effect, a
/// link or an operator. Such a set follows from the steps, and a replay makes it anew. The place where the set is
/// called decides which of the two it is, also for a set that is queued. A task that a listener or the work of
/// `mapLatest` starts is outside, so a replay needs a stand-in for work that sets sources.
///
/// **Order.** The values of one source stand in the order in which they were stored. A batch stays whole, at the place
/// of its last value, unless another thread's value of one of its sources falls inside it. Then it is divided there,
/// and `description` marks its parts.
public struct Journal: Codable, Sendable {
    /// One thing that was done to a source, or was noted between two such things.
    public enum Step: Sendable, Equatable {
        /// A source was set.
        case set(source: String, value: JournalValue)
        /// A source was emptied.
        case clean(source: String)
        /// A source was set by `pulse`.
        case pulse(source: String, value: JournalValue)
        /// Steps of one batch, in order.
        case batch([Step])
        /// The time between two steps, by the clock of the recorder.
        case wait(Duration)
        /// The text of a watched node after the steps before; `nil` while it was empty. Only where it differs from the
        /// last one. It is read while no thread is in a transaction that has reached a source or a watched node. While
        /// threads never rest, none is written. The text `redacted` stands for the value of a redacted node. A node's
        /// own text that is this word stands in quotation marks (“redacted”).
        case check(node: String, text: String?)
    }
    /// The values of the sources at the beginning; a source that was empty is missing.
    public var initial: [String: JournalValue]
    /// The steps, in order.
    public var steps: [Step]
    /// False if steps were lost: there were more than the recorder's limit, a value could not be encoded, or a source
    /// was changed from a node that is none.
    public var isComplete: Bool
    /// The indices of batches that are parts of divided ones.
    var parts: [Int]?
    /// The sources whose values cannot be written as Swift literals.
    var coded: [String]?
    /// The sources that were empty at the beginning.
    var empty: [String]?

    /// Makes a journal by hand. A source that `initial` leaves out begins empty. Safe from any thread.
    public init(initial: [String: JournalValue] = [:], steps: [Step], isComplete: Bool = true) {
        self.initial = initial
        self.steps = steps
        self.isComplete = isComplete
    }

    /// Returns the journal with a value in the place of each one of a source that was redacted. Safe from any thread.
    ///
    /// A replay needs one, because the recorder has not written down the source's own. All else stays as it is.
    ///
    ///     let password = MutableNode("").named("password").redacted()
    ///     var sources = JournalSources()
    ///     sources.add(password)
    ///     let recorder = JournalRecorder(of: sources, now: { .zero })
    ///     password.value = "hunter2"
    ///     let journal = recorder.stop()
    ///     print(journal)          // password = redacted
    ///     let filled = try journal.replacingRedactedValues(of: "password", with: "correct horse")
    ///     print(filled)           // password = "correct horse"
    ///
    /// - Parameters:
    ///   - source: The name of the source. If the journal has no redacted value of it, nothing is replaced.
    ///   - value: A value of the source's type, or a `JournalValue`.
    /// - Returns: The journal with the value. A replay of it sets the source to the value.
    /// - Throws: The error of the value's encoding.
    /// - Complexity: O(steps).
    public func replacingRedactedValues(of source: String, with value: some Encodable) throws -> Journal {
        let data = try value as? JournalValue ?? JournalValue(encoding: value)
        var journal = self
        if initial[source] == .redacted { journal.initial[source] = data }
        journal.steps = steps.map { $0.replacingRedactedValues(of: source, with: data) }
        return journal
    }
}

extension Journal: Equatable {
    /// Returns whether both do the same.
    public static func == (one: Journal, other: Journal) -> Bool {
        one.initial == other.initial && one.steps == other.steps && one.isComplete == other.isComplete
    }
}

extension Journal: CustomStringConvertible {
    /// One line a step: `price = 30`, `batch { price = 10; quantity = 5 }`, `wait 0.3 s`, `total was 59`. Line ends in
    /// names and texts are written as `\n`.
    public var description: String {
        let parts = Set(parts ?? [])
        return steps.enumerated().map { (parts.contains($0.offset) ? "a part of a " : "") + $0.element.description }
            .joined(separator: "\n")
    }
}

extension Journal.Step: CustomStringConvertible {
    /// The step's line in the journal's description.
    public var description: String {
        switch self {
        case .set(let source, let value): "\(source.inOneLine) = \(value)"
        case .clean(let source): "\(source.inOneLine) was emptied"
        case .pulse(let source, let value): "\(source.inOneLine) pulsed \(value)"
        case .batch(let steps):
            steps.isEmpty ? "batch {}" : "batch { \(steps.map(\.description).joined(separator: "; ")) }"
        case .wait(let time): "wait \(time.inSeconds(decimals: 18))"
        case .check(let node, let text): "\(node.inOneLine) was \(text?.inOneLine ?? "empty")"
        }
    }
}

extension Journal.Step {
    /// The source, for a step that changes one.
    var source: String? {
        switch self {
        case .set(let source, _), .clean(let source), .pulse(let source, _): source
        case .batch, .wait, .check: nil
        }
    }
    /// The value, for a set or a pulse.
    var value: JournalValue? {
        switch self {
        case .set(_, let value), .pulse(_, let value): value
        case .clean, .batch, .wait, .check: nil
        }
    }
    var checkedNode: String? { if case .check(let node, _) = self { node } else { nil } }
    fileprivate func replacingRedactedValues(of name: String, with data: JournalValue) -> Journal.Step {
        if case .batch(let steps) = self {
            return .batch(steps.map { $0.replacingRedactedValues(of: name, with: data) })
        }
        return source == name && value == .redacted ? with(data) : self
    }
    /// Returns this set or pulse with another value.
    func with(_ value: JournalValue) -> Journal.Step {
        switch self {
        case .set(let source, _): .set(source: source, value: value)
        case .pulse(let source, _): .pulse(source: source, value: value)
        case .clean, .batch, .wait, .check: self
        }
    }
}

// A step is an object with one key for its kind, such as `{"set": "price", "value": 30}`.
extension Journal.Step: Codable {
    private enum CodingKeys: CodingKey { case set, clean, pulse, batch, wait, check, value, text }
    /// Reads a step. Safe from any thread.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        if let source = try keys.decodeIfPresent(String.self, forKey: .set) {
            self = .set(source: source, value: try keys.decode(JournalValue.self, forKey: .value))
        } else if let source = try keys.decodeIfPresent(String.self, forKey: .clean) {
            self = .clean(source: source)
        } else if let source = try keys.decodeIfPresent(String.self, forKey: .pulse) {
            self = .pulse(source: source, value: try keys.decode(JournalValue.self, forKey: .value))
        } else if let steps = try keys.decodeIfPresent([Self].self, forKey: .batch) {
            self = .batch(steps)
        } else if let time = try keys.decodeIfPresent(Duration.self, forKey: .wait) {
            self = .wait(time)
        } else {
            let node = try keys.decode(String.self, forKey: .check)
            self = .check(node: node, text: try keys.decodeIfPresent(String.self, forKey: .text))
        }
    }
    /// Writes the step. Safe from any thread.
    public func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .set(let source, _): try keys.encode(source, forKey: .set)
        case .pulse(let source, _): try keys.encode(source, forKey: .pulse)
        case .clean(let source): try keys.encode(source, forKey: .clean)
        case .batch(let steps): try keys.encode(steps, forKey: .batch)
        case .wait(let time): try keys.encode(time, forKey: .wait)
        case .check(let node, let text):
            try keys.encode(node, forKey: .check)
            try keys.encodeIfPresent(text, forKey: .text)
        }
        try keys.encodeIfPresent(value, forKey: .value)
    }
}
