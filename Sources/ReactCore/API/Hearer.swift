/// Where a listen edge leads: what holds the edge, and who hears it.
///
/// Nothing of the user's goes with it: so the last hold may be let go of under a lock.
///
/// Unchecked, because nothing that is mutable is here.
class Hearer: @unchecked Sendable {
    /// Holds an edge, which nothing holds here yet, until its lifetime ends it. The lifetime is there.
    func hold(_ edge: AnyListenEdge, _ deferred: inout Deferred) { preconditionFailure("abstract") }
    /// Lets go of an edge, unless the lifetime is going, and has done so already.
    func letGo(of edge: AnyListenEdge, _ deferred: inout Deferred) { preconditionFailure("abstract") }
    /// Whether the edges are of the lifetime with these holdings.
    func isHeld(by holdings: Holdings) -> Bool { preconditionFailure("abstract") }
    /// Who hears the edge, unless it has gone. Under an edge's lock, what is found has to be held until after that.
    var listener: AnyObject? { preconditionFailure("abstract") }
    /// Whether delivery has to ask for the listener, as `LinkWord` says it.
    var mode: UInt64 { 0 }
}

/// A listener that is not a lifetime, but has one. All edges that lead there share it: to make a weak reference takes its time.
///
/// Unchecked, as `Hearer` is: what it has is constant, and the listener, which need not be `Sendable`, is only handed on.
final class LifetimeOwner: Hearer, @unchecked Sendable {
    private weak let object: AnyObject?
    private let holdings: Holdings
    private let ownMode: UInt64

    init(_ object: AnyObject, _ holdings: Holdings, _ mode: UInt64) {
        self.object = object
        self.holdings = holdings
        ownMode = mode
    }
    override func hold(_ edge: AnyListenEdge, _ deferred: inout Deferred) { holdings.hold(edge, &deferred) }
    override func letGo(of edge: AnyListenEdge, _ deferred: inout Deferred) { holdings.letGo(of: edge, &deferred) }
    override func isHeld(by other: Holdings) -> Bool { holdings === other }
    override var listener: AnyObject? { object }
    override var mode: UInt64 { ownMode }
}
