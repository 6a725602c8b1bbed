import ReactCore

extension MutableNode {
    /// "Focus": a mutable node for one part of this node's value.
    ///
    /// When either is set, the other follows in one step. Sets of different parts are never lost: two parts that are
    /// set in one `batch`, or by two threads, are both kept. The part is heard when it is set, and when its value in
    /// this node has changed. Setting it to the value that it already has leaves this node alone.
    ///
    /// While this node is empty, a set of the part is heard at the part alone. When this node is set, the part takes
    /// over its value. If the key path's setter stores another value than the one that was set, the part takes over the
    /// stored value.
    ///
    /// The key path must be valid for every value that this node takes. `focus(\.[2])` ends the process when the array
    /// has no third element any more. For rows, use the key path of a dictionary or a table, `\.[id]`: its part is
    /// `nil` when the row has gone.
    ///
    /// The part keeps this node alive, and this node does not hold the part. Two edges "Focus" connect them, one each
    /// way. The part is named after the key path's last component, if that is a stored property.
    ///
    ///     struct Person { var name: String, age: Int }
    ///     let person = MutableNode(Person(name: "Ada", age: 36))
    ///     let (name, age) = (person.focus(\.name), person.focus(\.age))
    ///     age.value = 37
    ///     print(person.current)        // Person(name: "Ada", age: 37)
    ///     person.value = Person(name: "Grace", age: 37)
    ///     print(name.current)          // Grace
    ///
    ///     let stock = MutableNode(["pears": 3])
    ///     let pears = stock.focus(\.["pears"])
    ///     stock.value = [:]
    ///     print(pears.current ?? 0)    // 0
    ///
    /// At rest, a whole and its part differ only if the part does not equal itself, as NaN does not, or after a pulse:
    /// the end that is pulsed is empty then, and the other end keeps the value.
    ///
    /// **Limits.** If a listener of the part sets the whole, or another focus of the same part, the part's value is
    /// written to the whole after that: the listener's set of the part is undone. Let such a listener set the part
    /// itself. While one thread sets the part and another one the whole, listeners of the part may hear an earlier
    /// value of it again. If the part is also linked by `sync` to a third node meanwhile, the last set may be lost.
    ///
    /// - Precondition: the key path is valid for each value of this node.
    /// - Parameter part: The key path of the part. It is read and written on the thread that sets, with no lock held.
    /// - Returns: A new mutable node, which holds the part's present value.
    /// - Complexity: O(1) for each value, besides the key path and comparing parts. This node's value is copied if it
    ///   shares its storage.
    public func focus<Part: Equatable & Sendable>(
        _ part: WritableKeyPath<Value, Part> & Sendable
    ) -> MutableNode<Part> {
        let focused = MutableNode<Part>()
        focused.name = part.lastStoredProperty
        let focus = Focus(part: part)
        focused.follow(self, "Focus", state: FocusState()) { focus.pass(EdgeCall<Value, Part>($0)) }
        WeakSourceTransform<Part, Value>(name: "Focus") { focus.passBack(EdgeCall($0)) }.lead(from: focused, to: self)
        return focused
    }
}

extension Node {
    /// "Focus" on a node that cannot be set: one part of each value, passed on only when it differs from the part
    /// before.
    ///
    /// Works as `map` and `distinctUntilChanged` in one node: a pulse counts as the part before. The node is named
    /// after the key path's last component, if that is a stored property. Starts over when the transform's `from` or
    /// `to` changes. O(1) for each value, besides the key path and comparing parts. The part is read on the thread that
    /// sets the value, with no lock held.
    ///
    ///     struct Person { var name: String, age: Int }
    ///     let person = MutableNode(Person(name: "Ada", age: 36)), lifetime = Lifetime()
    ///     let shown: Node<Person> = person
    ///     let name = shown.focus(\.name)
    ///     name.listened(by: lifetime).with { print($0) }                  // Ada
    ///     person.update { $0.age = 37 }
    ///     person.value = Person(name: "Grace", age: 37)                   // Grace
    ///     print(name)                                                     // Node(named: name, value: Grace)
    ///
    /// The key path must be valid for every value that this node takes. The part of an array, `\.[2]`, ends the process
    /// when the row has gone; the part of a dictionary or a table, `\.[id]`, is `nil` then.
    ///
    /// - Precondition: the key path is valid for each value of this node.
    /// - Parameter part: The key path of the part. On a `MutableNode`, a writable key path makes a `MutableNode`
    ///   instead.
    /// - Returns: A new immutable node, which holds the part's present value.
    public func focus<Part: Equatable & Sendable>(_ part: KeyPath<Value, Part> & Sendable) -> Node<Part> {
        let last = Memory(Part?.none, passesPulses: true) { differingPart }
        let focused: Node<Part> = following("Focus", state: last) {
            let delivery = EdgeCall<Value, Part>($0)
            let next = delivery.value[keyPath: part]
            if let last = last.now(for: delivery), last == next { return .nothing }
            return last.send(next, remembering: next, after: delivery)
        }
        focused.name = part.lastStoredProperty
        return focused
    }
}

extension AnyKeyPath {
    /// Returns the name of the last component, such as `age` of `\Person.age`. Returns `nil` if that is computed, or
    /// the whole itself.
    fileprivate var lastStoredProperty: String? {
        let text = debugDescription
        guard !text.hasSuffix(">"), !text.hasSuffix(")"), let dot = text.lastIndex(of: ".") else { return nil }
        let name = text[text.index(after: dot)...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty || name == "self" ? nil : String(name)
    }
}

/// The parts that both kinds of focus pass on.
private let differingPart = "only a part that has changed"

/// The state of the edge from a whole to a part: none.
private final class FocusState: OperatorState {
    var wanted: String? { differingPart }
}

/// The two edges between a whole and a part of it.
///
/// Each end is changed in its own turn, by the value that the other end holds then. Values that several threads set may
/// pass each other on the way, and each stops where it came from. A value that comes straight back is therefore
/// compared with the present one. If they differ, the part is set to the whole's value. The last change of the two is
/// followed by such a comparison, so both ends agree.
private struct Focus<Whole: Sendable, Part: Equatable & Sendable>: Sendable {
    let part: WritableKeyPath<Whole, Part> & Sendable

    /// Changes the part to its value in the whole.
    func pass(_ delivery: EdgeCall<Whole, Part>) -> NextEdge {
        let change: () -> Part?? = { [part] in
            guard let now = delivery.from?.value?[keyPath: part], differs(now, delivery.targetValue) else { return nil }
            return .some(now)
        }
        switch delivery.takeTurnIfIdle() {
        case .mine: return delivery.end(turnWith: change())
        case .someone: if delivery.changeContended(change) { return .nothing }
        case .refused: break
        }
        if delivery.isStillConnected, change() != nil, delivery.comesStraightBack, let whole = delivery.from {
            follow(whole, by: delivery.targetNode, delivery.context)
        }
        return .nothing
    }
    /// Writes the part's new value into the whole.
    func passBack(_ delivery: EdgeCall<Part, Whole>) -> NextEdge {
        let new = delivery.value
        let change: () -> Whole?? = { [part] in
            guard var whole = delivery.targetValue, differs(whole[keyPath: part], new) else { return nil }
            whole[keyPath: part] = new
            return .some(whole)
        }
        switch delivery.takeTurnIfIdle() {
        case .mine: return delivery.end(turnWith: change())
        case .someone: if delivery.changeContended(change) { return .nothing }
        case .refused: break
        }
        if delivery.isStillConnected, change() != nil, delivery.comesStraightBack, let whole = delivery.targetNode {
            follow(whole, by: delivery.from, delivery.context)
        }
        return .nothing
    }
    /// Sends the whole's present value to the part, as a value that comes from the whole.
    private func follow(_ whole: Node<Whole>, by focused: Node<Part>?, _ context: NodeContext?) {
        guard let focused, let now = whole.value?[keyPath: part],
            let edge = focused.upstreamTransforms(from: whole).lazy.compactMap({ $0 as? Transform<Whole, Part> }).first
        else { return }
        edge.send(now, from: SenderList().appending(whole), context: context)
    }
    /// True if the two parts differ. A part that does not equal itself, such as NaN, counts as equal, because it would
    /// otherwise be sent for ever.
    private func differs(_ one: Part, _ other: Part?) -> Bool {
        one != other && (one == one || other.map { $0 == $0 } ?? true)
    }
}

extension EdgeCall {
    /// True if the value was at the target just before it came to the source.
    fileprivate var comesStraightBack: Bool {
        guard let target = targetNode else { return false }
        return senders.senders.dropFirst().first === target
    }
}
