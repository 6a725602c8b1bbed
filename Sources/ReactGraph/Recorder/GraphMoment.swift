/// A moment on record. Ordered on one thread by what happened, across threads by the clock.
///
///     let recorder = GraphRecorder()
///     let before = recorder.mark("before"), after = recorder.mark("after")
///     print(before < after)       // true
public struct GraphMoment: Sendable, Comparable, Hashable, Codable {
    /// Nanoseconds of a clock that does not go back.
    let time: UInt64
    /// The number of the thread.
    let thread: UInt64
    /// How many records the thread had made before.
    let position: UInt64

    /// Whether the first came before the second.
    public static func < (lhs: GraphMoment, rhs: GraphMoment) -> Bool {
        (lhs.time, lhs.thread, lhs.position) < (rhs.time, rhs.thread, rhs.position)
    }
}
