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
    @usableFromInline let source: SenderPathSource?
    @usableFromInline let knownSince: UInt64

    /// Creates a list without senders.
    public init() { self.init(path: nil, since: 0) }
    init(path: SenderPath?, since: UInt64) {
        source = path
        knownSince = since
    }
    /// Creates a list that asks `source` for its senders when it is read.
    @inlinable init(_ source: SenderPathSource) {
        self.source = source
        knownSince = 0
    }
    /// The address of the source, which identifies it.
    @inlinable var place: UnsafeRawPointer? { unsafeBitCast(source, to: UnsafeRawPointer?.self) }
    var path: SenderPath? { source?.path }
    /// The beginning of the value; see `TrailPosition`.
    var since: UInt64 { source?.since(knownSince) ?? 0 }

    /// Returns true if the value has passed `node`. O(n).
    public func contains(_ node: AnyNode) -> Bool { path?.contains(node.vertex) ?? false }
    /// Returns this list with `node` as the newest sender. O(1).
    public func appending(_ node: AnyNode) -> SenderList {
        SenderList(path: SenderPath(node.vertex, after: path), since: Epoch.loose(since))
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

extension Engine {
    /// The senders of the called edge's value, as users see them.
    var senderList: SenderList { senderList(senders) }
    /// Adds a sender list, made elsewhere or earlier, to the trail, as newer senders of a value that also has the
    /// trail `others`.
    func record(_ senders: SenderList, with others: TrailPosition = .none) -> TrailPosition {
        guard let path = senders.path else { return others }
        // Epochs of different threads cannot be compared. So another thread's value begins here, and so does one that a
        // user sends with a list of his own.
        let known = senders.since, since = known == 0 || isOthers(known) ? Epoch.loose(epoch) : known
        let entry = trail.append(Trail.TrailEntry(path))
        return TrailPosition(
            entry: trail.merge(entry, others.entry), since: Epoch.earlier(since, others.since))
    }
    func senderList(_ senders: TrailPosition) -> SenderList {
        SenderList(path: trail.path(senders.entry), since: senders.since)
    }
}
