/// The late joins that a thread has yet to fire, and the joins downstream of them, which it holds back meanwhile.
///
/// A late join, such as `withLatest`, fires when neither an effect nor any other join is left to fire, because its
/// second value is to be the one at the end of the set. A join downstream of it would show one new and one old value if
/// it fired before. So a join that is about to fire searches upstream for a late join that is to fire
/// (`Engine.lateJoin(upstreamOf:)`). If there is one, it leaves the queue, and comes back when the late join leaves it.
///
/// Only vertices at or downstream of a late join are marked (`Vertex.isBelowLate`), and only these are searched. Of
/// these, only vertices at least as high as some late join that is to fire can be downstream of it, unless a cycle is
/// near. A vertex that has been searched in vain is not searched again until another late join is to fire, or the
/// thread connects an edge.
///
/// Invariant: the late join for which a join waits is in the queue.
struct JoinsHeldBack {
    /// The late joins in the queue, by their vertices, each with the joins that wait for it.
    private var waiting: [ObjectIdentifier: [Join]] = [:]
    /// The vertices of the joins that wait, each with the late join for which it waits.
    private var late: [ObjectIdentifier: ObjectIdentifier] = [:]
    /// At most the height of each late join in the queue.
    private var leastHeight = UInt32.max
    /// The numbers of vertices that are downstream of no late join in the queue.
    private var clear: Set<UInt> = []
    /// Changes when `clear` becomes outdated.
    private(set) var age: UInt = 0

    /// True if no late join is to fire.
    var isEmpty: Bool { waiting.isEmpty }

    /// Notes that a late join has come into the queue.
    mutating func begin(_ join: Join) {
        guard waiting.updateValue([], forKey: ObjectIdentifier(join.vertex)) == nil else { return }
        leastHeight = min(leastHeight, join.vertex.height)
        forgetClear()
    }
    /// Notes that a late join, which was the first in the queue, has left it. Returns the joins that have waited for
    /// it.
    mutating func end(_ join: Join, listedAt height: UInt32) -> [Join] {
        let joins = waiting.removeValue(forKey: ObjectIdentifier(join.vertex)) ?? []
        for join in joins { late[ObjectIdentifier(join.vertex)] = nil }
        leastHeight = isEmpty ? .max : height
        if isEmpty { forgetClear() }
        return joins
    }
    /// Holds a join back until the late join has left the queue whose vertex has the identity `found`. Returns false if
    /// that has left it.
    mutating func hold(_ join: Join, for found: ObjectIdentifier) -> Bool {
        guard waiting[found]?.append(join) != nil else { return false }
        late[ObjectIdentifier(join.vertex)] = found
        return true
    }
    /// Returns the late join that is to fire at a vertex, or for which the join of the vertex waits.
    func lateJoin(at vertex: Vertex) -> ObjectIdentifier? {
        let id = ObjectIdentifier(vertex)
        return waiting[id] != nil ? id : late[id]
    }
    /// Returns true if a vertex may be downstream of a late join that is to fire.
    func mayReach(_ vertex: Vertex) -> Bool {
        vertex.isBelowLate && (vertex.isBelowBackEdge || vertex.height >= leastHeight) && !clear.contains(vertex.serial)
    }
    /// Notes vertices that a search has found downstream of no late join in the queue. The search began at the `age`.
    mutating func noteClear(_ vertices: Set<UInt>, at age: UInt) {
        if age == self.age { clear.formUnion(vertices) }
    }
    /// Notes a connection that the thread has made.
    mutating func noteConnection() {
        if !isEmpty { forgetClear() }
    }
    private mutating func forgetClear() {
        clear = []
        age &+= 1
    }
}
