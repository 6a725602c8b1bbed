/// Where the values of a pack's inputs are, to be put together as one tuple.
///
/// Code for a pack of any types asks for each element's type while it runs: some 400 instructions an element. So all that can be known
/// is found out when the combination is made: where each value is, and where it goes in the tuple. A tuple of plain data is then copied
/// piece by piece; another one element by element, each as its type has it.
///
/// Unchecked, because it changes only while the combination is made; and what is at these places is guarded by its lock.
@usableFromInline package final class PackPlaces<Tuple: Sendable>: @unchecked Sendable {
    @usableFromInline struct Place {
        @usableFromInline let value: UnsafeMutableRawPointer
        /// Where it goes in the tuple, in bytes.
        @usableFromInline let offset: Int
        @usableFromInline let size: Int
    }
    @exclusivity(unchecked) @usableFromInline private(set) var places: [Place] = []
    /// The slots of a row.
    @exclusivity(unchecked) @usableFromInline private(set) var rowSlots: [AnyRowSlot] = []

    @usableFromInline package init() {}

    @usableFromInline package func add<Value, Output>(_ slot: JoinSlot<Value, Output>) {
        add(slot.place, of: Value.self)
    }
    @usableFromInline package func add<Value>(_ slot: RowSlot<Value>) {
        rowSlots.append(slot)
        add(slot.first, of: Value.self)
    }
    /// Adds the place of the next element: after the one before, as far on as its type has to lie, as tuples are laid out.
    private func add<Value>(_ place: UnsafeMutableRawPointer, of type: Value.Type) {
        let end = places.last.map { $0.offset + $0.size } ?? 0
        let alignment = MemoryLayout<Value>.alignment
        let offset = (end + alignment - 1) / alignment * alignment
        places.append(Place(value: place, offset: offset, size: MemoryLayout<Value>.size))
    }

    /// A copy of the tuple; of its elements as `copy` has them, one after the other, where they are no plain data. Precondition: there is a
    /// value at each place, and the lock is held.
    @inlinable @inline(__always) package func tuple(copying copy: (inout Elements) -> Tuple) -> Tuple {
        if _isPOD(Tuple.self) { return plainTuple }
        var elements = Elements(self)
        return copy(&elements)
    }
    /// Takes one value out of each slot of a row: as `take` has them where they are no plain data. The same precondition.
    @inlinable @inline(__always) package func row(taking take: (inout Elements) -> Tuple) -> Tuple {
        let row = tuple(copying: take)
        for slot in rowSlots { slot.leave() }
        return row
    }
    @inlinable @inline(__always) var plainTuple: Tuple {
        withUnsafeTemporaryAllocation(of: Tuple.self, capacity: 1) { tuple in
            let begin = UnsafeMutableRawPointer(tuple.baseAddress.unsafelyUnwrapped)
            for place in places {
                if place.size == 8 {
                    (begin + place.offset).storeBytes(of: place.value.loadUnaligned(as: UInt64.self), as: UInt64.self)
                } else {
                    (begin + place.offset).copyMemory(from: place.value, byteCount: place.size)
                }
            }
            return tuple[0]
        }
    }

    /// The elements, in their order.
    @usableFromInline package struct Elements {
        @usableFromInline let places: PackPlaces
        @usableFromInline var index = 0

        @inlinable init(_ places: PackPlaces) { self.places = places }

        /// A copy of the next one. Precondition: it is of that type.
        @inlinable package mutating func copy<Value>(as type: Value.Type) -> Value { place(of: type).pointee }
        /// The next one, moved away. Precondition: it is of that type.
        @inlinable package mutating func take<Value>(as type: Value.Type) -> Value { place(of: type).move() }
        @inlinable mutating func place<Value>(of type: Value.Type) -> UnsafeMutablePointer<Value> {
            defer { index += 1 }
            // An optional that is not `nil` begins with its value.
            return places.places[index].value.assumingMemoryBound(to: type)
        }
    }
}
