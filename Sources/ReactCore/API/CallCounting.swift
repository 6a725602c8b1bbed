/// The state of an operator that counts the calls of its closures.
@usableFromInline package protocol CallCounting: OperatorState {
    /// `nil` if the operator has no closure.
    var callCount: Int? { get }
}
private protocol StatefulEdge {
    var state: any OperatorState { get }
}
extension StatefulTransform: StatefulEdge {}

extension AnyEdge {
    /// The number of calls of the operator's closures, if its state counts them.
    package final var callCount: Int? { ((self as? any StatefulEdge)?.state as? any CallCounting)?.callCount }
}
