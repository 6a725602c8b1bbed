/// The edge of `fork`, which passes each value on unchanged. Unchecked, as `AnyEdge` is: it stores nothing of its own.
@usableFromInline
package final class ForkTransform<Value: Sendable>: OperatorTransform<Value, Value>, @unchecked Sendable {
    @inlinable package init() {
        super.init(name: "Fork") {
            let delivery = EdgeCall<Value, Value>($0)
            return delivery.send(delivery.value)
        }
    }
}
