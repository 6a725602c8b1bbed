/// The place of a part in a value: its offset, if it is stored there, and otherwise its key path.
///
/// A read through a key path calls the runtime, which retains the key path. All threads write that count, because a key
/// path literal is one object of the process. A read at an offset is one of memory.
@usableFromInline struct PartPlace<Whole, Part>: Sendable {
    @usableFromInline let part: KeyPath<Whole, Part> & Sendable
    /// The offset in bytes; `nil` if the part is computed, observed, or not in the value's own memory.
    @usableFromInline let offset: Int?

    @inlinable init(_ part: KeyPath<Whole, Part> & Sendable) {
        self.part = part
        offset = MemoryLayout<Whole>.offset(of: part)
    }

    @inlinable @inline(__always) func read(_ whole: Whole) -> Part {
        guard let offset else { return whole[keyPath: part] }
        return withUnsafePointer(to: whole) {
            UnsafeRawPointer($0).advanced(by: offset).assumingMemoryBound(to: Part.self).pointee
        }
    }
    /// Writes the part. `part` is the key path of this place.
    @inlinable @inline(__always) func write(_ new: Part, to whole: inout Whole, by part: WritableKeyPath<Whole, Part>) {
        guard let offset else { return whole[keyPath: part] = new }
        withUnsafeMutablePointer(to: &whole) {
            UnsafeMutableRawPointer($0).advanced(by: offset).assumingMemoryBound(to: Part.self).pointee = new
        }
    }
}
