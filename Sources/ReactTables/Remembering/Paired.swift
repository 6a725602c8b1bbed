import ReactCore

/// The newest values of two nodes.
@usableFromInline
struct Paired<First: Sendable, Second: Sendable>: Sendable, DescribesRows,
    CustomStringConvertible
{
    @usableFromInline let first: First
    @usableFromInline let second: Second

    @inlinable init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }
    @usableFromInline var description: String { "\(first) and \(second)" }
    @usableFromInline func description(ofRowsNotIn other: Any) -> String? {
        func text(_ part: Any, _ other: Any) -> String {
            (part as? any DescribesRows)?.description(ofRowsNotIn: other) ?? "\(part)"
        }
        return (other as? Paired).map { "\(text(first, $0.first)) and \(text(second, $0.second))" }
    }
}

extension Node {
    /// Returns a new node that follows two others and never sees one new and one old value. All edges are named `name`.
    ///
    ///     first  ──▶ pair ──▶ result
    ///     second ──▶
    ///
    /// The pair is a combination, which fires once a transaction. The state starts over when either edge to the pair
    /// is re-pointed.
    @inlinable static func remembering<First, Second, State: Incremental>(
        _ name: String, _ first: Node<First>, _ second: Node<Second>,
        _ initial: @escaping @autoclosure @Sendable () -> State
    ) -> Node<Value> where State.Input == Paired<First, Second>, State.Output == Value {
        let type = Node<Paired<First, Second>>.self
        let inputs = (JoinInput(name, from: first, to: type), JoinInput(name, from: second, to: type))
        let (pair, join) = type.joining(inputs: 2, keepsEmptied: true) {
            $1.fire($0, with: Paired(inputs.0.newest, inputs.1.newest))
        }
        pair.beOperatorsOwn()
        pair.join(join, inputs.0, first)
        pair.join(join, inputs.1, second)
        let memory = Remembered(State.wanted, ofPair: true, hasClosures: State.hasClosures)
        return pair.following(name, state: memory) { memory.update(with: EdgeCall($0), from: initial) }
    }
}
