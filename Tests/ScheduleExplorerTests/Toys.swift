import ScheduleExplorer
import TestSupport

/// A lock that knows of the explorer.
final class ToyLock: @unchecked Sendable {
    private var isHeld = false
    var place: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    func lock() {
        Point.reach("lock is to be taken", at: place)
        while isHeld { Point.wait(for: place) }
        isHeld = true
        Point.reach("lock is taken", .taken, at: place)
    }
    func unlock() {
        Point.reach("lock is to be let go", at: place)
        isHeld = false
        Point.reach("lock is let go", .letGo, at: place)
    }
    func withLock(_ body: () -> Void) {
        lock()
        body()
        unlock()
    }
}

/// A variable that threads share, with a point before each access.
final class Shared<Value>: @unchecked Sendable {
    private var stored: Value
    init(_ value: Value) { stored = value }

    var value: Value {
        get {
            Point.reach("read")
            return stored
        }
        set {
            Point.reach("write")
            stored = newValue
        }
    }
    /// For who is alone.
    var last: Value { stored }
}
