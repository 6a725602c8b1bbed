/// The value that a vertex held before a pulse came. It is kept while the vertex holds the pulse's value.
///
/// Invariant: the vertex holds a pulse's value exactly while its last visit is one of the two here.
struct DisplacedValue {
    /// The newest visit that a pulse has announced. Nothing is stored by it if the edge drops the value.
    var visit: UInt64
    /// The visit before that, if a pulse announced it too; otherwise 0.
    var earlierVisit: UInt64 = 0
    /// A copy of the value; `nil` if the vertex was empty.
    let value: Vertex?

    func isDisplaced(by visit: UInt64) -> Bool { visit == self.visit || visit == earlierVisit && visit != 0 }
}

extension Vertex {
    /// Keeps the present value until the pulse is over that is about to come by `visit`. Returns an earlier displaced
    /// value, which the caller releases without the lock. If another pulse's value is here already, the value from
    /// before both stays in place.
    ///
    /// The turn is this thread's, and the lock is held.
    final func displaceValue(by visit: UInt64, isOrigin: Bool) -> DisplacedValue? {
        if !isOrigin, let known = coldState?.displaced, known.isDisplaced(by: lastEpoch) {
            coldStateLocked.displaced = DisplacedValue(visit: visit, earlierVisit: lastEpoch, value: known.value)
            return nil
        }
        let old = coldState?.displaced.take()
        let copy = isOrigin || holdsNothing ? nil : copyOfValue()
        coldStateLocked.displaced = DisplacedValue(visit: visit, value: copy)
        return old
    }
}
