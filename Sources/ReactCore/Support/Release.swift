/// Deferred releases: the objects that a change of the graph removes. Releasing one may run user code in a `deinit`. So
/// the objects are released when the `DeferredReleases` ends, which is after all locks, in the order in which they were
/// taken.
///
/// Most changes take one object or none, and are made for each value. So an empty field costs no call of the runtime.
///
/// Invariants: each object is held. `first` is `nil` only if nothing was taken; if `second` is `nil`, so is `more`.
@usableFromInline package struct DeferredReleases: ~Copyable {
    private var first: Unmanaged<AnyObject>?
    private var second: Unmanaged<AnyObject>?
    private var more: Unmanaged<Objects>?

    /// The third object, and those after it.
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
    @inline(__always) mutating func take(_ other: consuming DeferredReleases) {
        if isEmpty { self = consume other } else { takeMore(consume other) }
    }
    /// Gives `object` back, if it was taken first, and at most one other after it. That saves `flattenMap` 2 of its 18
    /// atomic instructions.
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
    @inline(never) private mutating func takeMore(_ other: consuming DeferredReleases) {
        if let object = other.first.take() { take(object.takeRetainedValue()) }
        if let object = other.second.take() { take(object.takeRetainedValue()) }
        if let objects = other.more.take()?.takeRetainedValue() { objects.all.forEach { take($0) } }
    }
}

/// Releases chains of any length in little stack. Instead of `deinit` inside `deinit`, a thousand deep, objects wait on
/// a list.
///
/// An object that may hold nodes is released here: the edges of a node, the value of a vertex, the edges of a lifetime.
/// A few levels are released directly, so that an object that a user's `deinit` releases has gone when the next line
/// runs. Deeper levels wait on the list for the innermost of these calls, which works until the list is empty.
///
/// The direct levels are few, because a processor predicts the returns of about thirty nested calls, and two stages of
/// a chain take more.
final class IterativeRelease {
    /// The number of direct levels in progress.
    @exclusivity(unchecked) private var depth = 0
    private static let mostDepth = 3
    /// The list of waiting objects, which are held. While `depth` is below `mostDepth`, it is empty.
    @exclusivity(unchecked) private var objects: [Unmanaged<AnyObject>] = []
    @exclusivity(unchecked) private var others: [Any] = []
    private static let threads = ThreadLocal { IterativeRelease() }

    /// Releases one reference to an object. That may run user code, so no lock is held.
    static func letGo(of held: Unmanaged<AnyObject>) {
        threads.current._withUnsafeGuaranteedRef { teardown in
            guard teardown.depth < mostDepth else { return teardown.objects.append(held) }
            teardown.work { held.release() }
        }
    }
    /// Releases any other value. That may run user code, so no lock is held.
    static func letGo<Held>(of held: consuming Held) {
        var held: Held? = consume held
        threads.current._withUnsafeGuaranteedRef { teardown in
            if teardown.depth == mostDepth {
                teardown.others.append(held as Any)
            } else {
                teardown.work { held = nil }
            }
        }
    }
    @inline(__always) private func work(_ begin: () -> Void) {
        depth &+= 1
        begin()
        while true {
            if let object = objects.popLast() {
                object.release()
            } else if others.popLast() == nil {
                break
            }
        }
        depth &-= 1
    }
}
