import Synchronization

/// Copies plain data to and from a place that other threads read or write meanwhile: part by part, by relaxed atomic
/// instructions, which are plain moves on each processor. A reader checks afterwards if what it has copied is whole:
/// see `OptionalValueCell.read`.
@usableFromInline enum PlainBytes {
    /// Copies plain data into a shared place. Both places are aligned to `alignment` bytes.
    @inlinable @inline(__always) static func store(
        _ source: UnsafeRawPointer, in place: UnsafeMutableRawPointer, byteCount: Int, alignment: Int
    ) {
        var done = 0
        if alignment >= 8 {
            while done &+ 8 <= byteCount {
                let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt64>.self)
                part.pointee.store(source.load(fromByteOffset: done, as: UInt64.self), ordering: .relaxed)
                done &+= 8
            }
        }
        if alignment >= 4 {
            while done &+ 4 <= byteCount {
                let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt32>.self)
                part.pointee.store(source.load(fromByteOffset: done, as: UInt32.self), ordering: .relaxed)
                done &+= 4
            }
        }
        while done < byteCount {
            let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt8>.self)
            part.pointee.store(source.load(fromByteOffset: done, as: UInt8.self), ordering: .relaxed)
            done &+= 1
        }
    }
    /// Copies plain data out of a shared place.
    @inlinable @inline(__always) static func load(
        _ target: UnsafeMutableRawPointer, from place: UnsafeRawPointer, byteCount: Int, alignment: Int
    ) {
        var done = 0
        if alignment >= 8 {
            while done &+ 8 <= byteCount {
                let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt64>.self)
                target.storeBytes(of: part.pointee.load(ordering: .relaxed), toByteOffset: done, as: UInt64.self)
                done &+= 8
            }
        }
        if alignment >= 4 {
            while done &+ 4 <= byteCount {
                let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt32>.self)
                target.storeBytes(of: part.pointee.load(ordering: .relaxed), toByteOffset: done, as: UInt32.self)
                done &+= 4
            }
        }
        while done < byteCount {
            let part = place.advanced(by: done).assumingMemoryBound(to: Atomic<UInt8>.self)
            target.storeBytes(of: part.pointee.load(ordering: .relaxed), toByteOffset: done, as: UInt8.self)
            done &+= 1
        }
    }
}
