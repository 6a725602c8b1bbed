/// The joins that a thread has set aside in a firing phase, because other threads hold them. They are left to those
/// threads when nothing else is left to fire.
///
/// A join downstream of one of them is set aside, too, when it is about to fire. It would show one new and one old
/// value otherwise. The joins form groups, and each group is left to one thread. Two joins are in one group if a vertex
/// is downstream of both.
///
/// The search downstream visits each vertex once, however many joins are set aside.
struct JoinsSetAside {
    private(set) var joins: [JoinBase] = []
    /// The place in `joins` of an earlier join of the same group. The first one of a group has its own place.
    private var next: [Int] = []
    /// The vertices at and downstream of these joins. Each is retained, so that no other object gets its identifier.
    private var reached: [ObjectIdentifier: (vertex: Vertex, place: Int)] = [:]

    var isEmpty: Bool { joins.isEmpty }

    /// Sets a join aside, and searches downstream of it. No lock is held.
    mutating func insert(_ join: JoinBase) {
        append(join)
        search(from: join.vertex, for: joins.count - 1)
    }
    /// Sets a join aside if it is downstream of another one. Returns whether it is.
    mutating func insertIfDownstream(_ join: JoinBase) -> Bool {
        guard let place = reached[ObjectIdentifier(join.vertex)]?.place else { return false }
        append(join)
        unite(joins.count - 1, place)
        return true
    }
    /// Notes a new connection. Returns whether it makes `target` a vertex downstream of one of the joins.
    @discardableResult mutating func connect(_ source: Vertex, to target: Vertex) -> Bool {
        guard let place = reached[ObjectIdentifier(source)]?.place else { return false }
        search(from: target, for: place)
        return true
    }
    /// Returns the joins of each group, in the order in which they were set aside.
    mutating func groups() -> [[JoinBase]] {
        var groups: [[JoinBase]] = []
        var indices = Array(repeating: 0, count: joins.count)
        for (place, join) in joins.enumerated() {
            let first = first(of: place)
            if first == place {
                indices[first] = groups.count
                groups.append([join])
            } else {
                groups[indices[first]].append(join)
            }
        }
        return groups
    }
    private mutating func append(_ join: JoinBase) {
        next.append(joins.count)
        joins.append(join)
    }
    /// Visits the vertices at and downstream of `first`. Takes the lock of one after the other.
    private mutating func search(from first: Vertex, for place: Int) {
        var waiting = [first]
        while let vertex = waiting.popLast() {
            if let other = reached.updateValue((vertex, place), forKey: ObjectIdentifier(vertex)) {
                unite(place, other.place)
            } else {
                vertex.locking { vertex.addTargets(to: &waiting) }
            }
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

extension Vertex {
    /// Adds the targets of the transforms that leave from here. The lock is held.
    final func addTargets(to targets: inout [Vertex]) {
        transforms.forEach { edge in
            if let target = edge.target.load(ordering: .acquiring) { targets.append(target.takeUnretainedValue()) }
        }
    }
}
