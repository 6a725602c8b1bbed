import Synchronization

/// A join whose inputs are the nodes that its body reads: what `computed` and `effect` are built on.
///
///     edges ──arrive──▶ DynamicJoin ──lists──▶ Join ──fires──▶ begin · body · end
///                            ▲                                     │ read: by place, or link
///                            └─────────────────────────────────────┘
///
/// **The seam.** Of the rest of the engine it needs: a `Join` of no inputs, for the list of what is to fire, the turn and
/// what travels beside a value (`arrived`, `request`, `giveUp`); an edge's `relink` and `cancel`; heights (`Vertex.height`,
/// and `Propagation.hasPending(atMost:)`); and, where a read would close a ring, `WayBack`.
///
/// **A call.** The body runs in the vertex's turn, with no lock held. The inputs are kept in the order in which the last call
/// read them, each with its newest value; so a call that reads the same nodes in the same order compares and copies, no more.
/// What it has not read is cut when it is over. A call is *given up*, and made again later in the same wave,
/// - where it reads a node that is still to change in this wave: the join has been raised above that then;
/// - where it reads a node for the first time that was set in a batch of another thread's which is still under way: it is made
///   when that is over, there;
/// - where another thread has changed an input since it began: so what one call sees belongs together.
/// From then on it reads nothing more, and what it returns is dropped.
///
/// **Rings.** An edge stands for what the last call read, and may be out of date where its join is still to be called: `a` read
/// `b` before, and `b` reads `a` from now on. So where a new edge would close a ring, the edges on the way that no call of
/// this wave has confirmed are cut, and their joins called again. If none is on the way, the ring is one.
///
/// Invariants (all mutable fields, and the inputs, are guarded by the lock of the vertex):
/// - The first `next` inputs were read by the call under way, or by the last one.
/// - An edge among the inputs knows its `place`, and has not been told that it was unlinked: until then its source is there.
/// - Edges hold the join, and through it this; nothing here holds an edge.
///
/// Unchecked, because of the lock.
@usableFromInline package final class DynamicJoin: @unchecked Sendable {
    /// What the edges are called.
    @usableFromInline let name: String
    /// Whether it fires after all else, and has its rounds counted: so for effects, with what they are called in messages.
    let effect: String?
    @usableFromInline let vertex: Vertex
    /// What fires this; holds it.
    private var join: Unmanaged<Join>?

    @exclusivity(unchecked) @usableFromInline var inputs: UnsafeMutablePointer<Unmanaged<AnyDynamicInput>?>
    @exclusivity(unchecked) @usableFromInline var count = 0
    @exclusivity(unchecked) private var capacity = 2
    /// The place of the input that is to be read next, if all is as it was.
    @exclusivity(unchecked) @usableFromInline var next = 0
    /// The call that may read by place: so the one under way, until it is given up.
    @exclusivity(unchecked) @usableFromInline var openCall: UInt64 = 0
    @exclusivity(unchecked) private var calls: UInt64 = 0
    /// Who is in a call.
    @exclusivity(unchecked) @usableFromInline var caller: Unmanaged<Propagation>?
    @exclusivity(unchecked) @usableFromInline var isGivenUp = false
    /// Whether another thread has changed an input since the call began.
    @exclusivity(unchecked) private var isTorn = false
    /// How many inputs a call has read, before it was given up, that nothing has come from since.
    @exclusivity(unchecked) @usableFromInline var confirmed = 0
    /// The wave in which the last call was completed.
    @exclusivity(unchecked) @usableFromInline var wave: UInt64 = 0
    /// How often it was called in that wave.
    @exclusivity(unchecked) private var rounds = 0
    /// Where which node stands among the inputs, while they are too many to be gone through.
    @exclusivity(unchecked) private var places: [UnsafeRawPointer: Int]?

    static let mostRounds = 10_000
    /// Whether there has been one: only then a thread looks once more whether something was left to it, after it has said that its
    /// outermost set is over.
    static let areUsed = Atomic<Bool>(false)
    private static let fewInputs = 16

    @usableFromInline init(at vertex: Vertex, name: String, effect: String?) {
        self.vertex = vertex
        self.name = name
        self.effect = effect
        inputs = .allocate(capacity: capacity)
        if effect != nil { vertex.setHeight(Vertex.heightLimit) }
        DynamicJoin.areUsed.store(true, ordering: .sequentiallyConsistent)
    }
    deinit { inputs.deallocate() }

    /// Has the first call made: at once, or when the outermost set or batch on the thread ends.
    @usableFromInline func start(_ join: Join) {
        self.join = .passUnretained(join)
        let propagation = Propagation.current
        propagation.begin()
        vertex.locking { join.request(in: propagation) }
        join.keep()
        if propagation.bodies > 0, let height = vertex.locking({ propagation.joins.remove(join) }) {
            // The body that makes it may be about to read it.
            join.fire(in: propagation, listedAt: height)
        }
        propagation.end()
    }

    // MARK: A call

    /// Begins a call, unless nobody has the node any more. The lock is held, and not when it returns; the turn is this
    /// thread's.
    @usableFromInline func begin(_ propagation: Propagation) -> DynamicCall? {
        guard vertex.hasHandle else {
            vertex.unlock(Vertex.busy)
            propagation.takeTurns(at: .passUnretained(vertex))
            return nil
        }
        calls += 1
        openCall = calls
        caller = .passUnretained(propagation)
        isGivenUp = false
        isTorn = false
        next = 0
        confirmed = 0
        if effect != nil { countRound(in: propagation) }
        vertex.unlock(Vertex.busy)
        propagation.enterCall(0)
        propagation.bodies += 1
        return DynamicCall(join: self, number: calls)
    }
    /// Ends a call: stores what it made, if that is new, and says how the delivery goes on.
    @inlinable func end<Output: Sendable>(
        _ made: Output?, in propagation: Propagation, isSame: ((Output, Output) -> Bool)?
    ) -> Sent {
        let store = unsafeDowncast(vertex, to: Store<Output>.self)
        propagation.bodies &-= 1
        // Only the call itself changes these.
        let counts = !isGivenUp && (next == count || cutUnread())
        // Who has the turn reads the value without the lock.
        if counts, let made, let isSame, let old = store.value, isSame(old, made) { return close(propagation) }
        guard counts, let made else { return close(propagation) }
        let bits = store.lock()
        guard openCall != 0 else {
            store.unlock(bits)
            return close(propagation)
        }
        endCall(propagation)
        propagation.makeRoom()
        return propagation.put(made, in: store, unlocking: bits)
    }
    /// Cuts what the call has not read.
    @usableFromInline @inline(never) func cutUnread() -> Bool {
        let bits = vertex.lock()
        let unread = takeUnread()
        vertex.unlock(bits)
        for input in unread { input.cancel() }
        return true
    }
    /// Ends a call that leaves the value as it is.
    @usableFromInline func close(_ propagation: Propagation) -> Sent {
        let bits = vertex.lock()
        if isGivenUp || isTorn {
            propagation.enterCall(0)
            if let join { join._withUnsafeGuaranteedRef { $0.giveUp(in: propagation) } }
            confirmed = isTorn ? 0 : next
            openCall = 0
            caller = nil
        } else {
            endCall(propagation)
        }
        vertex.unlock(bits)
        propagation.takeTurns(at: .passUnretained(vertex))
        return .nothing
    }
    /// The lock is held.
    @inlinable @inline(__always) func endCall(_ propagation: Propagation) {
        openCall = 0
        caller = nil
        wave = propagation.wave
    }
    /// An effect that sets itself off without end is cut off. The lock is held.
    private func countRound(in propagation: Propagation) {
        rounds = wave == propagation.wave ? rounds + 1 : 1
        if rounds > DynamicJoin.mostRounds {
            vertex.unlock(Vertex.busy)
            refuseRound()
        }
    }

    // MARK: Reading

    /// The input for a node that is not the next one in line, linked if it is none yet; `nil` where the call is given up.
    ///
    /// `make` makes the edge, and `load` gives it the present value of its source, whose lock is held.
    @usableFromInline @inline(never) func find(
        _ node: AnyNode, _ call: UInt64, make: (Join) -> AnyDynamicInput, load: (AnyDynamicInput, Vertex) -> Void
    ) -> AnyDynamicInput? {
        let bits = vertex.lock()
        guard call == calls, let caller, caller.toOpaque() == Propagation.currentUnretained.toOpaque() else {
            vertex.unlock(bits)
            misuse(
                "a NodeReader was used outside of the call that it was given to: read inside the body, on its thread")
        }
        if openCall == 0 { isGivenUp = true }
        guard !isGivenUp else {
            vertex.unlock(bits)
            return nil
        }
        if let place = place(of: node.vertex) {
            if place >= next {
                exchange(place, next)
                next += 1
            }
            let input = inputs[min(place, next - 1)].unsafelyUnwrapped.takeUnretainedValue()
            vertex.unlock(bits)
            return input
        }
        vertex.unlock(bits)
        return caller._withUnsafeGuaranteedRef { link(node, $0, make: make, load: load) }
    }
    private func link(
        _ node: AnyNode, _ propagation: Propagation, make: (Join) -> AnyDynamicInput,
        load: (AnyDynamicInput, Vertex) -> Void
    ) -> AnyDynamicInput? {
        if node.vertex === vertex { refuseRing([vertex]) }
        var time: UInt64 = 0
        guard let join, case let input = join._withUnsafeGuaranteedRef(make),
            input.connect(
                from: node, to: vertex,
                reading: {
                    load(input, $0)
                    time = $0.visited
                })
        else {
            // Nobody has the node any more.
            vertex.locking { isGivenUp = true }
            return nil
        }
        vertex.locking { insert(input) }
        confirmHeight(of: input, propagation)
        let isEarly =
            propagation.hasPending(atMost: node.vertex.height)
            || propagation.isOthers(time) && join._withUnsafeGuaranteedRef { $0.wait(for: time, in: propagation) }
        if isEarly {
            vertex.locking {
                isGivenUp = true
                openCall = 0
            }
            return nil
        }
        return input
    }
    /// Makes way for a new edge that would close a ring, if edges that are out of date are all that is in it.
    private func confirmHeight(of input: AnyDynamicInput, _ propagation: Propagation) {
        while true {
            switch WayBack(over: input, isOutdated: { $0.isOutdated(in: propagation) }) {
            case .none: return
            case .ring(let vertices): refuseRing(vertices)
            case .outdated(let edges):
                for edge in edges {
                    edge.dynamic.request(in: propagation)
                    edge.cancel()
                }
            }
        }
    }
    /// Has the join called again in this wave, whether or not something arrives.
    private func request(in propagation: Propagation) {
        vertex.locking {
            if let join { join._withUnsafeGuaranteedRef { $0.request(in: propagation) } }
        }
    }
    /// Whether the edge at `place` stands for what a call read that is to be made again.
    fileprivate func isOutdated(at place: Int, in propagation: Propagation) -> Bool {
        vertex.locking {
            guard let join else { return false }
            let isDirty = join._withUnsafeGuaranteedRef { $0.isDirty } || caller != nil
            if isDirty { return place < 0 || place >= (caller != nil ? next : confirmed) }
            return wave != propagation.wave
        }
    }

    // MARK: What comes

    /// The lock is held.
    @inlinable @inline(__always) func noteArrival(_ propagation: Unmanaged<Propagation>) {
        if openCall | UInt64(truncatingIfNeeded: confirmed) != 0 { noteArrivalInCall(propagation) }
    }
    @usableFromInline func noteArrivalInCall(_ propagation: Unmanaged<Propagation>) {
        confirmed = 0
        // What a body sets itself makes another call, and not this one void.
        guard openCall != 0, caller?.toOpaque() != propagation.toOpaque() else { return }
        isTorn = true
        openCall = 0
    }
    /// Forgets an edge that was unlinked.
    func lost(_ input: AnyDynamicInput, _ drop: () -> Void) {
        let bits = vertex.lock()
        if input.place >= 0 {
            inputs[input.place] = nil
            places = nil
            input.place = -1
        }
        input.sourceVertex = nil
        if let join { join._withUnsafeGuaranteedRef { $0.forget(input) } }
        drop()
        vertex.unlock(bits)
    }

    // MARK: The inputs; the lock is held

    private func place(of source: Vertex) -> Int? {
        let wanted = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
        if count > DynamicJoin.fewInputs {
            if places == nil { rememberPlaces() }
            return places?[wanted]
        }
        return (0..<count).first { inputs[$0]?._withUnsafeGuaranteedRef { $0.sourceVertex == wanted } ?? false }
    }
    private func rememberPlaces() {
        var known: [UnsafeRawPointer: Int] = [:]
        known.reserveCapacity(count)
        for place in 0..<count {
            if let source = inputs[place]?._withUnsafeGuaranteedRef({ $0.sourceVertex }) { known[source] = place }
        }
        places = known
    }
    private func put(_ input: Unmanaged<AnyDynamicInput>?, at place: Int) {
        inputs[place] = input
        guard let input else { return }
        input._withUnsafeGuaranteedRef {
            $0.place = place
            if let source = $0.sourceVertex { places?[source] = place }
        }
    }
    private func exchange(_ first: Int, _ second: Int) {
        guard first != second else { return }
        let input = inputs[first]
        put(inputs[second], at: first)
        put(input, at: second)
    }
    /// Puts a new input where the call has come to.
    private func insert(_ input: AnyDynamicInput) {
        // Cut already, by someone else.
        guard input.sourceVertex != nil else { return }
        if count == capacity { grow() }
        if next < count { put(inputs[next], at: count) }
        count += 1
        put(.passUnretained(input), at: next)
        next += 1
    }
    private func grow() {
        let larger = UnsafeMutablePointer<Unmanaged<AnyDynamicInput>?>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: inputs, count: count)
        inputs.deallocate()
        inputs = larger
        capacity *= 2
    }
    /// Takes out what the call has not read, and what was cut.
    private func takeUnread() -> [AnyDynamicInput] {
        var unread: [AnyDynamicInput] = []
        for place in next..<count {
            guard let input = inputs[place]?.takeUnretainedValue() else { continue }
            input.place = -1
            unread.append(input)
        }
        count = next
        places = nil
        return unread
    }

    // MARK: Messages

    private func refuseRing(_ vertices: [Vertex]) -> Never {
        let names = (vertices + [vertices[0]]).map(\.nameInMessages).joined(separator: " → ")
        misuse(
            "what is computed reads itself: \(names) (each is made of the one after it); leave one of these reads out, or make it untracked"
        )
    }
    private func refuseRound() -> Never {
        let read = (0..<next).compactMap { inputs[$0]?.takeUnretainedValue().source?.description }
        let last = (0..<count).compactMap { inputs[$0]?.takeUnretainedValue().source?.description }
        misuse(
            "\(effect ?? "an effect") has set itself off \(DynamicJoin.mostRounds) times in one set. It read \((read.isEmpty ? last : read).joined(separator: ", ")): do not set what the effect reads, or only where that changes it"
        )
    }
}

extension Vertex {
    /// What messages call the node.
    fileprivate final var nameInMessages: String { locking { rare?.name }.map { "“\($0)”" } ?? "a node without a name" }
}

extension Propagation {
    /// Whether a time is another thread's.
    func isOthers(_ time: UInt64) -> Bool {
        time != 0 && (time ^ now) >> Propagation.clockBits != 0
    }
    /// Says that the outermost set is over. What others have left here just before is fired still.
    @inline(never) func closeWave() {
        finished.store(now, ordering: .sequentiallyConsistent)
        while !inbox.isEmptyInOrder {
            settle()
            finished.store(now, ordering: .sequentiallyConsistent)
        }
    }
}

/// A call of a body: what it reads by. Of no use after it.
@usableFromInline package struct DynamicCall: Sendable {
    @usableFromInline let join: DynamicJoin
    @usableFromInline let number: UInt64

    @usableFromInline init(join: DynamicJoin, number: UInt64) {
        self.join = join
        self.number = number
    }
    /// The node's value, and from now on an input; `nil` where it has none, or the call is given up.
    @inlinable @inline(__always) package func read<Value>(_ node: Node<Value>) -> Value? {
        let wanted = UnsafeRawPointer(Unmanaged.passUnretained(node.vertex).toOpaque())
        let vertex = join.vertex
        let bits = vertex.lock()
        let place = join.next
        if join.openCall == number, place < join.count, let input = join.inputs[place] {
            let found: (isNext: Bool, value: Value?) = input._withUnsafeGuaranteedRef { input in
                guard input.sourceVertex == wanted else { return (false, nil) }
                return (true, unsafeDowncast(input, to: DynamicInput<Value>.self).value)
            }
            if found.isNext {
                join.next = place &+ 1
                vertex.unlock(bits)
                return found.value
            }
        }
        vertex.unlock(bits)
        return find(node)
    }
    @inlinable @inline(never) func find<Value>(_ node: Node<Value>) -> Value? {
        let input = join.find(node, number) { [join] owner in
            DynamicInput<Value>(join, owner, of: node) { raw in
                raw.edge._withUnsafeGuaranteedRef {
                    unsafeDowncast($0, to: DynamicInput<Value>.self).arrive(Delivery<Value, Never>(raw).value, raw)
                }
                return .nothing
            }
        } load: { input, source in
            unsafeDowncast(input, to: DynamicInput<Value>.self).value =
                unsafeDowncast(source, to: Store<Value>.self).value
        }
        guard let input else { return nil }
        let bits = join.vertex.lock()
        // In one with the look at the value: another thread may just have changed what was read before.
        let isOpen = join.openCall == number
        if !isOpen { join.isGivenUp = true }
        let value = isOpen ? unsafeDowncast(input, to: DynamicInput<Value>.self).value : nil
        join.vertex.unlock(bits)
        return value
    }
}

/// An edge from a node that was read to what is made of it.
///
/// Unchecked, because its fields are guarded by the lock of the vertex that it leads to.
@usableFromInline class AnyDynamicInput: AnyTransform, LeadsToJoin, @unchecked Sendable {
    @usableFromInline final let dynamic: DynamicJoin
    /// Held, until the edge goes: see `Teardown`.
    @exclusivity(unchecked) @usableFromInline final var join: Join?
    /// The vertex that it leaves from, until it is unlinked.
    @exclusivity(unchecked) @usableFromInline final var sourceVertex: UnsafeRawPointer?
    /// Where it stands among the inputs; -1 where it does not.
    @exclusivity(unchecked) final var place = -1

    @usableFromInline init(_ dynamic: DynamicJoin, _ join: Join, of node: AnyNode, forward: @escaping Forward) {
        self.dynamic = dynamic
        self.join = join
        sourceVertex = UnsafeRawPointer(Unmanaged.passUnretained(node.vertex).toOpaque())
        super.init(name: dynamic.name, forward: forward)
    }
    final var joinLedTo: Join? { join }
    deinit {
        guard let join = join.take() else { return }
        join.keep()
        Teardown.release(holder: join)
    }

    /// Links the edge, which is in no linking yet, unless nobody has the node of `target` any more; answers whether it did. `read` is
    /// called with the source, and under its lock: its present value is not delivered.
    fileprivate final func connect(from source: AnyNode, to target: Vertex, reading read: (Vertex) -> Void) -> Bool {
        var isLed = false
        _ = relink(mayDangle: false, replays: false, reading: read) { deferred in
            setTarget(target, &deferred)
            isLed = leads(to: target)
            if isLed { fromNode = source }
        }
        return isLed
    }
    fileprivate final func isOutdated(in propagation: Propagation) -> Bool {
        dynamic.isOutdated(at: place, in: propagation)
    }
}
@usableFromInline final class DynamicInput<Value: Sendable>: AnyDynamicInput, @unchecked Sendable {
    /// The newest value; `nil` while the source is empty.
    @exclusivity(unchecked) @usableFromInline var value: Value?

    @inlinable
    override init(_ dynamic: DynamicJoin, _ join: Join, of node: AnyNode, forward: @escaping Forward) {
        super.init(dynamic, join, of: node, forward: forward)
    }
    /// Takes what comes; `nil` where the source was emptied.
    @inlinable @inline(__always) func arrive(_ value: Value?, _ raw: RawDelivery) {
        raw.propagation._withUnsafeGuaranteedRef { propagation in
            var new = value
            let vertex = dynamic.vertex
            let bits = vertex.lock()
            guard Delivery<Value, Never>(raw).isCurrent else { return vertex.unlock(bits) }
            swap(&self.value, &new)
            dynamic.noteArrival(raw.propagation)
            join.unsafelyUnwrapped.arrived(in: propagation, by: raw.edge, bits)
            withExtendedLifetime(new) {}
        }
    }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent {
        arrive(nil, delivery)
        return .nothing
    }
    override func linkingHasEnded(_ linking: Linking) {
        var old: Value?
        dynamic.lost(self) { swap(&old, &value) }
    }
}

extension Node {
    /// A new immutable node that holds what `body` makes of what it reads by its argument; `nil` leaves it as it is.
    ///
    /// The edges are called `name`. An `effect`, as messages call it, fires after all else. Where `isSame` holds for the present
    /// value and a new one, that is not passed on.
    @inlinable package static func dynamic(
        _ name: String, effect: String? = nil, isSame: (@Sendable (Value, Value) -> Bool)?,
        _ body: @escaping @Sendable (DynamicCall) -> Value?
    ) -> Node<Value> {
        let node = MutableNode<Value>(immutable: nil)
        let dynamic = DynamicJoin(at: node.vertex, name: name, effect: effect)
        let join = Join(at: node.vertex, inputs: 0) { _, propagation in
            guard let call = dynamic.begin(propagation) else { return .nothing }
            return dynamic.end(body(call), in: propagation, isSame: isSame)
        }
        dynamic.start(join)
        return node
    }
}

extension DynamicCall {
    /// Ends the process over an error that a body may not throw.
    @usableFromInline package func refuse(_ error: any Error) -> Never {
        misuse(
            "the body of \(join.effect ?? join.vertex.nameInMessages) threw \(error): only NoValue may be thrown there; return a Result"
        )
    }
}
