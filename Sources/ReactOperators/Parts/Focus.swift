import ReactCore
import Synchronization

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
    /// `nil` when the row has gone. A row of a table that has gone does not come back when its part is set, as by a
    /// save that was delayed: the part is `nil` again then. To add a row, set it in the table.
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
    /// Listeners and threads may set both ends at once. At rest, the two ends agree. If two values of the part are
    /// under way in opposite directions, the newer one stays. A value of this node that has the same part as the one
    /// before counts as a change of other parts: a value of the part that is under way is written into it.
    ///
    /// If another thread keeps this node's graph busy for longer than a set waits, the part is empty until the two
    /// nodes are linked. Then it takes over its value in this node, whatever it was set to meanwhile.
    ///
    /// **Limits.** The two ends may differ at rest
    /// - if the part does not equal itself, as NaN does not,
    /// - after a pulse: the end that it reached first is empty, or as it was before, and the other end keeps the value,
    ///   until this node is set again,
    /// - if another way leads from one end to the other, such as a `sync` or a link between two parts of one whole,
    /// - after one of the two edges was cut or pointed elsewhere.
    ///
    /// Parts that overlap, such as a part and a part of it, count as one part: if both are set at once, one of the sets
    /// may be lost.
    ///
    /// - Precondition: the key path is valid for each value of this node.
    /// - Parameter part: The key path of the part. It is read and written on the thread that sets, with no lock held.
    /// - Returns: A new mutable node, which holds the part's present value.
    /// - Complexity: O(1) for each value, besides the key path and comparing parts. This node's value is copied if it
    ///   shares its storage.
    @inlinable @inline(never) public func focus<Part: Equatable & Sendable>(
        _ part: WritableKeyPath<Value, Part> & Sendable
    ) -> MutableNode<Part> {
        let focus = Focus(part: part)
        return focused(part, focus) {
            focus.pass(EdgeCall<Value, Part>($0))
        } back: {
            focus.passBack(EdgeCall<Part, Value>($0))
        }
    }
    /// Returns a new node for the part, with an edge each way.
    @usableFromInline func focused<Part: Equatable & Sendable>(
        _ part: AnyKeyPath, _ state: any OperatorState, there: @escaping @Sendable (ErasedEdgeCall) -> NextEdge,
        back: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) -> MutableNode<Part> {
        let focused = MutableNode<Part>()
        focused.name = part.lastStoredProperty
        focused.follow(self, "Focus", state: state, there)
        WeakSourceTransform<Part, Value>(name: "Focus", state: state, forward: back).lead(from: focused, to: self)
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
    @inlinable @inline(never) public func focus<Part: Equatable & Sendable>(
        _ part: KeyPath<Value, Part> & Sendable
    ) -> Node<Part> {
        let place = PartPlace(part)
        let last = Memory(Part?.none, .passesPulses) { differingPart }
        let focused: Node<Part> = following("Focus", state: last) {
            let delivery = EdgeCall<Value, Part>($0)
            let next = place.read(delivery.value)
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
    @usableFromInline var lastStoredProperty: String? {
        let text = debugDescription
        guard !text.hasSuffix(">"), !text.hasSuffix(")"), let dot = text.lastIndex(of: ".") else { return nil }
        let name = text[text.index(after: dot)...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty || name == "self" ? nil : String(name)
    }
}

/// The parts that both kinds of focus pass on.
@usableFromInline let differingPart = "only a part that has changed"

/// The two edges between a whole and a part of it.
///
/// The edges share an agreement, as those of a `sync` do: of two values that wait in opposite directions, one is
/// dropped. A value of the whole that leaves the part as it was changes nothing here, and drops no other value.
@usableFromInline final class Focus<Whole: Sendable, Part: Equatable & Sendable>: OperatorState {
    @usableFromInline let part: WritableKeyPath<Whole, Part> & Sendable
    @usableFromInline let place: PartPlace<Whole, Part>
    @usableFromInline let isOfRows: Bool
    @usableFromInline let agreement = Agreement()
    /// The part of the whole's last value, and the connection by which that came.
    @usableFromInline let last = Lock<(connection: Connection, part: Part)?>(nil)

    @inlinable init(part: WritableKeyPath<Whole, Part> & Sendable) {
        self.part = part
        isOfRows = Whole.self is any RowsByKey.Type
        place = PartPlace(part)
        agreement.begin()
    }

    /// Changes the part to its value in the whole.
    @inlinable func pass(_ delivery: EdgeCall<Whole, Part>) -> NextEdge {
        let now = place.read(delivery.value)
        let hasChanged = remember(now, of: delivery.connection)
        let isInPulse = delivery.isInPulse
        // After the pulse, one of the two ends has its earlier value again.
        if isInPulse { forget() }
        if delivery.comesStraightBack {
            if differs(now, delivery.targetValue) { follow(delivery, now) }
            return .nothing
        }
        guard hasChanged || delivery.targetValue == nil else { return .nothing }
        return agreement.pass(.here, delivery) { [self] in
            if isInPulse { forget() }
            return differs(now, delivery.targetValue) ? now : nil
        }
    }
    /// Writes the part's new value into the whole.
    @inlinable func passBack(_ delivery: EdgeCall<Part, Whole>) -> NextEdge {
        let new = delivery.value
        return agreement.pass(.there, delivery) { [self] in
            guard var whole = delivery.targetValue, differs(place.read(whole), new) else { return nil }
            let before = whole
            place.write(new, to: &whole, by: part)
            // A table that is sent as it was gives the part its value there.
            return isOfRows && Self.rowCount(whole) > Self.rowCount(before) ? before : whole
        }
    }
    @usableFromInline static func rowCount(_ whole: Whole) -> Int { (whole as? any RowsByKey)?.count ?? 0 }
    /// Gives the part its value in the whole, as a value that comes from the whole: the key path's setter has stored
    /// `now`, and not the part's value. Does nothing if a newer value is under way when the part's turn comes.
    @usableFromInline func follow(_ delivery: EdgeCall<Whole, Part>, _ now: Part) {
        guard let edge = delivery.raw.edge.takeUnretainedValue() as? Transform<Whole, Part>, let whole = edge.from
        else { return }
        let senders = SenderList().appending(whole)
        edge.send(from: senders, context: delivery.context, by: delivery.connection) { [self] delivery in
            delivery.change { [self] in
                guard !agreement.hasWaiting, let present = whole.value.map({ place.read($0) }),
                    !differs(present, now),
                    differs(now, delivery.targetValue)
                else { return nil }
                return .some(now)
            }
        }
    }
    /// True if the two parts differ. A part that does not equal itself, such as NaN, counts as equal, because it would
    /// otherwise be sent for ever.
    @inlinable func differs(_ one: Part, _ other: Part?) -> Bool {
        one != other && (one == one || other.map { $0 == $0 } ?? true)
    }

    // MARK: The state that the two edges share

    @usableFromInline var wanted: String? { differingPart }

    /// Remembers the part of the whole's new value. Returns true if it differs from the part of the value before.
    @inlinable func remember(_ part: Part, of connection: Connection) -> Bool {
        let before = exchange((connection, part))
        return before?.connection != connection || before?.part != part
    }
    /// Makes the whole's next value count as a change of the part.
    @inlinable func forget() { _ = exchange(nil) }
    @usableFromInline func emptied(_ delivery: ErasedEdgeCall) -> NextEdge {
        forget()
        return .nothing
    }
    @usableFromInline func discard(_ connection: Connection) {
        agreement.discard(connection)
        forget()
    }
    /// Returns the old value, which is then released without the lock.
    @inlinable func exchange(_ new: (connection: Connection, part: Part)?) -> (connection: Connection, part: Part)? {
        var other = new
        last.withLock { swap(&$0, &other) }
        return other
    }
}
