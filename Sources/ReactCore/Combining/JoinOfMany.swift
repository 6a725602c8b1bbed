/// The array that a join of many stores its values in next. It is made with no lock held, and has room for all of them.
///
/// Unchecked, because it belongs to whoever has the turn of the join's vertex.
@usableFromInline package final class SpareArray<Element: Sendable>: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var elements: [Element] = []

    @inlinable package init(capacity: Int) { elements.reserveCapacity(capacity) }
}

extension Propagation {
    /// Fires a join of many: stores the newest value of each slot, in their order, as one array.
    ///
    /// The array that it stores until then becomes the next one, where nobody else has it: so in the long run none is allocated.
    @inlinable @inline(__always) package func fire<Element: Sendable>(
        _ join: Join, withAll slots: [JoinSlot<Element>], in spare: SpareArray<Element>
    ) -> Sent {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            var values: [Element] = []
            swap(&values, &spare.elements)
            if values.count == slots.count {
                values.withUnsafeMutableBufferPointer { places in
                    for place in slots.indices { places[place] = slots[place].newest }
                }
            } else {
                for place in slots.indices { values.append(slots[place].newest) }
            }
            makeRoom()
            var old: [Element]?
            let sent = put(values, in: unsafeDowncast(vertex, to: Store<[Element]>.self), replacing: &old)
            var next = old.take() ?? []
            // Letting go of what it holds may be user code. What is plain data is written over.
            if !_isPOD(Element.self) { next.removeAll(keepingCapacity: true) }
            next.reserveCapacity(slots.count)
            spare.elements = next
            return sent
        }
    }
}
