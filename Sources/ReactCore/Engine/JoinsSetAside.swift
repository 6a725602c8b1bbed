/// The joins that a thread has set aside in a firing phase, because other threads hold them. They are left to those
/// threads when nothing else is left to fire.
///
/// A join downstream of one of them is set aside, too, when it is about to fire. It would show one new and one old
/// value otherwise. The joins form groups, and each group is left to one thread. Two joins are in one group if a vertex
/// is downstream of both.
///
/// The search downstream visits each vertex once, however many joins are set aside. It follows the connections that
/// this thread makes later. Those that another thread makes in the meantime are not followed.
struct JoinsSetAside {
    private(set) var joins: [JoinBase] = []
    /// The place in `joins` of an earlier join of the same group. The first one of a group has its own place.
    private var next: [Int] = []
    /// The vertices at and downstream of these joins, in the order in which they were found. Each is retained, so that
    /// no other object gets its identifier.
    private var reached: [Vertex] = []
    /// The place in `joins` of a join that each of these vertices is downstream of.
    private var places: [ObjectIdentifier: Int] = [:]
    /// The connections that the thread has made meanwhile, and the number of those that the search has followed.
    private var connections: [(source: Vertex, target: Vertex)] = []
    private var followed = 0

    var isEmpty: Bool { joins.isEmpty }

    /// Sets a join aside, and searches downstream of it. No lock is held.
    mutating func insert(_ join: JoinBase) {
        if isEmpty { Connection.areNoted.store(true, ordering: .relaxed) }
        append(join)
        search(from: join.vertex, for: joins.count - 1)
    }
    /// Sets a join aside if it is downstream of another one here. Returns whether it is. The join's lock is held.
    mutating func insertIfReached(_ join: JoinBase) -> Bool {
        guard let place = places[ObjectIdentifier(join.vertex)] else { return false }
        append(join)
        unite(joins.count - 1, place)
        return true
    }
    /// Returns true if a vertex is at or downstream of one of the joins.
    func reaches(_ vertex: Vertex) -> Bool { places[ObjectIdentifier(vertex)] != nil }

    /// Searches downstream of the new connections. Releases nothing, because that may run user code. No lock is held.
    @inline(__always) mutating func followConnections() {
        if !isEmpty { followNewConnections() }
    }
    @inline(never) private mutating func followNewConnections() {
        for (source, target) in connections[followed...] {
            if let place = places[ObjectIdentifier(source)] { search(from: target, for: place) }
        }
        followed = connections.count
    }
    /// Notes a connection that the thread has made, while joins are set aside.
    mutating func note(_ connection: (source: Vertex, target: Vertex)) {
        if !isEmpty { connections.append(connection) }
    }
    /// Removes all joins, and returns them. The caller releases the result when no lock is held.
    mutating func take() -> JoinsSetAside {
        defer { self = JoinsSetAside() }
        return self
    }
    /// The joins by group. The groups, and the joins of a group, are in the order of being set aside. O(joins).
    mutating func groups() -> [[JoinBase]] {
        var groups = [[JoinBase]](repeating: [], count: joins.count)
        for (place, join) in joins.enumerated() { groups[first(of: place)].append(join) }
        return groups.filter { !$0.isEmpty }
    }
    private mutating func append(_ join: JoinBase) {
        next.append(joins.count)
        joins.append(join)
    }
    /// Visits the vertices at and downstream of `first`. Takes the lock of one after the other.
    private mutating func search(from first: Vertex, for place: Int) {
        var next = reached.count
        reach(first, for: place)
        while next < reached.count {
            let vertex = reached[next]
            vertex.locking {
                vertex.transforms.forEach { edge in
                    let target = edge.target.load(ordering: .acquiring)
                    if let target { reach(target.takeUnretainedValue(), for: place) }
                }
            }
            next += 1
        }
    }
    private mutating func reach(_ vertex: Vertex, for place: Int) {
        if let other = places.updateValue(place, forKey: ObjectIdentifier(vertex)) {
            unite(place, other)
        } else {
            reached.append(vertex)
        }
    }
    /// Returns the place of the first join of the group.
    private mutating func first(of place: Int) -> Int {
        var place = place
        while next[place] != place {
            next[place] = next[next[place]]
            place = next[place]
        }
        return place
    }
    private mutating func unite(_ one: Int, _ other: Int) {
        let (one, other) = (first(of: one), first(of: other))
        next[max(one, other)] = min(one, other)
    }
}
