/// What waits behind the first value of a `RowSlot`, in blocks each of which has twice the room of the one before: so no value is moved
/// to make room, and few blocks stand between the oldest and the newest, however much waits.
///
/// It is changed under a lock, and so makes no block: whoever finds no room brings some.
@usableFromInline package struct Backlog<Value: Sendable>: Sendable {
    private var oldest: RowBlock<Value>?
    private(set) var newest: RowBlock<Value>?
    @usableFromInline package private(set) var count = 0
    /// A block with more room goes when it is emptied.
    private static var mostKept: Int { 64 }

    @usableFromInline package init() {}

    @inlinable var isEmpty: Bool { count == 0 }

    /// Adds a value, in `room` where there is none yet; answers whether there was any.
    @usableFromInline @inline(never) mutating func append(_ value: Value, _ room: RowBlock<Value>?) -> Bool {
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

/// Room for some values, first in, first out: a ring.
///
/// Unchecked, because it is guarded by the lock of the row's vertex.
@usableFromInline package final class RowBlock<Value: Sendable>: @unchecked Sendable {
    let capacity: Int
    @exclusivity(unchecked) fileprivate var next: RowBlock?
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
    /// Adds a value, if there is room.
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
