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
    @usableFromInline let provider: SenderPathProvider?
    @usableFromInline let knownSince: UInt64

    /// Creates a list without senders.
    public init() { self.init(path: nil, since: 0) }
    init(path: SenderPath?, since: UInt64) {
        provider = path
        knownSince = since
    }
    /// Creates a list that asks `provider` for its senders when it is read.
    @inlinable init(_ provider: SenderPathProvider) {
        self.provider = provider
        knownSince = 0
    }
    /// The address of the provider, which identifies it.
    @inlinable var sourceAddress: UnsafeRawPointer? { unsafeBitCast(provider, to: UnsafeRawPointer?.self) }
    var path: SenderPath? { provider?.path }
    /// The beginning of the value; see `Epoch`.
    var since: UInt64 { provider?.since(knownSince) ?? 0 }

    /// Returns true if the value has passed `node`. O(n).
    public func contains(_ node: AnyNode) -> Bool { path?.contains(node.vertex) ?? false }
    /// Returns this list with `node` as the newest sender. O(1).
    public func appending(_ node: AnyNode) -> SenderList {
        SenderList(path: SenderPath(node.vertex, after: path), since: Epoch.namingStrangers(since))
    }
    /// The nodes that are still alive, newest first. O(n).
    public var senders: [AnyNode] { vertices.compactMap { $0.handle } }

    var vertices: [Vertex] { path?.vertices ?? [] }
}

extension Engine {
    /// The senders of the called edge's value, as users see them.
    var senderList: SenderList {
        let senders = senders
        return SenderList(path: trail.path(senders.entry), since: senders.since)
    }
    /// Adds a sender list, made elsewhere or earlier, to the trail.
    func addEntry(of senders: SenderList) -> TrailPosition {
        guard let path = senders.path else { return .none }
        // Epochs of different threads cannot be compared. So another thread's value begins here, and so does one that a
        // user sends with a list of his own, whose beginning is 0.
        let known = senders.since, since = known == 0 || isOthers(known) ? Epoch.loose(epoch, as: known) : known
        return TrailPosition(entry: trail.append(Trail.TrailEntry(path)), since: since)
    }
}
