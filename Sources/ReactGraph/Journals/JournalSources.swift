import ReactCore

/// The nodes that are set from outside, each by a name that is the same in the app and in the test.
///
/// A ``JournalRecorder`` records their sets, and ``Journal/replay(into:watching:advance:)`` repeats them in another
/// graph. It holds its nodes.
///
///     let price = MutableNode(20), quantity = MutableNode(3).named("quantity")
///     var sources = JournalSources()
///     sources.add(price, named: "price")
///     sources.add(quantity)
public struct JournalSources: Sendable {
    /// In the order in which they were added.
    private(set) var all: [any JournalSource] = []

    /// Makes a list without sources. Safe from any thread.
    public init() {}

    /// Adds a node by a name. A list is a value: change a copy on one thread at a time.
    ///
    /// Its values travel through the journal as their type encodes them. Give the same type in the app and in the test.
    ///
    /// - Precondition: The node is mutable, and no other source has the name. The message names the caller's `file` and
    ///   `line`.
    /// - Complexity: O(sources).
    @inlinable public mutating func add<Value: Codable & Sendable>(
        _ node: MutableNode<Value>, named name: String, file: StaticString = #fileID, line: UInt = #line
    ) {
        // This closure is compiled for the type of the values, in the caller's module. Sets that are compiled for any
        // type take several times as many instructions.
        add(node, named: name, set: { value in { node.setValue(value) } }, file, line)
    }
    /// `set` makes sets of a value.
    @usableFromInline mutating func add<Value: Codable & Sendable>(
        _ node: MutableNode<Value>, named name: String, set: @escaping @Sendable (Value) -> () -> Void,
        _ file: StaticString, _ line: UInt
    ) {
        require(
            node.isMutable,
            "JournalSources.add: “\(name)” is immutable, so nobody sets it from outside; add the node that it follows",
            file: file, line: line)
        require(
            !all.contains { $0.name == name },
            "JournalSources.add: another source is named “\(name)”; give each source a name of its own",
            file: file, line: line)
        all.append(TypedSource(node: node, name: name, set: set))
    }
    /// Adds a node by its `name`. A list is a value: change a copy on one thread at a time.
    ///
    /// - Precondition: The node has a name, it is mutable, and no other source has the name. The message names the
    ///   caller's `file` and `line`.
    /// - Complexity: O(sources).
    @inlinable public mutating func add<Value: Codable & Sendable>(
        _ node: MutableNode<Value>, file: StaticString = #fileID, line: UInt = #line
    ) {
        add(node, named: JournalSources.name(of: node, file, line), file: file, line: line)
    }
    @usableFromInline static func name(of node: AnyNode, _ file: StaticString, _ line: UInt) -> String {
        guard let name = node.name else {
            misuse(
                "JournalSources.add: a \(type(of: node)) has no name; name it, or pass `named:`", file: file, line: line
            )
        }
        return name
    }
}

/// A source of any type.
protocol JournalSource: Sendable {
    var name: String { get }
    var anyNode: AnyNode { get }
    /// True if Swift writes the values as literals.
    var isLiteral: Bool { get }
    /// The value now; `nil` if the node is empty.
    func value() throws -> JournalValue?
    /// Returns a closure that sets the node to the value, or pulses it.
    func setting(_ value: JournalValue, asPulse: Bool) throws -> () -> Void
    func clean()
    /// Marks the node, which reports to `log` from now on, beginning with the value that it holds at this moment.
    func begin(in log: JournalLog, at index: Int) -> NodeMark
}

private struct TypedSource<Value: Codable & Sendable>: JournalSource {
    let node: MutableNode<Value>
    let name: String
    let set: @Sendable (Value) -> () -> Void

    var anyNode: AnyNode { node }
    var isLiteral: Bool { Value.self is any LiteralType.Type }
    func value() throws -> JournalValue? { try node.value.map { try JournalValue(encoding: $0) } }
    func setting(_ value: JournalValue, asPulse: Bool) throws -> () -> Void {
        let decoded = try value.decoded(as: Value.self)
        return asPulse ? { [node] in node.pulse(decoded) } : set(decoded)
    }
    func clean() { node.clean() }
    func begin(in log: JournalLog, at index: Int) -> NodeMark {
        // The mark does not hold the node.
        let mark = NodeMark { store in
            log.note(store, at: index) { try JournalValue(recording: store.value(as: Value.self)) }
        }
        mark.begin(at: node) {
            let first = unsafeDowncast($0, to: ValueCell<Value>.self).value
            log.noteInitial(at: index) { try first.map { try JournalValue(recording: $0) } }
        }
        return mark
    }
}
