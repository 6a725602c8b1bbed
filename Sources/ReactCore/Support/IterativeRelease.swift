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
