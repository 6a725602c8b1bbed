/// A node that can be set, from any thread.
///
/// **Delivery.** A set stores the value. It then calls this node's listen edges, in the order in which they were
/// attached. Then it sends the value through the node's transforms, in the order in which they were linked. Each
/// transform's whole downstream comes before the next transform (depth first). All of this happens on the setting
/// thread, before the set returns.
///
/// **No glitches.** A `combine` takes its inputs as they come, and fires after everything else that the set reaches. It
/// fires once, with all inputs up to date, and after every `combine` upstream of it. A set that a listener or an
/// operator makes while it is called belongs to the set that called it. `merge` and `zip` pass on event by event.
///
/// **Order.** A graph does one thing at a time, and a node delivers one value at a time. A set that a listener of the
/// node makes is queued with its context, and `value` changes when its turn comes. So no set is lost, every edge sees
/// the same values in the same order, and the last value delivered is the value stored.
///
/// **Threads.** A set waits while another thread works in the node's graph: for at most 100 milliseconds, and for at
/// most 2 on the main thread. Then it is late: its value can be read at once, and a thread of the library delivers it,
/// in order.
/// *Threads and order* says more.
///
/// **Feedback.** A value may lead to sets of the same node, up to 100,000 times in one set or batch. Then the process
/// ends, with a message that names the node.
///
/// **Rings.** A value never returns to a node that it has passed.
///
/// **Cutting.** An edge that is cut, or whose listener is gone, receives nothing more, not even the value under
/// delivery.
///
/// **Depth.** Neither delivery nor deallocation recurses, so a chain of a million nodes works on any stack. Your own
/// closures do use the stack. A listener or an operator's closure may set another node, link nodes or attach a
/// listener. That is delivered inside the closure's call, before the closure goes on. So a row of listeners, each of
/// which sets the next node, is as deep on the stack as it is long. On a thread of 512 kilobytes, the stack ends after
/// about a thousand of them in release builds, and after 160 to 200 in debug builds. A row of values whose `deinit`
/// sets the next node is as deep: the stack ends after 800 to 1,200 in release builds. Connect such nodes by links and
/// operators instead, or set them from a queue.
///
/// **Nested run loops.** While a listener runs a nested run loop, such as a modal panel, its set is not over, and
/// combinations of that thread wait. Open the panel from the main queue instead.
///
///     let node = MutableNode(1)
///     let lifetime = Lifetime()
///     node.listened(by: lifetime).with { print($0) }      // 1
///     node.value = 2                                      // 2
///
/// Unchecked, as `AnyNode` is: it stores nothing of its own.
public final class MutableNode<Value: Sendable>: Node<Value>, @unchecked Sendable {
    /// Creates an empty node.
    @inlinable public convenience init() { self.init(mutable: nil) }
    /// Creates a node that holds `value`.
    @inlinable public convenience init(_ value: Value) { self.init(mutable: value) }

    @inlinable convenience init(immutable value: Value?) {
        self.init(cell: ValueCell<Value>(value))
        if case .some = value { vertex.lastEpoch = Epoch.made }
    }
    @inlinable convenience init(mutable value: Value?) {
        self.init(immutable: value)
        vertex.beginMutable()
    }

    /// The value now; `nil` while the node is empty. Safe from any thread.
    ///
    /// On a node of an optional type, setting `nil` stores that `nil`, and listeners hear it like any other value. A
    /// node of another type is emptied. `clean()` empties either.
    ///
    /// - Precondition: to set it, the node is mutable (`isMutable`).
    public override var value: Value? {
        @inlinable get {
            #if DEBUG
            OldReads.noteRead(of: vertex)
            #endif
            return cell.read()
        }
        @inlinable set {
            guard let newValue else { return setNil() }
            if !set(newValue, { $0.beginSet(of: $1) }) { setOrEnqueue(newValue) }
        }
    }

    /// The value, not as an optional: to get it from an empty node ends the process. Setting it sets `value`; a `nil`
    /// of an optional type is stored.
    ///
    /// `count.current += 1` takes two steps, and another thread may set the node between them. `update` takes one step.
    ///
    ///     let count = MutableNode(1)
    ///     let double = count.map { $0 * 2 }
    ///     count.current += 1
    ///     print(double.current)       // 4
    ///
    /// Safe from any thread. O(1), besides the delivery of a value that is set.
    ///
    /// - Precondition: to get it, the node is not empty; to set it, `isMutable`. The message names the node.
    public override var current: Value {
        get { presentValue() }
        @inlinable set { setValue(newValue) }
    }
}

extension NodeInitializable where Self: AnyNode {
    /// Creates an empty, immutable node.
    public init() { self = MutableNode<Value>(immutable: nil) as! Self }
    /// Creates an immutable node that holds `value`.
    public init(_ value: Value) { self = MutableNode<Value>(immutable: value) as! Self }
}

extension Node {
    /// Makes this node mutable, and returns it: the same object (`===`). It cannot be made immutable again.
    ///
    /// Value, name, links and listeners stay. Calling this again changes nothing. Safe from any thread.
    ///
    ///     let node = Node(1)
    ///     node.mutablify().value = 2
    ///     print(node.current)      // 2
    @discardableResult public func mutablify() -> MutableNode<Value> {
        vertex.locking { vertex.becomeMutable() }
        return unsafeDowncast(self, to: MutableNode<Value>.self)
    }
}

extension MutableNode {
    /// Sets the value, with a context that travels beside it.
    ///
    ///     let text = MutableNode<String>(), lifetime = Lifetime()
    ///     text.listened(by: lifetime).withContext { print($0, $1 ?? "-") }
    ///     text.setValue("a", context: "typed")        // a typed
    ///     text.value = "b"                            // b -
    ///
    /// - Parameters:
    ///   - value: The new value. The node holds it as soon as it delivers it. An optional may be `nil`, which is then
    ///     stored.
    ///   - context: A value for the receivers, which they get through every operator.
    /// - Precondition: `isMutable`.
    /// - Complexity: O(1), besides the delivery of the value.
    @inlinable public func setValue(_ value: Value, context: NodeContext? = nil) {
        if !setIfIdle(value, context) { setOrEnqueue(value, context) }
    }
    @inlinable @inline(__always) func setIfIdle(_ value: Value, _ context: NodeContext?) -> Bool {
        if context == nil { return set(value) { $0.beginSet(of: $1) } }
        return withUnsafePointer(to: context) { context in set(value) { $0.beginSet(of: $1, carrying: context) } }
    }
    /// Empties the node, and tells its edges so. Listeners do not hear of it.
    ///
    ///     let number = MutableNode(1)
    ///     let double = number.map { $0 * 2 }
    ///     number.clean()
    ///     print(number.isEmpty, double.current)        // true 2
    ///
    /// A `computed` or `effect` that has read this node is called. It ends at its `try read` of this node, keeps its
    /// value, and is called again when this node is set, also to the value that it had before.
    ///
    /// - Parameter context: A value that the node's edges get in `empty(from:context:)`.
    /// - Precondition: `isMutable`.
    public func clean(context: NodeContext? = nil) {
        change(.box(context), showing: .some(nil)) { $1.change(nil, in: $0, by: .set) }
    }
    /// Changes the value as one atomic step. Does nothing while the node is empty.
    ///
    /// No other set comes between the value that `change` receives and the one that it makes. `change` runs with no
    /// lock held, when the node's turn comes. That is on this thread, before `update` returns, unless a listener of the
    /// node makes the update, or another thread keeps the graph busy for too long.
    ///
    ///     let counter = MutableNode(1)
    ///     counter.update { $0 += 1 }
    ///     print(counter.current)       // 2
    ///
    /// While the node is empty, `change` is not called. `change` is escaping, because it waits while the node is
    /// delivering, and `update` returns before it has run then. So do not read a variable after the call, such as a
    /// `Mutex`, in which `change` leaves a result: `withUpdate` and `tryUpdate` return it.
    ///
    /// A value with storage, such as an array, is copied once when `change` first writes to it, because others may read
    /// the old value meanwhile. For collections of many rows that change one by one, use a `Table`.
    ///
    /// - Parameters:
    ///   - context: A value that travels beside the new value.
    ///   - change: Called once, with the value to change.
    /// - Precondition: `isMutable`.
    /// - Complexity: O(1), besides `change`, the copy that it may cause, and the delivery of the new value.
    @inlinable public func update(context: NodeContext? = nil, _ change: @escaping @Sendable (inout Value) -> Void) {
        if context != nil || !updateIfIdle(change) { updateOrEnqueue(context, change) }
    }
    /// Changes the value if the node is idle. Returns true if the node was idle.
    @inlinable func updateIfIdle(_ change: (inout Value) -> Void) -> Bool {
        updateIfIdle({ $0.beginSet(of: $1) }, by: change)
    }
    /// Changes the value if the node is idle. `begin` begins the set.
    @inlinable @inline(__always)
    func updateIfIdle(_ begin: (Engine, Vertex) -> Bool, by change: (inout Value) -> Void) -> Bool {
        inTurn(begin) { engine, cell in
            guard var value = cell.value else { return engine.endSet(leaving: cell) }
            change(&value)
            engine.endSet(engine.store(&value, in: cell, by: .set))
        }
    }
    @usableFromInline @inline(never)
    func updateOrEnqueue(_ context: NodeContext?, _ change: @escaping @Sendable (inout Value) -> Void) {
        self.change(.box(context)) { cell, engine in
            guard var value = cell.value else { return false }
            change(&value)
            return engine.change(value, in: cell, by: .set)
        }
    }

    /// Sets the value if the node and its region are free. Returns true if it did. `begin` begins the set.
    @inlinable @inline(__always) func set(_ value: Value, _ begin: (Engine, Vertex) -> Bool) -> Bool {
        inTurn(begin) { engine, cell in
            var new = value
            let sent = engine.store(&new, in: cell, by: .set)
            withExtendedLifetime(new) {}
            engine.endSet(sent)
        }
    }
    /// Begins a set by `begin`. Then takes the node's turn, and calls `change`, which ends the set. Returns false if
    /// the region or the node is busy.
    @inlinable @inline(__always)
    func inTurn(_ begin: (Engine, Vertex) -> Bool, _ change: (Engine, ValueCell<Value>) -> Void) -> Bool {
        Unmanaged.passUnretained(vertex)._withUnsafeGuaranteedRef { vertex in
            guard vertex.isMutable else { refuseSet() }
            return currentEngine()._withUnsafeGuaranteedRef { engine in
                guard begin(engine, vertex) else { return false }
                guard vertex.tryAcquire() else {
                    engine.endSet(.nothing)
                    return false
                }
                change(engine, unsafeDowncast(vertex, to: ValueCell<Value>.self))
                return true
            }
        }
    }
    /// Sets the value when `set` could not: the node delivers, or its region is busy. (It builds no context, so that an
    /// inlined setter stays small.)
    @usableFromInline @inline(never) func setOrEnqueue(_ value: Value) { setOrEnqueue(value, nil) }
    /// Sets the value, with a context, when `set` could not.
    @usableFromInline @inline(never) func setOrEnqueue(_ value: Value, _ context: NodeContext?) {
        change(.box(context), showing: .some(value)) { $1.change(value, in: $0, by: .set) }
    }
    /// Calls `take`, which changes the value, when the node's region is this thread's, and the node's turn comes.
    ///
    /// `front`: The value that others read from now on if the change is late; `nil` if they read the old one.
    func change(
        _ context: ContextBox?, showing front: Value?? = nil, waits: Bool = true,
        _ take: @escaping (ValueCell<Value>, Engine) -> Bool
    ) {
        guard isMutable else { refuseSet() }
        changeMutableOrNot(context, showing: front, waits: waits, take)
    }
    /// Changes the value as `change` does, also of a node that may not be set from outside.
    func changeMutableOrNot(
        _ context: ContextBox?, showing front: Value?? = nil, waits: Bool = true,
        _ take: @escaping (ValueCell<Value>, Engine) -> Bool
    ) {
        let cell = self.cell, engine = Engine.current
        engine.begin()
        var isLater = false
        var origin: SetOrigin?
        engine.perform(in: cell, waits: waits) {
            isLater = true
            // A set from outside is from outside later, too, and then a step of its own.
            if engine.originOfQueuedSet == .inside { origin = .inside }
            if let front { cell.beginFront(front) }
        } _: { engine in
            let isLater = isLater
            func change(_ engine: Engine) -> Bool {
                defer { if isLater, front != nil { cell.endFront() } }
                return take(cell, engine)
            }
            engine.observer?.willChange(cell)
            // A set from outside that comes later is from outside, too, if it is done inside a call.
            let originOfLater = isLater ? origin ?? engine.originOutside : nil
            let update = QueuedDelivery(context: context, senders: SenderList()) { change($1) }
            let isMine = cell.acquireOrEnqueue(update) {
                let present = engine.originOfQueuedSet
                update.origin = present == .inside ? originOfLater ?? present : origin ?? present
                engine.observer?.queued(at: cell, by: 0)
            }
            guard isMine else { return }
            let pass = engine.beginPass(context: context, senders: .none)
            engine.passes[engine.passCount - 1].origin = originOfLater
            if !change(engine) { engine.takeTurns(at: .passUnretained(cell)) }
            engine.deliverAll(pass)
        }
        engine.end()
    }
    @usableFromInline @inline(never) func refuseSet() -> Never {
        misuse(
            "\(textAndOriginInMessages) is immutable: set the node that it follows, or make it mutable with mutablify()"
        )
    }
}

/// Implements `value = nil`: a node of an optional type stores the `nil`, and any other is emptied.
extension MutableNode {
    @usableFromInline @inline(never) func setNil() {
        if let type = Value.self as? any AnyOptional.Type, let none = type.init(nilLiteral: ()) as? Value {
            setValue(none)
        } else {
            clean()
        }
    }
}

extension MutableNode {
    /// Delivers `value` like a set, and keeps nothing of it. Use it for events, such as a tap, which later listeners
    /// must not hear.
    ///
    ///     let taps = MutableNode<String>(), screen = Lifetime()
    ///     let loud = taps.map { $0.uppercased() }, count = taps.scan(0) { count, _ in count + 1 }
    ///     loud.listened(by: screen).with { print($0) }
    ///     taps.pulse("ok")                                // OK
    ///     loud.listened(by: screen).with { print($0) }
    ///     print(taps.isEmpty, loud.isEmpty, count.current)    // true true 1
    ///
    /// When the pulse has been delivered, this node is empty. Every node derived from it by operators that pass values
    /// on is as it was before: empty if it was empty, with its old value if it had one. Links are such operators. So
    /// are `map`, `filter`, `compactMap`, `withLatest`, `if`, `switch` and `case`, `skip`, `take`, `take(until:)`,
    /// `distinctUntilChanged`, `changes`, `settled`, `merge` and the like. `deliver`, `delay`, `debounce` and `sample`
    /// pass a pulse on as a pulse, in its time. No listener is told of the end.
    ///
    /// The node that a `flattenMap`, `flatten` or `case` follows is linked to its result, so its pulse leaves nothing
    /// there either. If the pulse itself leads to the choice of that node, its value stays in the result. It also stays
    /// in an operator's node that another thread makes meanwhile, if this node is empty afterwards.
    ///
    /// `scan`, `collect`, `combine`, `zip`, `flattenMap`, `computed`, `timeout`, `mapLatest` and the like make a new
    /// value from the pulse. That value stays, and so does everything derived from it. So do the two ends of a `focus`
    /// of a mutable node, and what a `Transform` of your own sends. A node that is set during the pulse keeps the value
    /// that it was set to.
    ///
    /// Order, threads and rings are as with a set. Two pulses are two deliveries, even if their values are equal.
    ///
    /// - Parameters:
    ///   - value: The value to deliver. It is released when the delivery is over, and when no operator remembers it any
    ///     more: `distinctUntilChanged`, for example, compares the next value with it.
    ///   - context: A value for the receivers, which they get through every operator.
    /// - Precondition: `isMutable`.
    /// - Complexity: Like a set, but each node on the way costs a few times as much, and its old value is copied.
    public func pulse(_ value: Value, context: NodeContext? = nil) {
        let pulse = TransientValue()
        change(ContextBox(context, pulse)) { cell, engine in
            pulse.note(cell, in: engine.epoch, isOrigin: true)
            return engine.change(value, in: cell, by: .set)
        }
    }
}
extension MutableNode where Value == Void {
    /// Delivers an event without a value, and keeps nothing of it: `pulse(())`.
    ///
    ///     let taps = MutableNode<Void>(), screen = Lifetime()
    ///     taps.listened(by: screen).with { print("tapped") }
    ///     taps.pulse()            // tapped
    ///     print(taps.isEmpty)     // true
    ///
    /// - Parameter context: A value for the receivers, which they get through every operator.
    /// - Precondition: `isMutable`.
    /// - Complexity: As `pulse(_:context:)`.
    public func pulse(context: NodeContext? = nil) { pulse((), context: context) }
}
