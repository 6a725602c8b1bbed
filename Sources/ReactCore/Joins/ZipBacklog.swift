/// The values that wait behind the first value of a `ZipQueue`, in blocks. Each block has twice the room of the one
/// before. So no value is moved to make room, and few blocks lie between the oldest and the newest value, however many
/// wait.
///
/// A lock guards the backlog, so it allocates no block itself: a caller that finds no room brings a block.
@usableFromInline package struct ZipBacklog<Value: Sendable>: Sendable {
    private var oldest: ZipBlock<Value>?
    private(set) var newest: ZipBlock<Value>?
    @usableFromInline package private(set) var count = 0
    /// The capacity up to which the last block is kept when it is emptied.
    private static var mostKept: Int { 64 }

    @usableFromInline package init() {}

    @inlinable var isEmpty: Bool { count == 0 }

    /// Adds a value. If no block has room, puts it into the block `room`. Returns false if there is no such block
    /// either.
    @usableFromInline @inline(never) mutating func append(_ value: Value, _ room: ZipBlock<Value>?) -> Bool {
        if newest?.append(value) != true {
            guard let room else { return false }
            _ = room.append(value)
            if oldest == nil { oldest = room } else { newest?.next = room }
            newest = room
        }
        count += 1
        return true
    }
    /// Precondition: it is not empty.
    @usableFromInline @inline(never) mutating func popFirst() -> Value {
        let block = oldest.unsafelyUnwrapped
        let value = block.popFirst()
        count -= 1
        if block.isEmpty, block.next != nil || block.capacity > Self.mostKept {
            oldest = block.next
            if oldest == nil { newest = nil }
        }
        return value
    }
}

/// A ring buffer of fixed capacity, first in, first out.
///
/// Unchecked, because the lock of the row's vertex guards it.
@usableFromInline package final class ZipBlock<Value: Sendable>: @unchecked Sendable {
    let capacity: Int
    @exclusivity(unchecked) fileprivate var next: ZipBlock?
    private let values: UnsafeMutablePointer<Value>
    @exclusivity(unchecked) private var begin = 0
    @exclusivity(unchecked) private var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        values = .allocate(capacity: capacity)
    }
    deinit {
        for index in 0..<count { (values + (begin + index) % capacity).deinitialize(count: 1) }
        values.deallocate()
    }

    fileprivate var isEmpty: Bool { count == 0 }
    /// Adds a value if there is room. Returns whether there was.
    fileprivate func append(_ value: Value) -> Bool {
        guard count < capacity else { return false }
        (values + (begin + count) % capacity).initialize(to: value)
        count += 1
        return true
    }
    /// Precondition: it is not empty.
    fileprivate func popFirst() -> Value {
        let value = (values + begin).move()
        begin = (begin + 1) % capacity
        count -= 1
        return value
    }
}
