/// The array that what is made of many stores its values in next. It is made with no lock held, and has room for all of them.
///
/// Unchecked, because it belongs to whoever has the turn of the vertex.
@usableFromInline package final class SpareArray<Element: Sendable>: @unchecked Sendable {
    /// `nil` only until it is `prepare`d.
    @exclusivity(unchecked) @usableFromInline var elements: [Element]? = nil
    @usableFromInline let capacity: Int

    @inlinable package init(capacity: Int) {
        self.capacity = capacity
        prepare()
    }
    /// Makes what was stored until now ready for the next values.
    @inlinable @inline(__always) func prepare() {
        // What is plain data is written over; but somebody else may have stored another number of them.
        guard _isPOD(Element.self), elements?.count == capacity else { return makeReady() }
        elements?.reserveCapacity(capacity)
    }
    @inlinable @inline(never) func makeReady() {
        var next = elements.take() ?? []
        // Letting go of what it holds may be user code.
        next.removeAll(keepingCapacity: true)
        next.reserveCapacity(capacity)
        elements = next
    }
    /// Puts one value of each slot in it. The lock is held.
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
    /// Fires a join of many: stores the newest value of each slot, in their order, as one array.
    ///
    /// The array that it stores until then becomes the next one, where nobody else has it: so in the long run none is allocated.
    @inlinable @inline(__always) package func fire<Element: Sendable>(
        _ join: Join, withAll slots: [JoinSlot<Element, [Element]>], in spare: SpareArray<Element>
    ) -> Sent {
        Unmanaged.passUnretained(join.vertex)._withUnsafeGuaranteedRef { vertex in
            spare.fill(slots.count) { slots[$0].newest }
            // What is stored is an array, and so becomes the next one to be filled.
            var elements = spare.elements.take() ?? []
            let sent = store(&elements, in: unsafeDowncast(vertex, to: Store<[Element]>.self), by: .firing)
            spare.elements = consume elements
            spare.prepare()
            return sent
        }
    }
}
