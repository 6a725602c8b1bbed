/// Deferred releases: what a change of the graph lets go of. Letting go may run a `deinit` of the user's, so it waits until no
/// lock is held: the end of the `Deferred` lets go, in the order in which things were taken.
///
/// Most changes take nothing, or one thing, and are made for each value: so nothing is asked of the runtime for what is not there.
///
/// Invariants: each object is held; `first` is `nil` only where nothing was taken, `second` only where `more` is.
@usableFromInline package struct Deferred: ~Copyable {
    private var first: Unmanaged<AnyObject>?
    private var second: Unmanaged<AnyObject>?
    private var more: Unmanaged<Objects>?

    /// A third object, and those after it.
    private final class Objects { var all: [AnyObject] = [] }

    @usableFromInline init() {}
    deinit {
        guard let first else { return }
        first.release()
        guard let second else { return }
        second.release()
        more?.release()
    }

    var isEmpty: Bool { first == nil }
    @inline(__always) package mutating func take(_ object: consuming AnyObject) {
        if first == nil { first = .passRetained(consume object) } else { takeMore(consume object) }
    }
    @inline(__always) mutating func take(_ other: consuming Deferred) {
        if isEmpty { self = consume other } else { takeMore(consume other) }
    }
    /// Gives `object` back, if that was taken first, and one other at most after it.
    @inline(__always) mutating func giveBack<Object: AnyObject>(_ object: Object) -> Object? {
        guard more == nil, let held = first, held.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
        else { return nil }
        first = second.take()
        return unsafeDowncast(held.takeRetainedValue(), to: Object.self)
    }
    @inline(never) private mutating func takeMore(_ object: consuming AnyObject) {
        guard second != nil else { return second = .passRetained(consume object) }
        if more == nil { more = .passRetained(Objects()) }
        more?.takeUnretainedValue().all.append(object)
    }
    @inline(never) private mutating func takeMore(_ other: consuming Deferred) {
        if let object = other.first.take() { take(object.takeRetainedValue()) }
        if let object = other.second.take() { take(object.takeRetainedValue()) }
        if let objects = other.more.take()?.takeRetainedValue() { objects.all.forEach { take($0) } }
    }
}
