/// The edge from an input to a row of nodes of one type, which go downstream as an array.
///
/// Unchecked, like `AnyEdge`: it adds only constants.
@usableFromInline
final class RowOfManyTransform<Element: Sendable>: RowTransform<Element, [Element]>, @unchecked Sendable {
    @usableFromInline let slots: [RowSlot<Element>]
    @usableFromInline let spare: SpareArray<Element>

    @inlinable init(name: StaticString, at place: Int, of slots: [RowSlot<Element>], in spare: SpareArray<Element>) {
        self.slots = slots
        self.spare = spare
        super.init(name: name, slots[place]) { Delivery<Element, [Element]>($0).gather { $0.passOnMany($1) } }
    }
}

extension Node {
    /// Makes `input` the node at `place` of those that this new node combines. All of them share `spare`.
    @inlinable package func gather<Element>(
        _ input: Node<Element>, at place: Int, of slots: [RowSlot<Element>], in spare: SpareArray<Element>,
        name: StaticString
    ) where Value == [Element] {
        follow(input, by: RowOfManyTransform(name: name, at: place, of: slots, in: spare))
    }
}

extension Delivery where Output == [Input] {
    /// Passes on the complete row of a `RowOfManyTransform`. The lock is held, and is released here.
    ///
    /// The array that was stored until now is filled the next time, as in a join of many.
    @inlinable @inline(never) func passOnMany(_ bits: UInt32) -> Sent {
        raw.edge._withUnsafeGuaranteedRef { edge in
            let edge = unsafeDowncast(edge, to: RowOfManyTransform<Input>.self)
            return passOn(.passUnretained(edge.slot), bits) { propagation, store in
                edge.spare.fill(edge.slots.count) { edge.slots[$0].take() }
                var elements = edge.spare.elements.take() ?? []
                let sent = propagation.store(&elements, in: store, by: .turn(choice))
                edge.spare.elements = consume elements
                edge.spare.prepare()
                return sent
            } orLater: {
                // The spare array belongs to the owner of the row's vertex, and this edge may lead to another one.
                { [row = edge.slot.row, slots = edge.slots] in
                    var values: [Input] = []
                    values.reserveCapacity(slots.count)
                    return row.takeIfComplete {
                        for slot in slots { values.append(slot.take()) }
                        return values
                    }
                }
            }
        }
    }
}
