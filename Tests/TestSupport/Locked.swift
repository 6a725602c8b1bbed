import Foundation

/// A value behind a lock: what tests share between threads and `@Sendable` closures.
///
/// It stands on `NSLock`, which the thread sanitizer understands, and not on the lock of the library under test.
public final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    public init(_ value: Value) { stored = value }

    /// Runs `body` with exclusive access to the value.
    public func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&stored)
    }

    /// A copy of the value; setting it drops the old value outside the lock, so that its `deinit` may use the box.
    public var value: Value {
        get { withLock { $0 } }
        set {
            let old = withLock { stored in
                let old = stored
                stored = newValue
                return old
            }
            withExtendedLifetime(old) {}
        }
    }
}

extension Locked where Value: AdditiveArithmetic & ExpressibleByIntegerLiteral {
    /// Adds one, and returns the sum.
    @discardableResult public func increment() -> Value {
        withLock {
            $0 += 1
            return $0
        }
    }
}
