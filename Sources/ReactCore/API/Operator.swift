/// What operators stand on: a new node, and an edge to it that is all in one closure.
///
/// The closure is made in the operator, which is `@inlinable`, so that it is compiled for the value types in the module
/// that uses it; nothing that is generic runs when a value travels.
///
///     extension Node {
///         @inlinable public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> Node<Output> {
///             following("Map") {
///                 let delivery = Delivery<Value, Output>($0)
///                 return delivery.send(transform(delivery.value))
///             }
///         }
///     }
extension Node {
    /// A new immutable node, downstream of this one by an edge named `name`.
    ///
    /// `forward` is called with every value, one at a time, with no lock held.
    @inlinable @inline(__always) package func following<Output>(
        _ name: StaticString, _ forward: @escaping @Sendable (RawDelivery) -> Sent
    ) -> Node<Output> {
        following(by: OperatorTransform(name: name, forward: forward))
    }
    /// The same by an edge that nobody else knows.
    @inlinable @inline(__always) package func following<Output>(by transform: Transform<Value, Output>) -> Node<Output>
    {
        let node = MutableNode<Output>(immutable: nil)
        node.follow(self, by: transform)
        return node
    }
    /// The same as `following` for an operator that remembers something.
    @inlinable package func following<Output>(
        _ name: StaticString, state: any OperatorState, _ forward: @escaping @Sendable (RawDelivery) -> Sent
    ) -> Node<Output> {
        following(by: StatefulTransform(name: name, state: state, forward: forward))
    }
    /// Adds an edge from `upstream`, by an operator that remembers something, to this node, which is the operator's.
    @inlinable package func follow<Input>(
        _ upstream: Node<Input>, _ name: StaticString, state: any OperatorState,
        _ forward: @escaping @Sendable (RawDelivery) -> Sent
    ) {
        follow(upstream, by: StatefulTransform<Input, Value>(name: name, state: state, forward: forward))
    }
    /// Links this new node to `upstream` by a transform that nobody else knows.
    @usableFromInline package func follow<Input>(_ upstream: Node<Input>, by transform: Transform<Input, Value>) {
        transform.connect(from: upstream, to: self)
    }
}

/// The edge of an operator, which is all in its closure. Unchecked, as `AnyEdge` is: it adds nothing that is stored.
@usableFromInline
package class OperatorTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>,
    @unchecked Sendable
{
    @inlinable override package init(name: StaticString, forward: @escaping @Sendable (RawDelivery) -> Sent) {
        super.init(name: name, forward: forward)
    }
    override var heedsSource: Bool { false }
    override func linkingHasEnded(_ linking: Linking) {}
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { .nothing }
    override var keepsNothing: Bool { true }
}

/// The edge of an operator that passes on a part of each value, as it is. Unchecked, as `AnyEdge` is: it adds nothing that is stored.
@usableFromInline
package final class PartTransform<Input: Sendable, Output: Sendable>: OperatorTransform<Input, Output>,
    @unchecked Sendable
{
    override package var passesOn: Bool { true }
}

/// The edge that leads from a whole to a part of it which is a node of its own. Unchecked, as `AnyEdge` is: it adds nothing that is
/// stored.
package final class FocusTransform<Whole: Sendable, Part: Sendable>: Transform<Whole, Part>, @unchecked Sendable {
    package override init(name: StaticString, forward: @escaping @Sendable (RawDelivery) -> Sent) {
        super.init(name: name, forward: forward)
    }
    override package var passesOn: Bool { true }
}

/// The edge by which an operator hears that something has happened, and no value travels. Unchecked, as `AnyEdge` is: it adds nothing
/// that is stored.
@usableFromInline
package final class SignalTransform<Input: Sendable, Output: Sendable>: OperatorTransform<Input, Output>,
    @unchecked Sendable
{
    override package var bringsValues: Bool { false }
    override package var passesOn: Bool { false }
}

/// What an operator remembers between values.
///
/// An operator's edge is called for one value at a time; but it may be given another end, or be cut, while another thread is
/// still in the call for an earlier value. So what is remembered belongs to the linking that it came by, and is initial
/// for any other; and `Delivery.isCurrent`, asked under the state's lock, tells whether what was made of the old state may
/// still be written.
@usableFromInline package protocol OperatorState: AnyObject, Sendable {
    /// Puts aside what came by the linking that there is, which ends. Called under the lock of what the edge leads to: so what is
    /// guarded by that (see `Delivery.whileCurrent`) ends in the same step.
    func linkingEnds()
    /// Lets go of what came by `linking`, which has ended. There may be a later one by now, whose values stay.
    func forget(_ linking: Linking)
    /// Called when `from` was emptied.
    func emptied(_ delivery: RawDelivery) -> Sent
    /// How many values wait for a partner, where the operator lets values wait.
    var waitingCount: Int? { get }
    /// Whether the operator sends nothing before a value has come here.
    var isWaitedFor: Bool { get }
    /// Whether that value has yet to come, where the operator does so.
    var missesValue: Bool { get }
    /// Whether nothing that the operator has sent, nor anything that this was made of, is kept here.
    var keepsNothing: Bool { get }
}
extension OperatorState {
    @usableFromInline package func linkingEnds() {}
    @usableFromInline package func forget(_ linking: Linking) {}
    @usableFromInline package func emptied(_ delivery: RawDelivery) -> Sent { .nothing }
    @usableFromInline package var waitingCount: Int? { nil }
    @usableFromInline package var isWaitedFor: Bool { false }
    @usableFromInline package var missesValue: Bool { false }
    @usableFromInline package var keepsNothing: Bool { false }
}

/// The edge of an operator that remembers something. Unchecked, as `AnyEdge` is: it adds a constant.
@usableFromInline
package final class StatefulTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>,
    @unchecked Sendable
{
    private let state: any OperatorState

    /// A transform with no ends yet.
    @usableFromInline package init(
        name: StaticString, state: any OperatorState, forward: @escaping @Sendable (RawDelivery) -> Sent
    ) {
        self.state = state
        super.init(name: name, forward: forward)
    }
    override var heedsSource: Bool { false }
    override func linkingEnds() { state.linkingEnds() }
    override func linkingHasEnded(_ linking: Linking) { state.forget(linking) }
    override package var waitingCount: Int? { state.waitingCount }
    override package var isWaitedFor: Bool { state.isWaitedFor }
    override package var missesValue: Bool { state.missesValue }
    override var keepsNothing: Bool { state.keepsNothing }
    override package var passesOn: Bool { true }
    override func forwardEmpty(_ delivery: RawDelivery) -> Sent { state.emptied(delivery) }
}

// What belongs to one linking of an edge, for those who keep values and send them later.

extension AnyEdge {
    /// The linking by which the value came with which `next` is called. To be asked in `next`, before anything else there
    /// can send a value.
    package final var linkingOfCall: Linking { Linking(number: Propagation.current.call.number) }
    /// True if a pulse brings the value that the edge is being called with. Precondition: it is being called.
    package final var isCalledByPulse: Bool {
        let propagation = Propagation.current
        return propagation.context?.pulse.map { propagation.brings($0) } ?? false
    }
}

extension AnyListenEdge {
    /// Whether what came by `linking` may be heard: the edge is linked so still, and somebody is there, which is asked where nothing tells
    /// when the listener goes, and cuts the edge. So a listener that does tell is never held, not even for a moment.
    package final func mayHear(whatCameBy linking: Linking) -> Bool {
        let word = link.load(ordering: .acquiring)
        return LinkWord.isCurrent(word, linking.number) && (word & LinkWord.asks == 0 || currentDestination != nil)
    }
}

/// An edge that holds values until later.
package protocol HoldingEdge: AnyTransform {
    /// What it holds now; the user's own code describes it, so no lock is held.
    var held: HeldValues? { get }
}
/// An edge that passes values on as a part of something else, such as an array.
package protocol WrappingEdge: AnyTransform {}
/// What an edge holds until later.
package struct HeldValues {
    /// The oldest, as text.
    package let first: String
    package let count: Int
    /// How long it still is until the first may go, where that is known.
    package let rest: Duration?

    package init(first: String, count: Int = 1, rest: Duration? = nil) {
        (self.first, self.count, self.rest) = (first, count, rest)
    }
}
