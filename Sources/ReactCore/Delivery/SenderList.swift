/// The nodes that a value has passed through, newest first.
///
/// Keeping one keeps no node alive: nodes that are gone are left out of `senders`. Their last values are kept, for the description.
///
///     let price = MutableNode<Int>().named("price"), lifetime = Lifetime()
///     let double = price.map { $0 * 2 }.named("double")
///     double.listened(by: lifetime).withSenderListAndContext { _, senders, _ in print(senders) }
///     price.value = 1     // Node(named: double, value: 2) -> Node(named: price, value: 1)
public struct SenderList: Sendable, CustomStringConvertible {
    let path: SenderPath?
    /// See `Propagation.Senders`.
    let since: UInt64

    /// No senders.
    public init() {
        path = nil
        since = 0
    }
    init(path: SenderPath?, since: UInt64) {
        self.path = path
        self.since = since
    }

    /// Whether the value has passed through `node`. O(n).
    public func contains(_ node: AnyNode) -> Bool { path?.contains(node.vertex) ?? false }
    /// This list with `node` as the newest sender. O(1).
    public func appending(_ node: AnyNode) -> SenderList {
        SenderList(path: SenderPath(node.vertex, after: path), since: 0)
    }
    /// The nodes that are still alive, newest first. O(n).
    public var senders: [AnyNode] { vertices.compactMap { $0.handle } }
    /// The senders' descriptions, newest first, joined by ` -> `.
    public var description: String { vertices.map(\.description).joined(separator: " -> ") }

    /// An older list with what this one has beside it in front.
    func meeting(_ older: SenderList) -> SenderList {
        var seen = Set(older.vertices.map { ObjectIdentifier($0) })
        let newer = vertices.filter { seen.insert(ObjectIdentifier($0)).inserted }
        return SenderList(path: newer.reversed().reduce(older.path) { SenderPath($1, after: $0) }, since: 0)
    }
    private var vertices: [Vertex] { path?.vertices ?? [] }
}

/// One sender and those before it: a list that shares its tail with the lists that it was made from.
@usableFromInline final class SenderPath: Sendable {
    let vertex: Vertex
    /// Changed in `deinit` alone.
    nonisolated(unsafe) private(set) var previous: SenderPath?

    init(_ vertex: Vertex, after previous: SenderPath?) {
        self.vertex = vertex
        self.previous = previous
    }
    /// Lets go of the tail in a loop, as far as nobody else holds it: it may be a million long.
    deinit {
        var next = previous.take()
        while next != nil, isKnownUniquelyReferenced(&next) { next = next?.previous.take() }
    }

    /// Newest first.
    var vertices: [Vertex] { Array(sequence(first: self) { $0.previous }.lazy.map(\.vertex)) }
    func forEach(_ body: (UnsafeMutableRawPointer) -> Void) {
        for vertex in vertices { body(Unmanaged.passUnretained(vertex).toOpaque()) }
    }
    func contains(_ wanted: Vertex) -> Bool {
        var path: Unmanaged<SenderPath>? = .passUnretained(self)
        while let current = path {
            let found = current._withUnsafeGuaranteedRef { current in
                path = current.previous.map { .passUnretained($0) }
                return current.vertex === wanted
            }
            if found { return true }
        }
        return false
    }
}
