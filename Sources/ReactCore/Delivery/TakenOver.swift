// What is taken over of another thread's set that is still under way belongs to that set, though the thread will not come by here:
// what is made of it, and of what that thread has yet to make anew, waits for the end of the set.

extension Vertex {
    /// When another thread set what the vertex holds, or took over; 0 where none did. The lock is held.
    final func timeElsewhere(than propagation: Propagation) -> UInt64 {
        propagation.isOthers(visited) ? visited : rare?.takenOver ?? 0
    }
    /// Notes that what the vertex holds, or is to hold, belongs to what another thread set at `time`.
    final func note(takenOver time: UInt64) { locking { rareLocked.takenOver = time } }
}

extension Propagation {
    /// Whether a time belongs to a set of another thread's that is still under way.
    func isOpenElsewhere(_ time: UInt64) -> Bool {
        isOthers(time) && Propagation.of(time).finished.load(ordering: .acquiring) < time
    }
}
