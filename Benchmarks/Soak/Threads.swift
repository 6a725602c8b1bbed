import Foundation
import ReactCore

/// Runs `body` on the given number of threads at once, each with its index, and returns when all are done. Throws the
/// first error.
func onThreads(_ count: Int, stackSize: Int? = nil, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let failure = FirstFailure()
    let done = DispatchGroup()
    for index in 0..<count {
        done.enter()
        let thread = Thread {
            failure.catching { try body(index) }
            done.leave()
        }
        if let stackSize { thread.stackSize = stackSize }
        thread.start()
    }
    done.wait()
    try failure.rethrow()
}

/// The first error of several threads, or of a listener, which cannot throw.
final class FirstFailure: Sendable {
    private let error = Lock<Violation?>(nil)

    func catching(_ body: () throws -> Void) {
        do { try body() } catch { record(error as? Violation ?? Violation("\(error)")) }
    }
    func record(_ violation: Violation) {
        error.withLock { $0 = $0 ?? violation }
    }
    func rethrow() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }
}
