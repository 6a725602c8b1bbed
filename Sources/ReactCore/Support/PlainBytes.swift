import Synchronization

/// Copies plain data to and from a place that other threads read or write meanwhile.
///
/// Each copy goes part by part, by relaxed atomic instructions, which are plain moves on each processor. A reader
/// checks afterwards if its copy is whole: see `OptionalValueCell.read`.
///
/// The other side of a copy is a variable of the value's own type. It is read and written by `copyMemory` alone. For
/// the optimiser, a load of a `UInt8` from the place of an enum cannot read that enum, so it leaves out the store
/// before it.
@usableFromInline enum PlainBytes {
    /// Copies plain data into a shared place. Both places are aligned to `alignment` bytes.
    @inlinable @inline(__always) static func store(
        _ source: UnsafeRawPointer, in place: UnsafeMutableRawPointer, byteCount: Int, alignment: Int
    ) {
        var done = 0
        if alignment >= 8 {
            while done &+ 8 <= byteCount {
                let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt64>.self)
                part.pointee.store(bits(at: source.advanced(by: done)), ordering: .relaxed)
                done &+= 8
            }
        }
        if alignment >= 4 {
            while done &+ 4 <= byteCount {
                let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt32>.self)
                part.pointee.store(bits(at: source.advanced(by: done)), ordering: .relaxed)
                done &+= 4
            }
        }
        while done < byteCount {
            let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt8>.self)
            part.pointee.store(bits(at: source.advanced(by: done)), ordering: .relaxed)
            done &+= 1
        }
    }
    /// Copies plain data out of a shared place. Both places are aligned to `alignment` bytes.
    @inlinable @inline(__always) static func load(
        _ target: UnsafeMutableRawPointer, from place: UnsafeRawPointer, byteCount: Int, alignment: Int
    ) {
        var done = 0
        if alignment >= 8 {
            while done &+ 8 <= byteCount {
                let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt64>.self)
                put(part.pointee.load(ordering: .relaxed), at: target.advanced(by: done))
                done &+= 8
            }
        }
        if alignment >= 4 {
            while done &+ 4 <= byteCount {
                let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt32>.self)
                put(part.pointee.load(ordering: .relaxed), at: target.advanced(by: done))
                done &+= 4
            }
        }
        while done < byteCount {
            let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt8>.self)
            put(part.pointee.load(ordering: .relaxed), at: target.advanced(by: done))
            done &+= 1
        }
    }

    @inlinable @inline(__always) static func bits<Part: FixedWidthInteger>(at source: UnsafeRawPointer) -> Part {
        var part: Part = 0
        withUnsafeMutableBytes(of: &part) {
            $0.baseAddress.unsafelyUnwrapped.copyMemory(from: source, byteCount: MemoryLayout<Part>.size)
        }
        return part
    }
    @inlinable @inline(__always) static func put(_ part: some FixedWidthInteger, at target: UnsafeMutableRawPointer) {
        withUnsafeBytes(of: part) {
            target.copyMemory(from: $0.baseAddress.unsafelyUnwrapped, byteCount: $0.count)
        }
    }
}
