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
