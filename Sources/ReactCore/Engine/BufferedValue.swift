import Synchronization

/// Reports to the observer that an edge buffers a value, and later sends or drops it. Each value has a number, which
/// ties the three events together, on any threads.
///
/// If nothing observes when the value comes, it has no number, and nothing is reported of it.
package struct BufferedValueRecord: Sendable {
    package typealias Drop = BufferedValueEvent.Drop
    private let number: UInt
    private static let count = Atomic<UInt>(0)

    /// Numbers a value that has just come.
    package init() {
        // The number fills the highest bits of a record's word. It starts over after 16 million, and is never 0.
        number =
            Observers.isOn ? BufferedValueRecord.count.wrappingAdd(1, ordering: .relaxed).oldValue % 0xFF_FFFF + 1 : 0
    }

    /// What a value waits for.
    package enum Wait: UInt {
        /// The time at which its scheduler runs it, or its edge's timer fires.
        case time
        /// The result of the edge's work on it.
        case result
        /// Its turn: the edge works on the values before it.
        case earlierWork
        /// The next array of its edge.
        case nextArray
    }

    // A record's word: the number, two bits for a `Wait`, and the interval in microseconds. The interval is 0 if it is
    // not known, or longer than three days.
    private static let numberShift: UInt = 40, waitShift: UInt = 38
    private static let intervalMask: UInt = 1 << waitShift - 1
    private var word: UInt { number << BufferedValueRecord.numberShift }
    package static func number(in word: UInt) -> UInt { word >> numberShift }
    package static func wait(in word: UInt) -> Wait { Wait(rawValue: word >> waitShift & 3)! }
    package static func interval(in word: UInt) -> Duration? {
        let microseconds = word & intervalMask
        return microseconds == 0 ? nil : .microseconds(Int64(microseconds))
    }

    /// Reports that `edge` buffers the value, for `interval` if that is known. No lock is held.
    package func begin(at edge: AnyEdge, _ wait: Wait = .time, for interval: Duration? = nil) {
        guard number != 0 else { return }
        // `components` would end the process if the seconds did not fit into an `Int64`.
        let microseconds = UInt(clamping: (interval ?? .zero).attoseconds / 1_000_000_000_000)
        let isTold = microseconds <= BufferedValueRecord.intervalMask
        note(.scheduled, edge, wait.rawValue << BufferedValueRecord.waitShift | (isTold ? microseconds : 0))
    }
    /// Reports that the value leaves with another, which is about to be sent. No lock is held.
    package func join(at edge: AnyEdge) { note(.joined, edge) }
    /// Reports that the value is dropped. No lock is held.
    package func drop(at edge: AnyEdge, _ why: Drop) { note(.dropped(why), edge) }
    /// Runs `send`, which sends the value on.
    package func sending(_ send: () -> Void) {
        guard number != 0 else { return send() }
        let engine = Engine.current
        engine.bufferedWord = word
        send()
        engine.bufferedWord = 0
    }
    /// Runs `hear`, a listener's call, and reports it as the cause of the sets that it makes.
    package func hearing(by edge: AnyEdge, _ hear: () -> Void) {
        guard Engine.hasMarks.load(ordering: .relaxed) else { return hearOnRecord(by: edge, hear) }
        let engine = Engine.current
        engine.hearings += 1
        hearOnRecord(by: edge, hear)
        engine.hearings -= 1
    }
    private func hearOnRecord(by edge: AnyEdge, _ hear: () -> Void) {
        guard number != 0 else { return hear() }
        note(.heard, edge)
        guard let observer = Engine.current.keptReports?.observer else { return hear() }
        observer.calling(edge, hear)
    }
    /// Tells the observer of an event at the edge. No lock is held.
    private func note(_ event: BufferedValueEvent, _ edge: AnyEdge, _ wait: UInt = 0) {
        guard number != 0, Observers.isOn else { return }
        let engine = Engine.current
        engine.begin()
        engine.observer?.buffered(event, word | wait, at: edge)
        engine.end()
    }
}

/// The values that an edge still has to send.
package struct BufferedValues {
    /// The oldest value, as text.
    package let first: String
    package let count: Int
    /// The time until the first value may go, if that is known.
    package let rest: Duration?

    package init(first: String, count: Int = 1, rest: Duration? = nil) {
        (self.first, self.count, self.rest) = (first, count, rest)
    }
}
