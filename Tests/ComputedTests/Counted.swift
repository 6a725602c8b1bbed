import ReactCore
import ReactOperators
import TestSupport

/// A `computed` that records its name at each call.
func counted<Output: Sendable & Equatable>(
    _ name: String, _ calls: Recorder<String>, _ body: @escaping @Sendable (NodeReader) throws -> Output
) -> Node<Output> {
    computed { read in
        calls.record(name)
        return try body(read)
    }.named(name)
}

/// A place for a node that a body is to read, but that is made after it.
final class Later<Value: Sendable>: Sendable {
    private let place = Locked<Node<Value>?>(nil)

    var node: Node<Value>? {
        get { place.value }
        set { place.value = newValue }
    }
}

extension AnyNode {
    /// The names of the nodes that edges lead here from, in order.
    var inputNames: [String] { upstreamNodes.map { $0.name ?? "–" } }
}
