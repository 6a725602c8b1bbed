/// The nodes that a value has passed, newest first.
///
/// A list keeps no node alive: `senders` leaves out nodes that are gone. The list keeps their last values for its
/// description. It can be used on any thread, at any time.
///
///     let price = MutableNode<Int>().named("price"), lifetime = Lifetime()
///     let double = price.map { $0 * 2 }.named("double")
///     double.listened(by: lifetime).withSenderListAndContext { _, senders, _ in print(senders) }
///     price.value = 1     // Node(named: double, value: 2) -> Node(named: price, value: 1)
public struct SenderList: Sendable {
    @usableFromInline let source: SenderSource?
    @usableFromInline let knownSince: UInt64

    /// Creates a list without senders.
    public init() { self.init(path: nil, since: 0) }
    init(path: SenderPath?, since: UInt64) {
        source = path
        knownSince = since
    }
    /// Creates a list that asks `source` for its senders when it is read.
    @inlinable init(_ source: SenderSource) {
        self.source = source
        knownSince = 0
    }
    /// The address of the source, which identifies it.
    @inlinable var place: UnsafeRawPointer? { unsafeBitCast(source, to: UnsafeRawPointer?.self) }
    var path: SenderPath? { source?.path }
    /// An epoch before the first sender's; see `TrailPosition`.
    var since: UInt64 { source?.since(knownSince) ?? 0 }

    /// Returns true if the value has passed `node`. O(n).
    public func contains(_ node: AnyNode) -> Bool { path?.contains(node.vertex) ?? false }
    /// Returns this list with `node` as the newest sender. O(1).
    public func appending(_ node: AnyNode) -> SenderList {
        SenderList(path: SenderPath(node.vertex, after: path), since: 0)
    }
    /// The nodes that are still alive, newest first. O(n).
    public var senders: [AnyNode] { vertices.compactMap { $0.handle } }

    /// Returns the list of a value that is made of two: this list's senders are newer than those of `older`. O(1).
    func meeting(_ older: SenderList) -> SenderList {
        guard let path else { return older }
        guard let olderPath = older.path else { return self }
        return SenderList(path: SenderPath(nil, after: path, and: olderPath), since: 0)
    }
    var vertices: [Vertex] { path?.vertices ?? [] }
}

/// The source of a list's senders: either the senders themselves, or a call under way that finds them when it is asked.
///
/// Unchecked, because this class stores nothing, and its subclasses are safe from any thread.
@usableFromInline class SenderSource: @unchecked Sendable {
    var path: SenderPath? { preconditionFailure("abstract") }
    /// Returns an epoch before the first sender's (see `TrailPosition`), given the epoch that the list knows.
    func since(_ known: UInt64) -> UInt64 { known }
}

/// One sender and those before it: a linked list that shares its tail with the lists it was made from. At a merge of
/// two trails, it has two tails.
///
/// Unchecked, because its content does not change until `deinit`.
@usableFromInline final class SenderPath: SenderSource, @unchecked Sendable {
    /// The sender; `nil` at a merge of two trails.
    let vertex: Vertex?
    /// Both change only in `deinit`.
    nonisolated(unsafe) private(set) var previous: SenderPath?
    nonisolated(unsafe) private(set) var other: SenderPath?

    init(_ vertex: Vertex?, after previous: SenderPath?, and other: SenderPath? = nil) {
        self.vertex = vertex
        self.previous = previous
        self.other = other
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
    func contains(_ wanted: Vertex) -> Bool {
        var path: SenderPath? = self
        while let current = path {
            if current.vertex === wanted { return true }
            if current.other != nil { return verticesOfBothWays.contains { $0 === wanted } }
            path = current.previous
        }
        return false
    }
}

extension Engine {
    /// The senders of the called edge's value, as users see them.
    var senderList: SenderList { senderList(senders) }
    /// Adds a sender list, made elsewhere or earlier, to the trail, as newer senders of a value that also has the
    /// trail `others`.
    func record(_ senders: SenderList, with others: TrailPosition = .none) -> TrailPosition {
        guard let path = senders.path else { return others }
        // A join compares the epochs of all its arrivals, and epochs of different threads cannot be compared.
        let since = isOthers(senders.since) ? Epoch.elsewhere : senders.since
        let origin = InputOrigin(source: nil, before: visits.append(Trail.TrailEntry(path)))
        return TrailPosition(visit: origin.record(in: &visits, with: others.visit), since: min(since, others.since))
    }
    func senderList(_ senders: TrailPosition) -> SenderList {
        SenderList(path: visits.path(senders.visit), since: senders.since)
    }
}
