import Foundation

/// Waits until `condition` holds; a quarter of an hour is a failure, however busy the machine is.
///
/// For what another thread may keep for a moment: wherever there are no associated objects, a test that listens looks at
/// the plain listeners of all tests, and so holds each that is alive, and what each that has gone left over. A recorder that is asked
/// something holds what it knows of the graphs of all tests, until it has answered.
public func eventually(within limit: Duration = .seconds(900), _ condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + limit
    var tries = 0
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        tries += 1
        // What has not come by then may take minutes, in which the other tests need the processor.
        if tries < 100 { sched_yield() } else { usleep(UInt32(min(tries * 10, 20_000))) }
    }
    return true
}
