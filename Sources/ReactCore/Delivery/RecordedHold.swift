import Synchronization

/// What edges that hold values until later say of them: held, sent on, dropped. Each value has a number, by which the three
/// are told to belong together, on whatever threads they happen.
///
/// Where nothing records when the value comes, it has no number, and nothing is said of it.
package struct RecordedHold: Sendable {
    package typealias Drop = BufferedValueEvent.Drop
    private let number: UInt
    private static let count = Atomic<UInt>(0)

    /// A value that has just come.
    package init() {
        // The highest bits of a record's word: it begins anew after 16 million, and none is 0.
        number = Observers.isOn ? RecordedHold.count.wrappingAdd(1, ordering: .relaxed).oldValue % 0xFF_FFFF + 1 : 0
    }

    // A record's word: the number, and the interval in microseconds, or nothing where that is not known, or longer than 12 days.
    private static let intervalBits: UInt = 40
    private var word: UInt { number << RecordedHold.intervalBits }
    package static func number(in word: UInt) -> UInt { word >> intervalBits }
    package static func interval(in word: UInt) -> Duration? {
        let microseconds = word & (1 << intervalBits - 1)
        return microseconds == 0 ? nil : .microseconds(Int64(microseconds))
    }

    /// `edge` holds the value, for so long where that is known. No lock is held.
    package func begin(at edge: AnyEdge, for interval: Duration? = nil) {
        guard number != 0 else { return }
        // Not by `components`, which end the process where there are more seconds than an `Int64` has room for.
        let microseconds = UInt(clamping: (interval ?? .zero).attoseconds / 1_000_000_000_000)
        let isTold = microseconds >> RecordedHold.intervalBits == 0
        note(.scheduled, edge, microseconds: isTold ? microseconds : 0)
    }
    /// The value goes nowhere. No lock is held.
    package func drop(at edge: AnyEdge, _ why: Drop) { note(.dropped(why), edge) }
    /// Brackets what sends the value on.
    package func sending(_ send: () -> Void) {
        guard number != 0 else { return send() }
        let propagation = Propagation.current
        propagation.wordOfHold = word
        send()
        propagation.wordOfHold = 0
    }
    /// Brackets a listener's call, which is the cause of what it sets.
    package func hearing(by edge: AnyEdge, _ hear: () -> Void) {
        guard number != 0 else { return hear() }
        note(.heard, edge)
        guard let observer = Propagation.current.closedObserver else { return hear() }
        observer.calling(edge, hear)
    }
    /// Tells the observer what the edge does by itself. No lock is held.
    private func note(_ event: BufferedValueEvent, _ edge: AnyEdge, microseconds: UInt = 0) {
        guard number != 0, Observers.isOn else { return }
        let propagation = Propagation.current
        propagation.begin()
        propagation.observer?.buffered(event, word | microseconds, at: edge)
        propagation.end()
    }
}
