import Foundation

/// A count that threads wait for: it opens once, when as many have arrived as were announced.
public final class Latch: Sendable {
    private let missing: Locked<Int>
    private let opened = DispatchSemaphore(value: 0)

    public init(_ count: Int = 1) { missing = Locked(count) }

    /// Counts one arrival. Arriving at an open latch does nothing.
    public func arrive() {
        let left = missing.withLock {
            $0 -= 1
            return $0
        }
        if left == 0 { opened.signal() }
    }

    /// Returns when the latch is open. A wait of a quarter of an hour is a deadlock, however busy the machine is: it ends the process and says where.
    public func wait(file: StaticString = #fileID, line: UInt = #line) {
        guard opened.wait(timeout: .now() + 900) == .success else {
            fatalError("nobody opened the latch that is waited for here", file: file, line: line)
        }
        opened.signal()
    }

    /// The start gate: returns to all together, once all have arrived.
    public func arriveAndWait(file: StaticString = #fileID, line: UInt = #line) {
        arrive()
        wait(file: file, line: line)
    }

    public var isOpen: Bool { missing.withLock { $0 <= 0 } }
}

/// A thread of its own that can be waited for.
public final class Worker: Sendable {
    private let done = Latch()

    /// Runs `body` on a new thread. `stackSize` is in bytes; 0 leaves it to the platform.
    @discardableResult
    public init(stackSize: Int = 0, _ body: @escaping @Sendable () -> Void) {
        let done = done
        let work = Locked<(@Sendable () -> Void)?>(body)
        // Whoever joins may count what is left over: so the thread lets go of `body` before it says that it is done.
        @Sendable func runOnce() { work.withLock { $0.take() }?() }
        let thread = Thread {
            runOnce()
            done.arrive()
        }
        if stackSize > 0 { thread.stackSize = stackSize }
        thread.start()
    }

    /// Returns when `body` has.
    public func join(file: StaticString = #fileID, line: UInt = #line) { done.wait(file: file, line: line) }
}

/// Names the calling thread. A thread that has only just been made may not take the first name.
public func nameThread(_ name: String) { while Thread.current.name != name { Thread.current.name = name } }

/// Runs `body` on `count` threads that start together; it is given the number of its thread. Returns when all have ended.
public func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let start = Latch(count)
    let workers = (0..<count).map { index in
        Worker {
            start.arriveAndWait()
            body(index)
        }
    }
    for worker in workers { worker.join() }
}

/// Runs `body` on a thread with a stack of `bytes` bytes, and returns what it returned.
public func runOnSmallStack<R: Sendable>(
    bytes: Int = 512 << 10,
    _ body: @escaping @Sendable () throws -> R
) throws -> R {
    let result = Locked<Result<R, any Error>?>(nil)
    Worker(stackSize: bytes) { result.value = Result { try body() } }.join()
    return try result.value!.get()
}
