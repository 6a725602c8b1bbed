/// Lets go of chains, however long, in little stack: what would be `deinit` inside `deinit`, a thousand deep, waits on a list.
///
/// Whoever holds what may hold nodes lets go of it here: a node of its edges, a vertex of its value, a lifetime of its
/// edges. A few of these go one inside the other, so that what a user's `deinit` lets go of has gone when the next line runs. What
/// lies deeper waits for the innermost of them, which works until nothing is left. They are but a few, as a processor foresees where
/// some thirty calls return to, and two stages of a chain take more.
final class Teardown {
    /// How many go one inside the other now.
    @exclusivity(unchecked) private var depth = 0
    private static let mostDepth = 3
    /// What waits. Objects are held. Unless `depth` is `mostDepth`, there is nothing.
    @exclusivity(unchecked) private var objects: [Unmanaged<AnyObject>] = []
    @exclusivity(unchecked) private var others: [Any] = []
    private static let threads = ThreadLocal { Teardown() }

    /// Lets go of one hold on an object. Its end may be the user's code: no lock is held.
    static func letGo(of held: Unmanaged<AnyObject>) {
        threads.current._withUnsafeGuaranteedRef { teardown in
            guard teardown.depth < mostDepth else { return teardown.objects.append(held) }
            teardown.work { held.release() }
        }
    }
    /// The same for any other value.
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
