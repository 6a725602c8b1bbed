import Foundation
import ReactCore

/// Runs `body` on a thread with a stack of that size, and returns what it returned.
func onSmallStack<Result: Sendable>(bytes: Int, _ body: @escaping @Sendable () -> Result) -> Result {
    let box = Box<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        let result = body()
        box.state.withLock { $0 = result }
        done.signal()
    }
    thread.stackSize = bytes
    thread.start()
    done.wait()
    return box.state.withLock { $0! }
}

private final class Box<State: Sendable>: Sendable {
    let state: Lock<State>

    init(_ state: State) { self.state = Lock(state) }
}
