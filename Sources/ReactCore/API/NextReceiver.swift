/// Whatever can be sent a value.
public protocol NextReceiver<Value>: AnyObject {
    /// The type of what it can be sent.
    associatedtype Value: Sendable
    /// Takes a value, with the nodes that it has passed through and what travels beside it.
    func next(_ value: Value, from senders: SenderList, context: NodeContext?)
    /// Is told that the sender was emptied.
    func empty(from senders: SenderList, context: NodeContext?)
}
