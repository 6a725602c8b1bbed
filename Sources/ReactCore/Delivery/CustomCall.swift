import Synchronization

/// A call of an edge's own code: of a `Transform` or a `ListenEdge` that somebody wrote. The sender list that it is given is this.
///
/// Nothing is put on record while nobody asks: what the value came through are the frames below, which stay where they are until the
/// call is over. A list that is still held by then is given its senders, and another call takes the next value. Each thread
/// has one for each call inside another, and uses it again.
///
/// Invariants:
/// - While `isKnown` is not set and the call is not kept for the next one, it is under way, its run began without senders, and the frames from `bottom` to `top` are its.
/// - `isKnown` is set under the lock, and taken back by the call's own thread while nobody else holds this, nor ever asked it.
///
/// Unchecked, because others than the call's thread read `bottom`, `top` and what is known alone, under the lock; these are
/// changed where nobody else holds this, or what they would be asked for is known. What asks the thread's propagation is in `CallOfThread`.
@usableFromInline class CustomCall: SenderSource, @unchecked Sendable {
    /// The call that this one is inside of, which holds this; `nil` for the one that stands for no call.
    @exclusivity(unchecked) final var outer: Unmanaged<CustomCall>?
    @exclusivity(unchecked) final var inner: CustomCall?

    @exclusivity(unchecked) final var edge = Unmanaged<AnyEdge>?.none
    @exclusivity(unchecked) final var target = Unmanaged<Vertex>?.none
    /// As in `Propagation.call`.
    @exclusivity(unchecked) final var number: UInt64 = 0
    @exclusivity(unchecked) final var runs = 0
    /// Whether nothing travels beside the value, and what it came through is not on record.
    @exclusivity(unchecked) @usableFromInline final var isPlain = false

    @exclusivity(unchecked) final var bottom = UnsafeMutablePointer<Frame>?.none
    @exclusivity(unchecked) final var top = UnsafeMutablePointer<Frame>?.none
    private let lock = Lock(())
    private let isKnown = Atomic<Bool>(false)
    /// Whether another thread has asked: then what is known stays as it is.
    private let isShared = Atomic<Bool>(false)
    private var known: (path: SenderPath?, since: UInt64) = (nil, 0)

    /// What is given to code that nothing travels beside the value to: a constant, so that it need not be made for each call.
    @usableFromInline final let noContext = NodeContext?.none

    init(inside outer: Unmanaged<CustomCall>?) { self.outer = outer }

    /// Whether the list has been asked for its senders, or, at its place, somebody else holds it.
    @inline(__always) final func isOfNoMoreUse(_ place: inout CustomCall?) -> Bool {
        isKnown.load(ordering: .relaxed) || !isKnownUniquelyReferenced(&place)
    }
    /// Makes what was asked for unknown again; answers `false` if another thread has asked. Nobody else holds this.
    final func startOver() -> Bool {
        guard !isShared.load(ordering: .acquiring) else { return false }
        let old = lock.withLock { _ in
            isKnown.store(false, ordering: .relaxed)
            defer { known = (nil, 0) }
            return known.path
        }
        withExtendedLifetime(old) {}
        return true
    }

    override var path: SenderPath? { asked.path }
    override func since(_ known: UInt64) -> UInt64 { asked.since }

    private final var asked: (path: SenderPath?, since: UInt64) {
        if !isOfThisThread { isShared.store(true, ordering: .releasing) }
        if !isKnown.load(ordering: .acquiring) { putDown() }
        return known
    }
    /// Whether this thread's propagation makes the call.
    var isOfThisThread: Bool { true }
    /// Notes the senders, unless they are known.
    func putDown() {}
    /// Does something with this call and those that it is inside of.
    final func forEach(_ body: (CustomCall) -> Void) {
        var call = Unmanaged.passUnretained(self)
        while let outer = call._withUnsafeGuaranteedRef({ $0.outer }) {
            call._withUnsafeGuaranteedRef(body)
            call = outer
        }
    }
    /// Notes the senders that `find` finds, unless they are known.
    final func note(_ find: () -> (path: SenderPath?, since: UInt64)) {
        lock.withLock { _ in
            guard !isKnown.load(ordering: .relaxed) else { return }
            known = find()
            isKnown.store(true, ordering: .releasing)
        }
    }
    /// What the frames say, on any thread while `note` asks: the call's own waits for that before they go.
    final var pathOfFrames: SenderPath? {
        var path: SenderPath?
        var frame = bottom.unsafelyUnwrapped
        while frame < top.unsafelyUnwrapped {
            path = SenderPath(frame.pointee.vertex.takeUnretainedValue(), after: path)
            frame += 1
        }
        return path
    }
}
