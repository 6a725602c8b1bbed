/// Lets go of chains, however long, in little stack: what would be `deinit` inside `deinit`, a thousand deep, waits on a list.
///
/// Whoever holds what may hold nodes lets go of it here: a node of its edges, a vertex of its value, a lifetime of its
/// edges. What lies deeper waits for the outermost on the thread, which works until nothing is left. So all has gone when that
/// returns. Not even a few go one inside the other: a processor foresees where some thirty calls return to, and two stages take
/// more.
final class Teardown {
    @exclusivity(unchecked) private var isUnderWay = false
    /// What waits. Objects are held.
    @exclusivity(unchecked) private var objects: [Unmanaged<AnyObject>] = []
    @exclusivity(unchecked) private var others: [Any] = []
    private static let threads = ThreadLocal { Teardown() }

    /// Lets go of one hold on an object. Its end may be the user's code: no lock is held.
    static func letGo(of held: Unmanaged<AnyObject>) {
        threads.current._withUnsafeGuaranteedRef { teardown in
            guard !teardown.isUnderWay else { return teardown.objects.append(held) }
            teardown.work { held.release() }
        }
    }
    /// The same for any other value.
    static func letGo<Held>(of held: consuming Held) {
        var held: Held? = consume held
        threads.current._withUnsafeGuaranteedRef { teardown in
            if teardown.isUnderWay {
                teardown.others.append(held as Any)
            } else {
                teardown.work { held = nil }
            }
        }
    }
    @inline(__always) private func work(_ begin: () -> Void) {
        isUnderWay = true
        begin()
        while true {
            if let object = objects.popLast() {
                object.release()
            } else if others.popLast() == nil {
                break
            }
        }
        isUnderWay = false
    }
}
