/// The source of a list's senders: either the senders themselves, or a call under way that finds them when it is asked.
///
/// Unchecked, because this class stores nothing, and its subclasses are safe from any thread.
@usableFromInline class SenderPathProvider: @unchecked Sendable {
    var path: SenderPath? { preconditionFailure("abstract") }
    /// Returns the beginning of the value (see `Epoch`), given the one that the list knows.
    func since(_ known: UInt64) -> UInt64 { known }
}

/// One sender and those before it: a linked list that shares its tail with the lists it was made from. At a merge of
/// two trails, it has two tails. A search takes a long list's senders from an index.
///
/// Unchecked, because its content does not change until `deinit`.
@usableFromInline final class SenderPath: SenderPathProvider, @unchecked Sendable {
    /// The sender; `nil` at a merge of two trails.
    let vertex: Vertex?
    /// Both change only in `deinit`.
    nonisolated(unsafe) private(set) var previous: SenderPath?
    nonisolated(unsafe) private(set) var other: SenderPath?
    /// The index of this path; `nil` if one that is at most 31 steps behind has one, or if the path is short. Set in
    /// `init`.
    nonisolated(unsafe) private var index: SenderIndex?
    /// The length of the longest way back.
    private let depth: Int
    /// The number of steps on the way back before there is an index.
    private let stepsToIndex: Int

    init(_ vertex: Vertex?, after previous: SenderPath?, and other: SenderPath? = nil) {
        self.vertex = vertex
        self.previous = previous
        self.other = other
        depth = max(previous?.depth ?? 0, other?.depth ?? 0) + 1
        if let vertex, let previous, other == nil, previous.index?.add(vertex, behind: previous.depth) == true {
            index = previous.index
            stepsToIndex = 0
        } else {
            stepsToIndex = (max(previous?.stepsToIndex ?? 0, other?.stepsToIndex ?? 0) + 1) % 32
        }
        super.init()
        if index == nil, stepsToIndex == 0 { index = SenderIndex(of: vertices, depth: depth) }
    }
    /// Releases the tails in a loop, as far as nobody else retains them, because they may be a million long.
    deinit {
        var next = previous.take()
        var more = other.take().map { [$0] } ?? []
        while true {
            while next != nil, isKnownUniquelyReferenced(&next) {
                if let other = next?.other.take() { more.append(other) }
                next = next?.previous.take()
            }
            guard let other = more.popLast() else { return }
            next = other
        }
    }

    override var path: SenderPath? { self }
    /// True if the path has no senders before this one.
    var isOneSender: Bool { previous == nil && other == nil }
    /// The senders, newest first, each once. At a merge, the senders of `previous` that `other` does not have are newer
    /// than those of `other`.
    var vertices: [Vertex] {
        var vertices: [Vertex] = []
        var path: SenderPath? = self
        while let current = path {
            if current.other != nil { return verticesOfBothWays }
            if let vertex = current.vertex { vertices.append(vertex) }
            path = current.previous
        }
        return vertices
    }
    private var verticesOfBothWays: [Vertex] {
        var oldestFirst: [Vertex] = []
        var seen: Set<ObjectIdentifier> = []
        // The senders behind an entry come before it in the result, so each entry is visited twice.
        var waiting = [(path: Unmanaged.passUnretained(self), isReached: false)]
        var found: Set<UnsafeMutableRawPointer> = []
        while let (path, isReached) = waiting.popLast() {
            path._withUnsafeGuaranteedRef { path in
                if isReached {
                    if let vertex = path.vertex, seen.insert(ObjectIdentifier(vertex)).inserted {
                        oldestFirst.append(vertex)
                    }
                } else if found.insert(Unmanaged.passUnretained(path).toOpaque()).inserted {
                    waiting.append((.passUnretained(path), true))
                    if let previous = path.previous { waiting.append((.passUnretained(previous), false)) }
                    if let other = path.other { waiting.append((.passUnretained(other), false)) }
                }
            }
        }
        return oldestFirst.reversed()
    }
    /// Returns true if the value has passed a vertex.
    ///
    /// - Complexity: O(*k*) for *k* senders and merges on the ways back to where there are indices.
    func contains(_ wanted: Vertex) -> Bool {
        var path: SenderPath? = self
        while let current = path {
            if let index = current.index { return index.contains(wanted, upTo: current.depth) }
            if current.vertex === wanted { return true }
            if current.other != nil { return current.anyWayContains(wanted) }
            path = current.previous
        }
        return false
    }
    private func anyWayContains(_ wanted: Vertex) -> Bool {
        var (waiting, seen) = ([self], Set<ObjectIdentifier>())
        defer { Steps.count(seen.count) }
        while let path = waiting.popLast() {
            guard seen.insert(ObjectIdentifier(path)).inserted else { continue }
            if path.vertex === wanted { return true }
            if let index = path.index {
                if index.contains(wanted, upTo: path.depth) { return true }
            } else {
                waiting += [path.previous, path.other].compactMap(\.self)
            }
        }
        return false
    }
}
