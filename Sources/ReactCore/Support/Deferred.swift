/// Deferred releases: what a change of the graph lets go of. Letting go may run a `deinit` of the user's, so it waits until no
/// lock is held.
///
/// Invariant: `first` is `nil` only where nothing was taken.
@usableFromInline struct Deferred {
    private var first: AnyObject?
    private var second: AnyObject?
    private var more: [AnyObject]?

    @usableFromInline init() {}

    var isEmpty: Bool { first == nil }
    @inline(__always) mutating func take(_ object: consuming AnyObject) {
        if first == nil { first = consume object } else { takeMore(object) }
    }
    @inline(__always) mutating func take(_ other: consuming Deferred) {
        if isEmpty { self = consume other } else { takeMore(other) }
    }
    /// Gives `object` back, if that was taken first.
    @inline(__always) mutating func giveBack<Object: AnyObject>(_ object: Object) -> Object? {
        guard first === object, let held = first.take() else { return nil }
        first = second.take()
        return unsafeDowncast(held, to: Object.self)
    }
    @inline(never) private mutating func takeMore(_ object: AnyObject) {
        if second == nil {
            second = object
        } else if more?.append(object) == nil {
            more = [object]
        }
    }
    @inline(never) private mutating func takeMore(_ other: consuming Deferred) {
        if let object = other.first { take(object) }
        if let object = other.second { take(object) }
        other.more?.forEach { take($0) }
    }
}
