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

    /// The kind of a record: that of an event, or one that is no event.
    ///
    /// - `set`, `cleaned`: `target` is the node, `first` the edge whose call did so, `edge` the time. Holds the value
    ///   before.
    /// - `stored`, `emptied`: `first` is the node that the value came from. Holds the value before, as `fired` does.
    /// - `stopped`: `detail` is a `Refusal`.
    /// - `arrived`: `aux` is the number of inputs that still miss a value.
    /// - `queued`, `resumed`: if `edge` brings the value, `first` is the edge's source. If the value was set, `first`
    ///   is the edge whose call set it. The record after `resumed` stores the value.
    /// - `replayed`: `detail` is `cameMeanwhile` for a value that came while the edge was being linked.
    /// - `switched`: the edge passes the value of `target` on as if it had come to `first`.
    /// - `scheduled`, `late`, `dropped`: `target` is the word of a `BufferedValueRecord`, or 0. The `detail` of a value
    ///   that is dropped is a `BufferedValueRecord.Drop`. That of a value that leaves as a part of another is `joined`.
    /// - `computed`: `detail` is a `ComputedEnd`.
    /// - `mark`: `target` is the mark's number.
    package enum Kind: Sendable {
        case event(GraphEvent.Kind)
        /// A transaction ended.
        case ended
        /// A call of an edge was timed. `target` is its duration.
        case timed
        /// Holds the time alone.
        case time

        /// True if the node at `target` was given a value, or emptied.
        package var stores: Bool { if case .event(let kind) = self { kind.stores } else { false } }
    }
    /// The reason why an edge passed nothing on.
    package enum Refusal: UInt8, Sendable {
        case notPassedOn, cameRound, wasCut, waitsForOthers
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

    /// Safe, because a kind takes one byte, and the initializer put it there.
    package var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: word), to: Kind.self) }
    package var detail: UInt8 { UInt8(truncatingIfNeeded: word >> 8) & ~Record.valueBits }
    package var first: UInt { UInt(word >> 16) }
    /// The time of the event; `nil` for kinds that are recorded without reading the clock.
    package var time: UInt64? {
        switch kind {
        case .event(.set), .event(.cleaned): UInt64(edge)
        case .event(.heard), .event(.stopped), .event(.arrived), .event(.stored), .event(.emptied), .event(.fired): nil
        default: UInt64(aux)
        }
    }

    /// The serial numbers of the nodes and edges that the record names. Its other words, such as a time or the number
    /// of a mark, may equal the serial number of an object that the record has nothing to do with.
    var serials: [UInt] {
        switch kind {
        case .event(.set), .event(.cleaned): [target, first]
        case .event(.scheduled), .event(.late), .event(.dropped): [first, edge]
        case .timed: [edge]
        case .event(.batchBegan), .event(.batchEnded), .event(.mark), .ended, .time: []
        default: [target, first, edge]
        }
    }

    // Flags of the value beside the record.
    /// The detail of a `late` record whose value leaves as a part of the next one.
    static let joined: UInt8 = 1
    /// The detail of a `replayed` record whose value came while the edge was being linked.
    static let cameMeanwhile: UInt8 = 1
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
        let word = UInt64(unsafeBitCast(kind, to: UInt8.self)) | UInt64(detail) << 8 | UInt64(first) << 16
        self.init(word: word, target: target, edge: edge, aux: aux)
    }
    /// Creates the record of an event.
    init(
        _ event: GraphEvent.Kind, detail: UInt8 = 0, first: UInt = 0, target: UInt = 0, edge: UInt = 0, aux: UInt = 0
    ) {
        self.init(Kind.event(event), detail: detail, first: first, target: target, edge: edge, aux: aux)
    }
}

extension GraphEvent.Kind {
    /// True if the event's node was given a value, or emptied.
    var stores: Bool {
        switch self {
        case .set, .cleaned, .stored, .emptied, .fired: true
        default: false
        }
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
