import ReactCore

/// The inputs of a pack, and the fields of the tuple that is made of them.
///
/// Generic code for a pack looks up each element's type at run time, which takes some 400 instructions an element. So
/// all offsets are computed when the combination is made. A tuple of plain data is then copied piece by
/// piece. Any other tuple is copied element by element, each as its type requires.
///
/// Unchecked, because it changes only while the combination is made. Only the owner of the region uses the edges.
@usableFromInline final class TupleLayout<Tuple: Sendable>: @unchecked Sendable {
    @usableFromInline struct Field {
        /// The input's edge. It is not held: see `JoinInput`.
        @usableFromInline let edge: Unmanaged<AnyTransform>
        /// The offset of the element in the tuple, in bytes.
        @usableFromInline let offset: Int
        @usableFromInline let size: Int
        /// The address of the newest value.
        @usableFromInline var value: UnsafeMutableRawPointer { edge._withUnsafeGuaranteedRef { $0.newestPlace } }
    }
    @exclusivity(unchecked) @usableFromInline private(set) var fields: [Field] = []

    @usableFromInline init() {}

    /// Adds the field of the next element. Its offset is the next aligned one after the element before, as in the
    /// layout of tuples.
    @usableFromInline func add<Value, Output>(_ input: JoinInput<Value, Output>) {
        let end = fields.last.map { $0.offset + $0.size } ?? 0
        let alignment = MemoryLayout<Value>.alignment
        let offset = (end + alignment - 1) / alignment * alignment
        fields.append(Field(edge: input.erasedEdge, offset: offset, size: MemoryLayout<Value>.size))
    }

    /// Returns a copy of the tuple. If it is not plain data, `copy` copies its elements one after the other.
    /// Precondition: there is a value for each field.
    @inlinable @inline(__always) func tuple(copying copy: (inout Elements) -> Tuple) -> Tuple {
        if _isPOD(Tuple.self) { return plainTuple }
        var elements = Elements(self)
        return copy(&elements)
    }
    @inlinable @inline(__always) var plainTuple: Tuple {
        withUnsafeTemporaryAllocation(of: Tuple.self, capacity: 1) { tuple in
            let begin = UnsafeMutableRawPointer(tuple.baseAddress.unsafelyUnwrapped)
            for field in fields {
                if field.size == 8 {
                    (begin + field.offset).storeBytes(of: field.value.loadUnaligned(as: UInt64.self), as: UInt64.self)
                } else {
                    (begin + field.offset).copyMemory(from: field.value, byteCount: field.size)
                }
            }
            return tuple[0]
        }
    }

    /// The elements of the tuple, in order.
    @usableFromInline struct Elements {
        @usableFromInline let layout: TupleLayout
        @usableFromInline var index = 0

        @inlinable init(_ layout: TupleLayout) { self.layout = layout }

        /// Returns a copy of the next element. Precondition: it is of that type.
        @inlinable mutating func copy<Value>(as type: Value.Type) -> Value {
            defer { index += 1 }
            // An optional that is not `nil` begins with its value.
            return layout.fields[index].value.assumingMemoryBound(to: type).pointee
        }
    }
}
