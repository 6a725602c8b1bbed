import ReactCore

/// Records a node's values, for a test to compare.
///
///     let price = MutableNode(20)
///     let net = price.map { $0 * 100 / 119 }
///     let heard = Heard(net)
///     price.value = 238
///     print(heard.values, heard.last ?? 0)        // [16, 200] 200
///     heard.cancel()
///     price.value = 119
///     print(heard.values)                         // [16, 200]
///
/// **Order and threads.** The present value comes first, if there is one, then each later value, in the order in which
/// the node delivers them. A value is recorded before the set that brings it returns, unless another thread is
/// delivering at the node. Every member is safe from any thread.
///
/// **Lifetime.** The record holds the node and all its values. It stops recording when it is released or cancelled.
///
/// **Emptiness** is not recorded. `expectTimeline` shows it.
///
/// - Complexity: O(1) for each value. `values` copies nothing until the next value comes.
public final class Heard<Value: Sendable>: Sendable {
    private final class Record: Sendable {
        let values = Lock<[Value]>([])
    }
    private let record = Record()
    private let lifetime = Lifetime(madeAt: nil)

    /// Begins to record, with the present value of `node`, if it has one.
    public init(_ node: Node<Value>) {
        node.listened(by: lifetime).with { [record] value in record.values.withLock { $0.append(value) } }
    }

    /// All values so far, oldest first.
    public var values: [Value] { record.values.withLock { $0 } }
    /// The newest value, or `nil` if none has come.
    public var last: Value? { record.values.withLock { $0.last } }

    /// Stops recording, and releases the node. The values stay.
    public func cancel() { lifetime.cancel() }
}
