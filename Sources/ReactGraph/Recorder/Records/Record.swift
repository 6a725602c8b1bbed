import ReactCore

/// A record of one thing that happened. It takes four words; the value that was replaced lies beside it.
///
/// A record names nodes and edges by serial number. It neither holds nor describes them: `ObjectRegistry` has their
/// names.
package struct Record: Sendable {
    /// The kind in the lowest byte, the detail in the next, and 48 bits of `first`.
    private let word: UInt64
    package let target: UInt
    /// The edge. In a record of a set: the time.
    package let edge: UInt
    /// The time. In a record that holds a value: the type and the place of the value.
    package let aux: UInt

    /// Kinds with the names of `GraphEvent.Kind`, in its order, and then those that are no events.
    package enum Kind: UInt8, Sendable, CaseIterable {
        /// A program set or emptied a node. `first` is the edge whose call did so, `edge` the time. Holds the value
        /// before.
        case set = 1, cleaned
        /// An edge gave a node a value from `first`, or emptied it. Holds the value before.
        case stored, emptied
        /// An edge called a listener.
        case heard
        /// An edge passed nothing on: `detail` is a `Refusal`.
        case stopped
        /// A join took an input. `aux` is the number of inputs that still miss a value.
        case arrived
        /// A join fired. Holds the value before.
        case fired
        /// A join was left to another thread.
        case left
        /// A value waits until its node is idle. If `edge` brings it, `first` is the edge's source. If it was set,
        /// `first` is the edge whose call set it.
        case queued
        /// A value that waited has its turn. The next record stores it.
        case resumed
        /// A newly linked edge is given its source's value, or, if `detail` is 1, a value that came while it was being
        /// linked.
        case replayed
        case linked, cut
        /// An edge follows `target` from now on, and passes the value of `target` on as if it had come to `first`.
        case switched
        /// An edge holds a value until later; an edge sends such a value, or its listener hears it; an edge drops one,
        /// and `detail` is a `BufferedValueRecord.Drop`. A value that leaves as a part of another has the detail
        /// `joined`. `target` is the word of a `BufferedValueRecord`, or 0.
        case scheduled, late, dropped
        case batchBegan, batchEnded
        /// The body of a node made no new value. `detail` is a `ComputedEnd`.
        case computed
        /// `target` is the mark's number.
        case mark
        /// A transaction ended.
        case ended
        /// A call of an edge was timed. `target` is its duration.
        case timed
        /// Holds the time alone.
        case time

        /// True if the node at `target` was given a value, or emptied.
        package var stores: Bool {
            switch self {
            case .set, .cleaned, .stored, .emptied, .fired: true
            default: false
            }
        }
    }
    /// The reason why an edge passed nothing on.
    package enum Refusal: UInt8, Sendable {
        case notPassedOn, cameRound, wasCut, waitsForOthers, left
        /// The edge keeps the value for values of another edge.
        case kept
        /// The value told the operator to end.
        case ended
    }

    /// The reason why a body made no new value.
    package enum ComputedEnd: UInt8, Sendable {
        /// The value equals the one before.
        case same
        /// A node that it read was empty.
        case waits
        /// The body will be called again: a node that it read had still to change.
        case givenUp
        /// The body was not called, because all values that it had read equal the new ones.
        case unchanged
    }

    package var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: word)).unsafelyUnwrapped }
    package var detail: UInt8 { UInt8(truncatingIfNeeded: word >> 8) & ~Record.valueBits }
    package var first: UInt { UInt(word >> 16) }
    /// The time of the event; `nil` for kinds that are recorded without reading the clock.
    package var time: UInt64? {
        switch kind {
        case .set, .cleaned: UInt64(edge)
        case .heard, .stopped, .arrived, .stored, .emptied, .fired: nil
        default: UInt64(aux)
        }
    }

    /// The serial numbers of the nodes and edges that the record names. Its other words, such as a time or the number
    /// of a mark, may equal the serial number of an object that the record has nothing to do with.
    var serials: [UInt] {
        switch kind {
        case .set, .cleaned: [target, first]
        case .scheduled, .late, .dropped: [first, edge]
        case .timed: [edge]
        case .batchBegan, .batchEnded, .ended, .mark, .time: []
        default: [target, first, edge]
        }
    }

    // Flags of the value beside the record.
    /// The detail of a `late` record whose value leaves as a part of the next one.
    static let joined: UInt8 = 1
    static let holdsValue: UInt8 = 0x80
    static let ownsMemory: UInt8 = 0x40
    static let isBoxed: UInt8 = 0x20
    static let valueBits: UInt8 = 0xE0
    /// Returns the record, with a value held beside it.
    @inline(__always) func holding(_ value: RecordedValue) -> Record {
        Record(word: word | UInt64(value.marks | Record.holdsValue) << 8, target: target, edge: edge, aux: value.word)
    }
    private var valueMarks: UInt8 { UInt8(truncatingIfNeeded: word >> 8) & Record.valueBits }
    package var holdsValue: Bool { valueMarks & Record.holdsValue != 0 }
    var mustDestroyValue: Bool { valueMarks & (Record.ownsMemory | Record.isBoxed) != 0 }
    /// The value beside the record. Precondition: `holdsValue`.
    var value: RecordedValue { RecordedValue(word: aux, marks: valueMarks & ~Record.holdsValue) }
}

extension Record {
    /// Creates a record. `first` is a serial number of 48 bits: that of the edge's source, or of the edge or join that
    /// was being called.
    init(_ kind: Kind, detail: UInt8 = 0, first: UInt = 0, target: UInt = 0, edge: UInt = 0, aux: UInt = 0) {
        let word = UInt64(kind.rawValue) | UInt64(detail) << 8 | UInt64(first) << 16
        self.init(word: word, target: target, edge: edge, aux: aux)
    }
}

/// The place and the type of a value beside a record: two numbers in the record.
package struct RecordedValue {
    /// The place, in the lowest bits, and above it the address of the type.
    let word: UInt
    let marks: UInt8

    static let placeBits: UInt = 16
    var place: Int { Int(word & (1 << RecordedValue.placeBits - 1)) }
    var type: Any.Type { unsafeBitCast(word >> RecordedValue.placeBits, to: Any.Type.self) }
    var isBoxed: Bool { marks & Record.isBoxed != 0 }
    /// There was no room.
    static var none: RecordedValue { RecordedValue(word: 0, marks: 0) }
    @inline(__always) var isNone: Bool { word == 0 }
}

extension RecordedValue {
    @inline(__always) init(_ type: Any.Type, at place: UInt, _ marks: UInt8) {
        self.init(word: unsafeBitCast(type, to: UInt.self) << RecordedValue.placeBits | place, marks: marks)
    }
}
