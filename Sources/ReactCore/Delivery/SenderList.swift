/// The nodes that a value has passed through, newest first.
///
/// Keeping one keeps no node alive: nodes that are gone are left out of `senders`. Their last values are kept, for the description.
///
///     let price = MutableNode<Int>().named("price"), lifetime = Lifetime()
///     let double = price.map { $0 * 2 }.named("double")
///     double.listened(by: lifetime).withSenderListAndContext { _, senders, _ in print(senders) }
///     price.value = 1     // Node(named: double, value: 2) -> Node(named: price, value: 1)
public struct SenderList: Sendable {
    @usableFromInline let source: SenderSource?
    @usableFromInline let knownSince: UInt64

    /// No senders.
    public init() { self.init(path: nil, since: 0) }
    init(path: SenderPath?, since: UInt64) {
        source = path
        knownSince = since
    }
    /// What `source` tells when it is asked.
    @inlinable init(_ source: SenderSource) {
        self.source = source
        knownSince = 0
    }
    /// What tells the source from others.
    @inlinable var place: UnsafeRawPointer? { unsafeBitCast(source, to: UnsafeRawPointer?.self) }
    var path: SenderPath? { source?.path }
    /// See `Senders`.
    var since: UInt64 { source?.since(knownSince) ?? 0 }

    /// Whether the value has passed through `node`. O(n).
    public func contains(_ node: AnyNode) -> Bool { path?.contains(node.vertex) ?? false }
    /// This list with `node` as the newest sender. O(1).
    public func appending(_ node: AnyNode) -> SenderList {
        SenderList(path: SenderPath(node.vertex, after: path), since: 0)
    }
    /// The nodes that are still alive, newest first. O(n).
    public var senders: [AnyNode] { vertices.compactMap { $0.handle } }

    /// An older list with what this one has beside it in front. O(1).
    func meeting(_ older: SenderList) -> SenderList {
        guard let path else { return older }
        guard let olderPath = older.path else { return self }
        return SenderList(path: SenderPath(nil, after: path, and: olderPath), since: 0)
    }
    var vertices: [Vertex] { path?.vertices ?? [] }
}

/// Where a list finds its senders: with them, or where they are put down when somebody asks.
///
/// Unchecked, because it has nothing that is stored, and those that have are safe from any thread.
@usableFromInline class SenderSource: @unchecked Sendable {
    var path: SenderPath? { preconditionFailure("abstract") }
    /// See `Senders`; `known` is what the list knows of it.
    func since(_ known: UInt64) -> UInt64 { known }
}

/// One sender and those before it: a list that shares its tail with the lists that it was made from. Where two ways met,
/// there are two tails.
///
/// Unchecked, because what it has is constant until its end.
@usableFromInline final class SenderPath: SenderSource, @unchecked Sendable {
    /// `nil` where two ways meet.
    let vertex: Vertex?
    /// Both are changed in `deinit` alone.
    nonisolated(unsafe) private(set) var previous: SenderPath?
    nonisolated(unsafe) private(set) var other: SenderPath?

    init(_ vertex: Vertex?, after previous: SenderPath?, and other: SenderPath? = nil) {
        self.vertex = vertex
        self.previous = previous
        self.other = other
    }
    /// Lets go of the tails in a loop, as far as nobody else holds them: they may be a million long.
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
    /// Whether there is nothing before the sender.
    var isOneSender: Bool { previous == nil && other == nil }
    /// Newest first, each vertex once; what the newer of two ways has beside the older one is newer than that.
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
        // What lies behind a sender comes before it: so each is looked at twice.
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
