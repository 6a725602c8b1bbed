import ReactCore

/// One thing that happened: what a flight recorder keeps of it. Four words; the value that was replaced lies beside it.
///
/// Nodes and edges are named by serial number, and neither held nor described: `ObjectRegistry` knows what they are called.
package struct Record: Sendable {
    /// The kind in the lowest byte, the detail in the next, and 48 bits of `first`.
    private let word: UInt64
    package let target: UInt
    /// The edge; or, where that says nothing, the time.
    package let edge: UInt
    /// The time; or, where a value is held, its type and place.
    package let aux: UInt

    package enum Kind: UInt8, Sendable {
        /// A node was set or emptied by a program: `first` is the edge whose call did it, `edge` the time. Holds the value before.
        case set = 1, cleaned
        /// A node was given a value by an edge, from `first`. Holds the value before. Or was emptied by it.
        case stored, emptied
        /// An edge called a listener.
        case heard
        /// An edge passed nothing on: `detail` is a `Refusal`.
        case stopped
        /// A join took an input; `aux` counts those that it misses.
        case arrived
        /// A join fired. Holds the value before.
        case fired
        /// A join was left to another thread.
        case left
        /// A value waits until its node has been served. Where `edge` brings it, `first` is its source; of a set, the edge whose
        /// call set it.
        case queued
        /// A value that waited has its turn: the next record stores it.
        case resumed
        /// An edge that was linked is given its source's value: at once, or, where `detail` is 1, what came meanwhile.
        case replayed
        case linked, cut
        /// An edge holds a value until later; sends it, or has it heard; drops it, where `detail` is a `BufferedValueRecord.Drop`.
        /// `target` is the word of a `BufferedValueRecord`, or 0.
        case scheduled, late, dropped
        case batchBegan, batchEnded
        /// The outermost set, or what else set things off, has been served.
        case ended
        /// A node's body was called, and made no new value: `detail` is a `ComputedEnd`.
        case computed
        /// `target` is the mark's number.
        case mark
        /// A call of an edge was timed: `target` is how long it took.
        case timed
        /// Nothing but the time.
        case time
        /// An edge follows `target` from now on, and passes its value on as what has come to `first`.
        case switched

        /// Whether the node at `target` was given a value, or emptied.
        package var stores: Bool {
            switch self {
            case .set, .cleaned, .stored, .emptied, .fired: true
            default: false
            }
        }
    }
    /// Why an edge passed nothing on.
    package enum Refusal: UInt8, Sendable {
        case notPassedOn, cameRound, wasCut, waitsForOthers, left
    }

    /// What a body came to that made no new value.
    package enum ComputedEnd: UInt8, Sendable {
        /// The value equals the one before.
        case same
        /// What it read was empty.
        case waits
        /// It is called again later: what it read was still to change.
        case givenUp
        /// It was not called: all that it read equals what came.
        case unchanged
    }

    package var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: word)).unsafelyUnwrapped }
    package var detail: UInt8 { UInt8(truncatingIfNeeded: word >> 8) & ~Record.valueBits }
    package var first: UInt { UInt(word >> 16) }
    /// When it happened; `nil` for what is recorded without looking at the clock.
    package var time: UInt64? {
        switch kind {
        case .set, .cleaned: UInt64(edge)
        case .heard, .stopped, .arrived, .stored, .emptied, .fired: nil
        default: UInt64(aux)
        }
    }

    // What lies beside the record.
    static let holdsValue: UInt8 = 0x80
    static let ownsMemory: UInt8 = 0x40
    static let isBoxed: UInt8 = 0x20
    static let valueBits: UInt8 = 0xE0
    /// The same record, with the value that is held beside it.
    @inline(__always) func holding(_ value: RecordedValue) -> Record {
        Record(word: word | UInt64(value.marks | Record.holdsValue) << 8, target: target, edge: edge, aux: value.word)
    }
    private var valueMarks: UInt8 { UInt8(truncatingIfNeeded: word >> 8) & Record.valueBits }
    package var holdsValue: Bool { valueMarks & Record.holdsValue != 0 }
    var mustDestroyValue: Bool { valueMarks & (Record.ownsMemory | Record.isBoxed) != 0 }
    /// What is held beside it. Precondition: there is something.
    var value: RecordedValue { RecordedValue(word: aux, marks: valueMarks & ~Record.holdsValue) }
}

extension Record {
    /// `first` is a serial number, of 48 bits: where the edge leaves from, or what was being called.
    init(_ kind: Kind, detail: UInt8 = 0, first: UInt = 0, target: UInt = 0, edge: UInt = 0, aux: UInt = 0) {
        let word = UInt64(kind.rawValue) | UInt64(detail) << 8 | UInt64(first) << 16
        self.init(word: word, target: target, edge: edge, aux: aux)
    }
}

/// Where a value lies beside a record, and what it is: two numbers in the record.
package struct RecordedValue {
    /// The place in the lowest bits, and above them the address of the type.
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
