import ReactCore

/// The text of a watched node that a replay did not find as the recording had it.
public struct JournalDifference: Sendable, Equatable, CustomStringConvertible {
    /// The index of the `check` in `steps`.
    public let step: Int
    /// The name of the watched node.
    public let node: String
    /// The text in the recording, or `"redacted"` if the node was redacted; `nil` if the node was empty.
    public let recorded: String?
    /// The text in the replay; `nil` if the node was empty.
    public let replayed: String?

    /// One line, such as `after step 12, 'total' was "59", and is now "61"`.
    public var description: String {
        func text(_ value: String?) -> String { value.map { "\"\($0.inOneLine)\"" } ?? "empty" }
        return "after step \(step), '\(node.inOneLine)' was \(text(recorded)), and is now \(text(replayed))"
    }
}

/// A mistake in a journal, or in the sources that it is replayed into.
public enum JournalError: Error, Equatable {
    /// The journal has a source of this name, and the sources have none.
    case unknownSource(String)
    /// A value of the source does not decode. The text says why.
    case value(source: String, String)
    /// A value of the source was redacted when it was recorded. Put a value of your own in its place, by
    /// ``Journal/replacingRedactedValues(of:with:)``.
    case redacted(source: String)
    /// A wait is negative.
    case wait(Duration)
    /// Steps were lost: the recorder's `errors` say why.
    case incomplete
}

extension JournalError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .unknownSource(let name): "the journal sets “\(name.inOneLine)”, and no source has that name"
        case .value(let source, let reason): "a value of “\(source.inOneLine)” does not decode: \(reason.inOneLine)"
        case .redacted(let source):
            "a value of “\(source.inOneLine)” was redacted; put a value of your own in its place, by replacingRedactedValues(of:with:)"
        case .wait(let time): "a wait of the journal is negative: \(time.inSeconds(decimals: 18))"
        case .incomplete: "the journal is not complete: steps were lost when it was recorded"
        }
    }
}

extension Journal {
    /// Does the steps again to the sources of another graph, and returns the differences. Safe from any thread.
    ///
    /// First sets the sources whose values differ from the initial ones, and empties those that were empty, in one
    /// batch. Then does the steps in order on this thread, each when the one before is over. It comes to the
    /// recorded values if the recording began on a fresh graph: the journal does not have the memory of operators.
    ///
    ///     let price = MutableNode(0), total = price.map { $0 * 3 }.named("total")
    ///     var sources = JournalSources()
    ///     sources.add(price, named: "price")
    ///     let recorder = JournalRecorder(of: sources, watching: [total], now: { .zero })
    ///     price.value = 2
    ///     let other = MutableNode(0), wrong = other.map { $0 + $0 }.named("total")
    ///     var others = JournalSources()
    ///     others.add(other, named: "price")
    ///     let differences = try recorder.stop().replay(into: others, watching: [wrong])
    ///     print(differences[0])       // after step 1, 'total' was "6", and is now "4"
    ///
    /// - Parameters:
    ///   - sources: Sources of the same names and types. One that the journal does not name is emptied.
    ///   - nodes: The nodes to compare at each `check`, by their names. A name that is missing is not compared. Of a
    ///     node that was redacted, only whether it held a value.
    ///   - advance: Called for each `wait`; `{ clock.advance(by: $0) }` for a virtual clock. By default, waits are left
    ///     out.
    /// - Returns: The differences, in order. None if the replay came to the recorded texts.
    /// - Throws: `JournalError`, before anything is set, if the journal names a source that is not there, a value does
    ///   not decode or is redacted, a wait is negative, or the journal is not complete.
    /// - Complexity: O(steps), besides their effects.
    @discardableResult public func replay(
        into sources: JournalSources, watching nodes: [AnyNode] = [], advance: (Duration) -> Void = { _ in }
    ) throws -> [JournalDifference] {
        guard isComplete else { throw JournalError.incomplete }
        let byName = Dictionary(uniqueKeysWithValues: sources.all.map { ($0.name, $0) })
        func source(_ name: String) throws -> any JournalSource {
            guard let source = byName[name] else { throw JournalError.unknownSource(name) }
            return source
        }
        for name in initial.keys.sorted() { _ = try source(name) }
        var beginnings: [() -> Void] = []
        for source in sources.all {
            guard let value = initial[source.name] else {
                if !source.anyNode.isEmpty { beginnings.append { source.clean() } }
                continue
            }
            let set = try Journal.setting(source, value, asPulse: false)
            if (try? source.value()) != value { beginnings.append(set) }
        }
        let watched = Dictionary(nodes.enumerated().map { ($1.watchedName(at: $0), $1) }, uniquingKeysWith: { $1 })
        var differences: [JournalDifference] = []
        try withoutActuallyEscaping(advance) { advance in
            /// Decodes the value of a step. Returns a closure that does the step.
            func task(_ step: Step, at index: Int) throws -> () -> Void {
                switch step {
                case .set(let name, let value): return try Journal.setting(source(name), value, asPulse: false)
                case .pulse(let name, let value): return try Journal.setting(source(name), value, asPulse: true)
                case .clean(let name): return try source(name).clean
                case .batch(let steps):
                    let tasks = try steps.map { try task($0, at: index) }
                    return { batch { for task in tasks { task() } } }
                case .wait(let time):
                    guard time >= .zero else { throw JournalError.wait(time) }
                    return { advance(time) }
                case .check(let name, let recorded):
                    return {
                        guard let node = watched[name] else { return }
                        let replayed = node.journalText, isSecret = recorded == CheckText.redacted
                        guard isSecret ? replayed == nil : replayed.map(CheckText.of) != recorded else { return }
                        differences.append(
                            JournalDifference(
                                step: index, node: name, recorded: recorded.map(CheckText.text), replayed: replayed))
                    }
                }
            }
            let tasks = try steps.enumerated().map { try task($1, at: $0) }
            batch { for begin in beginnings { begin() } }
            for task in tasks { task() }
        }
        return differences
    }

    private static func setting(
        _ source: any JournalSource, _ value: JournalValue, asPulse: Bool
    ) throws -> () -> Void {
        if value == .redacted { throw JournalError.redacted(source: source.name) }
        do { return try source.setting(value, asPulse: asPulse) } catch {
            // The text may show the value.
            let reason = source.anyNode.isRedacted ? "it is redacted" : "\(error)"
            throw JournalError.value(source: source.name, reason)
        }
    }
}
