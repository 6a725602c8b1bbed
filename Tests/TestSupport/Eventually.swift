import Foundation

/// Waits until `condition` holds; a quarter of an hour is a failure, however busy the machine is.
///
/// For what another thread may keep for a moment: wherever there are no associated objects, a test that listens looks at
/// the plain listeners of all tests, and so holds each that is alive, and what each that has gone left over.
public func eventually(_ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(900)
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        sched_yield()
    }
    return true
}
