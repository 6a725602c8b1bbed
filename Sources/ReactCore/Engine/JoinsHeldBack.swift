/// The joins after effects that a thread has yet to fire, and the joins downstream, which it holds back meanwhile.
///
/// A join after effects, such as `withLatest`, fires when neither an effect nor any other join is left to fire, because
/// its second value is to be the one at the end of the set. A join downstream of it would show one new and one old
/// value if it fired before. So a join that is about to fire searches upstream for a join after effects that is to fire
/// (`Engine.blocker(upstreamOf:)`). If there is one, it leaves the queue, and comes back when that one leaves it.
///
/// Only vertices at or downstream of a join after effects are flagged (`Vertex.mayBeHeldBack`), and only these are
/// searched. Of these, only vertices at least as high as some such join that is to fire can be downstream of it, unless
/// a cycle is near. A vertex that has been searched in vain is not searched again until another such join is to fire,
/// or the thread connects an edge.
///
/// Invariant: the join for which another one waits is in the queue.
struct JoinsHeldBack {
    /// The joins after effects in the queue, by their vertices, each with the joins that wait for it.
    private var waiting: [ObjectIdentifier: [Join]] = [:]
    /// The vertices of the joins that wait, each with the join for which it waits.
    private var blockers: [ObjectIdentifier: ObjectIdentifier] = [:]
    /// At most the height of each join after effects in the queue.
    private var leastHeight = UInt32.max
    /// The numbers of vertices that are downstream of no join after effects in the queue.
    private var clear: Set<UInt> = []
    /// Changes when `clear` becomes outdated.
    private(set) var age: UInt = 0

    /// True if no join after effects is to fire.
    var isEmpty: Bool { waiting.isEmpty }

    /// Notes that a join after effects has come into the queue.
    mutating func begin(_ join: Join) {
        guard waiting.updateValue([], forKey: ObjectIdentifier(join.vertex)) == nil else { return }
        leastHeight = min(leastHeight, join.vertex.height)
        forgetClear()
    }
    /// Notes that a join after effects, which was the first in the queue, has left it. Returns the joins that have
    /// waited for it.
    mutating func end(_ join: Join, listedAt height: UInt32) -> [Join] {
        let joins = waiting.removeValue(forKey: ObjectIdentifier(join.vertex)) ?? []
        for join in joins { blockers[ObjectIdentifier(join.vertex)] = nil }
        leastHeight = isEmpty ? .max : height
        if isEmpty { forgetClear() }
        return joins
    }
    /// Holds a join back until the one has left the queue whose vertex has the identity `found`. Returns false if
    /// that has left it.
    mutating func hold(_ join: Join, for found: ObjectIdentifier) -> Bool {
        guard waiting[found]?.append(join) != nil else { return false }
        blockers[ObjectIdentifier(join.vertex)] = found
        return true
    }
    /// Returns the join after effects that is to fire at a vertex, or for which the join of the vertex waits.
    func blocker(at vertex: Vertex) -> ObjectIdentifier? {
        let id = ObjectIdentifier(vertex)
        return waiting[id] != nil ? id : blockers[id]
    }
    /// Returns true if a vertex may be downstream of a join after effects that is to fire.
    func mayReach(_ vertex: Vertex) -> Bool {
        vertex.mayBeHeldBack && (vertex.isAfterBackEdge || vertex.height >= leastHeight)
            && !clear.contains(vertex.serial)
    }
    /// Notes vertices that a search has found downstream of no join after effects in the queue. It began at the `age`.
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
