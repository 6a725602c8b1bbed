/// A node that can be set. Setting is safe from any thread.
///
/// **Delivery.** A set stores the value, then calls this node's listen edges in the order in which they were attached,
/// then sends through its transforms in the order in which they were linked, each one's whole downstream before the next
/// (depth first), all on the setting thread, before the set returns.
///
/// **No glitches.** A `combine` takes its inputs as they come and fires after everything else that the set reaches: once,
/// with all inputs up to date, and after any `combine` upstream of it. A set that a listener or an operator makes while
/// it is called belongs to the set that called it. `merge` and `zip` pass on event by event.
///
/// **Order.** One node delivers one value at a time. A set that finds the node delivering (a listener of its own sets it
/// again, or another thread is delivering) is queued with its context, and delivered in order by whoever is delivering;
/// `value` changes when its turn comes. So no set is lost, every edge sees the same values in the same order, and the
/// last value delivered is the value stored. No set ever waits for another thread's listeners: there is nothing to deadlock.
/// (It looks again for a few microseconds, as most deliveries are over in less.)
/// (What others set meanwhile a set delivers up to 64 values of at each node, then hands the node to the next thread that sets it.
/// That one pauses for this, and so does one that sets while more than 256 values wait: 10 milliseconds at most, and when nothing
/// else is under way on its thread. *Threads and order* says what a set may cost.)
///
/// **Feedback.** What a value leads to may set the node again, 100,000 times in one set or batch. After that the process ends, with a
/// message that names the node.
///
/// **Rings.** A value never returns to a node that it has passed through.
///
/// **Cutting.** An edge that is cut, or whose listener is gone, receives nothing more, not even what is being delivered.
///
/// **Depth.** Neither delivery nor deallocation recurses: a chain of a million nodes is fine on any stack. What your own
/// closure does happens in its call, though: a listener, or the closure of an operator, that sets another node, links nodes
/// or attaches a listener has that delivered before it goes on. So a row of listeners each of which sets the next node is as
/// deep on the stack as it is long. On a thread of 512 kilobytes the stack ends after about a thousand of them in release
/// builds, and after 160 to 200 in debug builds. A row of values whose `deinit` sets the next node is as deep: the stack ends
/// after 800 to 1,200 in release builds. Have the nodes follow one another by links and operators instead, or set them from a
/// queue.
///
/// **Nested run loops.** While a listener runs a nested run loop, such as a modal panel, the set is not over, and combinations
/// of that thread wait. Open the panel from the main queue instead.
///
///     let node = MutableNode(1)
///     let lifetime = Lifetime()
///     node.listened(by: lifetime).with { print($0) }      // 1
///     node.value = 2                                      // 2
///
/// Unchecked, as `AnyNode` is: it adds nothing that is stored.
public final class MutableNode<Value: Sendable>: Node<Value>, @unchecked Sendable {
    /// An empty node.
    @inlinable public convenience init() { self.init(mutable: nil) }
    /// A node that holds `value`.
    @inlinable public convenience init(_ value: Value) { self.init(mutable: value) }

    @inlinable convenience init(immutable value: Value?) { self.init(store: Store<Value>(value)) }
    @inlinable convenience init(mutable value: Value?) {
        self.init(store: Store<Value>(value))
        vertex.beginMutable()
    }

    /// The value now; `nil` while the node is empty. Safe from any thread.
    ///
    /// Setting `nil` on a node of an optional type holds that `nil`, which is heard like any other value. A node of another
    /// type has none to hold, and is emptied. `clean()` empties either.
    ///
    /// - Precondition: `isMutable`, to set it.
    public override var value: Value? {
        @inlinable get { store.read() }
        @inlinable set {
            guard let newValue else { return setNil() }
            if !set(newValue, { $0.beginSet(of: $1) }) { setSlowly(newValue) }
        }
    }

    /// The value, where there must be one. Setting it is setting `value`, and an optional may be `nil`, which is then held.
    ///
    /// `count.current += 1` is two steps, between which another thread may set the node: `update` is one.
    ///
    ///     let count = MutableNode(1)
    ///     let double = count.map { $0 * 2 }
    ///     count.current += 1
    ///     print(double.current)       // 4
    ///
    /// Safe from any thread. O(1), besides what a set leads to.
    ///
    /// - Precondition: to get it, the node is not empty; to set it, `isMutable`. The message names the node.
    public override var current: Value {
        get { presentValue() }
        @inlinable set { setValue(newValue) }
    }
}

extension NodeInitializable where Self: AnyNode {
    /// An empty, immutable node.
    public init() { self = MutableNode<Value>(immutable: nil) as! Self }
    /// An immutable node that holds `value`.
    public init(_ value: Value) { self = MutableNode<Value>(immutable: value) as! Self }
}

extension Node {
    /// Makes this very node mutable and returns it (`===`). There is no way back.
    ///
    /// Value, name, links and listeners stay. Doing so again changes nothing. Safe from any thread.
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
    /// Sets the value, with something that travels beside it.
    ///
    ///     let text = MutableNode<String>(), lifetime = Lifetime()
    ///     text.listened(by: lifetime).withContext { print($0, $1 ?? "-") }
    ///     text.setValue("a", context: "typed")        // a typed
    ///     text.value = "b"                            // b -
    ///
    /// - Parameters:
    ///   - value: What the node holds from its turn on. An optional may be `nil`, which is then held.
    ///   - context: What the receivers of the value see beside it, through every operator.
    /// - Precondition: `isMutable`.
    /// - Complexity: O(1) beside what the value leads to.
    @inlinable public func setValue(_ value: Value, context: NodeContext? = nil) {
        if !setIfIdle(value, context) { setSlowly(value, context) }
    }
    @inlinable @inline(__always) func setIfIdle(_ value: Value, _ context: NodeContext?) -> Bool {
        context == nil ? set(value) { $0.beginSet(of: $1) } : set(value) { $0.beginSet(of: $1, carrying: context) }
    }
    /// Empties the node and tells the edges so. Listeners do not hear of it.
    ///
    ///     let number = MutableNode(1)
    ///     let double = number.map { $0 * 2 }
    ///     number.clean()
    ///     print(number.isEmpty, double.current)        // true 2
    ///
    /// - Precondition: `isMutable`.
    public func clean(context: NodeContext? = nil) {
        change(.box(context)) { $1.change(nil, in: $0, by: .set) }
    }
    /// Changes the value in place as one atomic step; does nothing while the node is empty.
    ///
    /// No other set comes between the value that `change` is given and the one that it makes. `change` runs with no lock
    /// held, when the node's turn comes: on this thread, before `update` returns, unless the node is delivering.
    ///
    ///     let counter = MutableNode(1)
    ///     counter.update { $0 += 1 }
    ///     print(counter.current)       // 2
    ///
    /// An empty node ignores the update: `change` is not called. `change` escapes, because it waits where the node is delivering, and
    /// so it returns nothing. It does not change the array of others: a value with storage, such as an array, is copied once when
    /// `change` first writes to it. For collections of many rows that change by one, use a `Table`.
    ///
    /// - Parameters:
    ///   - context: What travels beside the new value.
    ///   - change: Called once, with the value to be changed.
    /// - Precondition: `isMutable`.
    /// - Complexity: O(1) beside `change` and what the new value leads to; others read the old value
    ///   meanwhile, so an array or another value with storage is copied when `change` first writes to it.
    @inlinable public func update(context: NodeContext? = nil, _ change: @escaping @Sendable (inout Value) -> Void) {
        if context != nil || !updateIfIdle(change) { updateSlowly(context, change) }
    }
    /// Does so where the node is idle; answers whether it did.
    @inlinable func updateIfIdle(_ change: (inout Value) -> Void) -> Bool {
        Unmanaged.passUnretained(vertex)._withUnsafeGuaranteedRef { vertex in
            guard vertex.isMutable else { refuseSet() }
            return currentPropagation()._withUnsafeGuaranteedRef { propagation in
                propagation.beginSet(of: vertex)
                guard vertex.enterIfIdle() else {
                    propagation.endSet(.nothing)
                    return false
                }
                // Only the one whose turn it is writes the value, so it may be read without the lock.
                vertex.unlock(propagation.taker | Vertex.busy)
                let store = unsafeDowncast(vertex, to: Store<Value>.self)
                guard var value = store.value else {
                    propagation.finish(store)
                    propagation.endSet(.nothing)
                    return true
                }
                change(&value)
                let bits = store.lock()
                propagation.endSet(propagation.store(&value, in: store, by: .set, unlocking: bits))
                return true
            }
        }
    }
    @usableFromInline @inline(never)
    func updateSlowly(_ context: NodeContext?, _ change: @escaping @Sendable (inout Value) -> Void) {
        if context == nil, Propagation.tryForAMoment(at: store, { updateIfIdle(change) }) { return }
        self.change(.box(context)) { store, propagation in
            // Only the one whose turn it is writes the value, so it may be read without the lock.
            guard var value = store.value else { return false }
            change(&value)
            return propagation.change(value, in: store, by: .set)
        }
    }

    /// Sets the value where the node is idle; answers whether it did. `begin` begins the set.
    @inlinable @inline(__always) func set(_ value: Value, _ begin: (Propagation, Vertex) -> Void) -> Bool {
        Unmanaged.passUnretained(vertex)._withUnsafeGuaranteedRef { vertex in
            guard vertex.isMutable else { refuseSet() }
            return currentPropagation()._withUnsafeGuaranteedRef { propagation in
                begin(propagation, vertex)
                guard vertex.enterIfIdle() else {
                    propagation.endSet(.nothing)
                    return false
                }
                var new = value
                let sent = propagation.store(&new, in: unsafeDowncast(vertex, to: Store<Value>.self), by: .set)
                withExtendedLifetime(new) {}
                propagation.endSet(sent)
                return true
            }
        }
    }
    /// Where the node is delivering. (It has no context to build, so that a setter stays small.)
    @usableFromInline @inline(never) func setSlowly(_ value: Value) { setSlowly(value, nil) }
    /// The same with what travels beside it.
    @usableFromInline @inline(never) func setSlowly(_ value: Value, _ context: NodeContext?) {
        if Propagation.tryForAMoment(at: store, { setIfIdle(value, context) }) { return }
        change(.box(context)) { $1.change(value, in: $0, by: .set) }
    }
    /// Has `take` change the value when the node's turn comes: at once if it is idle.
    func change(_ context: ContextBox?, _ take: @escaping (Store<Value>, Propagation) -> Bool) {
        guard isMutable else { refuseSet() }
        let store = self.store
        let propagation = Propagation.current
        let update = Update(context: context, senders: SenderList(), after: propagation.turn) { take(store, $1) }
        propagation.begin()
        propagation.observer?.willChange(store)
        let (isMine, wantsHeir) = store.enter(
            orQueue: update, of: propagation.timesOfOwnSet, on: propagation.taker,
            noting: { propagation.observer?.queued(at: store, by: 0) })
        if wantsHeir { propagation.waitWhenOver(for: store) }
        if isMine {
            store.unlock(propagation.taker | Vertex.busy)
            let run = propagation.beginRun(context: context, senders: .none)
            if !take(store, propagation) { propagation.takeTurns(at: .passUnretained(store)) }
            propagation.drive(run)
        }
        propagation.end()
    }
    @usableFromInline @inline(never) func refuseSet() -> Never {
        misuse("\(self) is immutable: set the node that it follows, or make it mutable with mutablify()")
    }
}

/// What `value = nil` means: a node of an optional type has a `nil` to hold; any other is emptied.
extension MutableNode {
    @usableFromInline @inline(never) func setNil() {
        if let type = Value.self as? any Holdable.Type, let none = type.init(nilLiteral: ()) as? Value {
            setValue(none)
        } else {
            clean()
        }
    }
}

extension MutableNode {
    /// Delivers `value` like a set, and holds nothing: for events, such as a tap, which who comes later must not hear.
    ///
    ///     let taps = MutableNode<String>(), screen = Lifetime()
    ///     let loud = taps.map { $0.uppercased() }, count = taps.scan(0) { count, _ in count + 1 }
    ///     loud.listened(by: screen).with { print($0) }
    ///     taps.pulse("ok")                                // OK
    ///     loud.listened(by: screen).with { print($0) }
    ///     print(taps.isEmpty, loud.isEmpty, count.current)    // true true 1
    ///
    /// When the pulse has been delivered, this node is empty. Every node derived from it by operators that pass values on is as it was
    /// before: empty if it was empty, with its old value if it had one. Such operators are links, `map`, `filter`, `compactMap`,
    /// `withLatest`, `if`, `switch` and `case`, `skip`, `take`, `take(until:)`, `distinctUntilChanged`, `changes`, `settled`, `merge` and
    /// the like. `deliver`, `delay`, `debounce` and `sample` pass a pulse on as a pulse, in its time. Nobody is told of the end.
    ///
    /// `scan`, `collect`, `combine`, `zip`, `flattenMap` and `computed` make something of the value, which stays, and so does all that is
    /// derived from it. A node that is set during the pulse keeps the value that it was set to. A node that another thread links in the
    /// middle of a pulse may keep the pulse's value.
    ///
    /// Order, threads and rings are as with a set. Two pulses are two deliveries, also where their values are equal.
    ///
    /// - Parameters:
    ///   - value: What is delivered. It is let go of when the delivery is over.
    ///   - context: What the receivers of the value see beside it, through every operator.
    /// - Precondition: `isMutable`.
    /// - Complexity: As a set; each node on the way costs a few times as much, and its old value is copied.
    public func pulse(_ value: Value, context: NodeContext? = nil) {
        let pulse = Pulse()
        change(ContextBox(context, pulse)) { store, propagation in
            store.locking { pulse.note(store, at: propagation.now, isOrigin: true) }
            return propagation.change(value, in: store, by: .set)
        }
    }
}
