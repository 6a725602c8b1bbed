/// The array that a join or row of many inputs fills next. It is allocated with no lock held, and has room for all
/// values.
///
/// Unchecked, because it belongs to the owner of the vertex.
@usableFromInline package final class SpareArray<Element: Sendable>: @unchecked Sendable {
    /// The array; `nil` only until `prepare` is called.
    @exclusivity(unchecked) @usableFromInline var elements: [Element]? = nil
    @usableFromInline let capacity: Int

    @inlinable package init(capacity: Int) {
        self.capacity = capacity
        prepare()
    }
    /// Makes the array that was stored until now ready for the next values.
    @inlinable @inline(__always) func prepare() {
        // Plain data is overwritten in place, unless the array has another length because other code stored it.
        guard _isPOD(Element.self), elements?.count == capacity else { return makeReady() }
        elements?.reserveCapacity(capacity)
    }
    @inlinable @inline(never) func makeReady() {
        var next = elements.take() ?? []
        // Releasing the elements may run user code.
        next.removeAll(keepingCapacity: true)
        next.reserveCapacity(capacity)
        elements = next
    }
    /// Puts the value of each slot into the array. The lock is held.
    @inlinable @inline(__always) func fill(_ count: Int, with element: (Int) -> Element) {
        if elements?.count == count {
            elements?.withUnsafeMutableBufferPointer { places in
                for place in 0..<count { places[place] = element(place) }
            }
        } else {
            for place in 0..<count { elements?.append(element(place)) }
        }
    }
}

extension Propagation {
    /// Fires a join of many: stores the newest value of each slot, in order, as one array.
    ///
    /// The array that was stored until now is filled the next time, unless others hold it. So in the long run no array
    /// is allocated.
    @inlinable @inline(__always) package func fire<Element: Sendable>(
        _ join: Join, withAll slots: [JoinSlot<Element, [Element]>], in spare: SpareArray<Element>
    ) -> Sent {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            spare.fill(slots.count) { slots[$0].newest }
            // The store swaps the old array into `elements`.
            var elements = spare.elements.take() ?? []
            let sent = store(&elements, in: unsafeDowncast(vertex, to: Store<[Element]>.self), by: .firing)
            spare.elements = consume elements
            spare.prepare()
            return sent
        }
    }
}
