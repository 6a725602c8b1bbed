import Synchronization

/// The base of operators: a new node, and an edge to it that is one closure.
///
/// The operator makes the closure, and is `@inlinable`. So the closure is specialised for the value types in the module
/// that uses it, and no generic code runs when a value is delivered. The code that makes the node and the edge is
/// compiled once for each pair of types, and not for each call: inlined, it would double the time in which a client
/// compiles. An operator that gains little by being compiled into its caller is `@inline(never)`. That, and a
/// `StaticString` for each name, save a client with 1,000 calls of operators a fifth of its compile time.
///
///     extension Node {
///         @inlinable public func map<Output>(_ transform: @escaping @Sendable (Value) -> Output) -> Node<Output> {
///             following("Map") {
///                 let delivery = EdgeCall<Value, Output>($0)
///                 return delivery.send(transform(delivery.value))
///             }
///         }
///     }
extension Node {
    /// Returns a new immutable node downstream of this one, by an edge named `name`.
    ///
    /// `forward` is called with every value, one at a time, with no lock held. The name is a `StaticString`, because
    /// the code that makes a `String` of a literal would be compiled for each call.
    @inlinable @inline(never) package func following<Output>(
        _ name: StaticString, _ forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) -> Node<Output> {
        following(by: OperatorTransform(name: name.description, forward: forward))
    }
    /// Returns a new immutable node downstream of this one, by an edge that passes on some of its values.
    @inlinable @inline(never) package func following<Output, Passing: PassingText>(
        _ name: StaticString, passing: Passing.Type, _ forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) -> Node<Output> {
        following(by: SelectiveTransform<Value, Output, Passing>(name: name.description, forward: forward))
    }
    /// Returns a new immutable node downstream of this one, with a part of each value that has it.
    @inlinable @inline(__always) package func passing<Part, Passing: PassingText>(
        _ name: String, _: Passing.Type, _ part: @escaping @Sendable (Value) -> Part?
    ) -> Node<Part> {
        following(
            by: PartTransform<Value, Part, Passing>(name: name) {
                let delivery = EdgeCall<Value, Part>($0)
                return part(delivery.value).map { delivery.send($0) } ?? .nothing
            })
    }
    /// Returns a new immutable node downstream of this one, by `transform`, which nobody else refers to yet.
    @inlinable @inline(never) package func following<Output>(by transform: Transform<Value, Output>) -> Node<Output> {
        let node = MutableNode<Output>(immutable: nil)
        node.follow(self, by: transform)
        return node
    }
    /// Returns a new immutable node downstream of this one, by the edge of an operator with state.
    @inlinable @inline(never) package func following<Output>(
        _ name: String, state: any OperatorState, _ forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) -> Node<Output> {
        following(by: StatefulTransform(name: name, state: state, forward: forward))
    }
    /// Adds an edge from `upstream` to this node, which is the node of an operator with state.
    @inlinable @inline(never) package func follow<Input>(
        _ upstream: Node<Input>, _ name: String, state: any OperatorState,
        _ forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge
    ) {
        follow(upstream, by: StatefulTransform<Input, Value>(name: name, state: state, forward: forward))
    }
    /// Sets both ends of a transform that has none yet and may lead to this node. Delivers the present value of
    /// `upstream`. If `isNew` is true, nobody else knows this node, so it may have a first value before the edge is
    /// connected.
    @usableFromInline package func follow<Input>(
        _ upstream: Node<Input>, by transform: Transform<Input, Value>, isNew: Bool = true
    ) {
        transform.connecting(upstream.vertex, to: vertex, loads: isNew) {
            { self.follow(upstream, by: transform, isNew: isNew) }
        } _: { connects, owner in
            let reconnected = transform.reconnect(by: owner, connects: connects) {
                transform.fromNode = upstream
                transform.setTarget(vertex, &$0)
            }
            if transform.heedsSource, reconnected.isChange { transform.sourceHasChanged() }
            return reconnected.perform(transform)
        }
    }
}

/// The edge of an operator: one closure. Unchecked, as `AnyEdge` is: it stores nothing of its own.
@usableFromInline
package class OperatorTransform<Input: Sendable, Output: Sendable>: Transform<Input, Output>,
    @unchecked Sendable
{
    @inlinable override package init(name: String, forward: @escaping @Sendable (ErasedEdgeCall) -> NextEdge) {
        super.init(name: name, forward: forward)
    }
    override var heedsSource: Bool { false }
    override var asksForSenders: Bool { false }
    override func didDisconnect(_ connection: Connection) {}
    override func forwardEmpty(_ delivery: ErasedEdgeCall) -> NextEdge { .nothing }
    override package var facts: OperatorFacts { [.passesPulses, .loadsFirst] }
}

/// Describes the only values that an operator passes on. It is a type, because an edge has no room for a text.
@usableFromInline package protocol PassingText {
    static var text: String { get }
}

/// The edge of an operator that passes on some of its values. Unchecked, as `AnyEdge` is: it stores nothing of its own.
@usableFromInline
package class SelectiveTransform<Input: Sendable, Output: Sendable, Passing: PassingText>: OperatorTransform<
    Input, Output
>, @unchecked Sendable
{
    override package final var wanted: String? { Passing.text }
}

/// The edge of an operator that passes on a part of some values, unchanged. Unchecked, as `AnyEdge` is: it stores
/// nothing of its own.
@usableFromInline
package final class PartTransform<Input: Sendable, Output: Sendable, Passing: PassingText>: SelectiveTransform<
    Input, Output, Passing
>, @unchecked Sendable
{
    override package var passesOn: Bool { true }
}

/// The edge that tells an operator that something has happened, and carries no value. Unchecked, as `AnyEdge` is: it
/// stores nothing of its own.
@usableFromInline
package final class SignalTransform<Input: Sendable, Output: Sendable>: OperatorTransform<Input, Output>,
    @unchecked Sendable
{
    override package var facts: OperatorFacts { [.passesPulses, .bringsNoValues] }
    override package var passesOn: Bool { false }
    // The initial value tells nothing, because it came before the edge did.
    override var fateOfUnsent: CallResult { isInInitialDelivery ? .notPassedOn : .ended }
}

/// An edge of another module that says the facts about its operator.
package protocol FactualEdge: AnyTransform {
    var ownFacts: OperatorFacts { get }
}

/// State that an operator keeps between values.
///
/// An operator's edge is called with one value at a time. But the code that it calls may cut the edge or give it
/// another end, and another thread may cut it meanwhile. So state belongs to the connection through which it came, and
/// is initial for any other connection. `EdgeCall.isStillConnected` tells if a result of the old state may still be
/// stored.
@usableFromInline package protocol OperatorState: AnyObject, Sendable {
    /// Sets aside the state of the present connection, which ends.
    func willDisconnect()
    /// Releases the state of `connection`, which has ended. A later connection may have begun already; its state stays.
    func discard(_ connection: Connection)
    /// Is called when `from` was emptied.
    func emptied(_ delivery: ErasedEdgeCall) -> NextEdge
    /// The number of values that wait for a partner; `nil` if the operator does not let values wait.
    var waitingCount: Int? { get }
    /// See `AnyTransform.inputCount`.
    var inputCount: Int? { get }
    /// The only values that the operator passes on, described; `nil` if it decides in another way.
    var wanted: String? { get }
    var facts: OperatorFacts { get }
    /// The number of calls of the operator's closures; `nil` if it has none, or does not count them.
    var callCount: Int? { get }
    /// See `AnyEdge.isJoinPending` and `isBuffering`.
    var isJoinPending: Bool { get }
    var hasBufferedValues: Bool { get }
}
extension OperatorState {
    @usableFromInline package func willDisconnect() {}
    @usableFromInline package func discard(_ connection: Connection) {}
    @usableFromInline package func emptied(_ delivery: ErasedEdgeCall) -> NextEdge { .nothing }
    @usableFromInline package var waitingCount: Int? { nil }
    @usableFromInline package var inputCount: Int? { nil }
    @usableFromInline package var wanted: String? { nil }
    @usableFromInline package var facts: OperatorFacts { [] }
    @usableFromInline package var callCount: Int? { nil }
    @usableFromInline package var isJoinPending: Bool { false }
    @usableFromInline package var hasBufferedValues: Bool { false }
}

// The connection of an edge, for edges that keep values and send them later.

extension AnyEdge {
    /// The connection through which the value of this call of `next` came. Read it in `next`, before anything else
    /// there can send a value.
    package final var connectionOfCall: Connection { Connection(generation: Engine.current.call.generation) }
    /// True during the edge's initial delivery.
    fileprivate final var isInInitialDelivery: Bool {
        knownWord & ConnectionState.awaitsRemoval & ~ConnectionState.checks == ConnectionState.catchingUp
    }
}

extension AnyListenEdge {
    /// Returns true if a value that came by `connection` may be heard: the edge still has that connection, and the
    /// listener is alive. If nothing tells when the listener is deallocated, this checks, and cuts the edge if it is
    /// gone. A listener that does tell is never retained, not even for a moment.
    package final func mayHear(whatCameBy connection: Connection) -> Bool {
        let word = connectionWord.load(ordering: .acquiring)
        return ConnectionState.isStillConnected(word, connection.generation)
            && (word & ConnectionState.checks == 0 || currentDestination != nil)
    }
}

/// An edge that takes values and sends them later, or makes values of its own.
package protocol BufferingEdge: FactualEdge {
    /// True if the edge has taken a value, and has neither brought nor dropped it.
    var hasBufferedValues: Bool { get }
    /// The values that the edge still has to send. The user's own code describes them, so no lock is held.
    var valuesToSend: BufferedValues? { get }
    /// How the edge makes a value of its own, as the end of a sentence.
    var ownValue: String? { get }
}
extension BufferingEdge {
    package var hasBufferedValues: Bool { false }
    package var valuesToSend: BufferedValues? { nil }
    package var ownValue: String? { nil }
}

extension EdgeCall {
    /// True during the edge's initial delivery.
    @usableFromInline package var isInInitialDelivery: Bool {
        raw.edge._withUnsafeGuaranteedRef { $0.isInInitialDelivery }
    }
    /// The handle of the node that the edge leads to.
    package var targetNode: Node<Output>? {
        raw.target?.takeUnretainedValue().handle.map { unsafeDowncast($0, to: Node<Output>.self) }
    }
}
