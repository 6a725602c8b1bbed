/// A moment on record. Moments of one thread are ordered by its records, moments of several threads by the clock.
///
///     let recorder = GraphRecorder()
///     let before = recorder.mark("before"), after = recorder.mark("after")
///     print(before < after)       // true
public struct GraphMoment: Sendable, Comparable, Hashable, Codable {
    /// Nanoseconds of a clock that never goes back.
    let time: UInt64
    /// The number of the thread.
    let thread: UInt64
    /// The number of records that the thread had made before.
    let position: UInt64

    /// Returns true if the first moment came before the second.
    public static func < (lhs: GraphMoment, rhs: GraphMoment) -> Bool {
        (lhs.time, lhs.thread, lhs.position) < (rhs.time, rhs.thread, rhs.position)
    }
}
