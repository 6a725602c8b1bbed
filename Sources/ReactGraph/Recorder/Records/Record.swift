import ReactCore

/// A record of one thing that happened. It takes four words; the value that was replaced lies beside it.
///
/// A record names nodes and edges by serial number. It neither holds nor describes them: `ObjectRegistry` has their
/// names.
struct Record: Sendable {
    /// The kind in the lowest byte, the detail in the next, and 48 bits of `first`.
    private let word: UInt64
    let target: UInt
    /// The edge. In a record of a set: the time.
    let edge: UInt
    /// The time. In a record that holds a value: the type and the place of the value.
    let aux: UInt

    /// More on a record.
    ///
    /// The words of an event's record, by its kind:
    /// - `set`, `cleaned`: `target` is the node, `first` the edge whose call did so, `edge` the time. Holds the value
    ///   before.
    /// - `stored`, `emptied`: `first` is the node that the value came from. Holds the value before, as `fired` does.
    /// - `arrived`: `aux` is the number of inputs that still miss a value.
    /// - `queued`, `resumed`: if `edge` brings the value, `first` is the edge's source. If the value was set, `first`
    ///   is the edge whose call set it. The record after `resumed` stores the value.
    /// - `switched`: the edge passes the value of `target` on as if it had come to `first`.
    /// - `scheduled`, `late`, `dropped`: `target` is the word of a `BufferedValueRecord`, or 0.
    /// - `waited`: `target` is the node, `first` a `RecordedWait`, and `edge` the edge that the owner of the graph
    ///   called, or the node whose combination fired there.
    /// - `mark`: `target` is the mark's number.
    enum Detail: UInt8, Sendable {
        case plain
        /// No event: a transaction ended; a call of an edge took the time in `target`; `aux` is the time.
        case transactionEnded, timed, time
        /// Why an edge passed nothing on: `stopped`. It keeps the value for values of another edge if `kept`. The value
        /// told the operator to end if `ended`.
        case notPassedOn, cameRound, wasCut, waitsForOthers, kept, ended
        /// Why a body made no new value: `computed`. See `FiringResult`.
        case same, waits, givenUp, unchanged
        /// Why a value that waited was dropped. See `BufferedValueEvent.Drop`.
        case superseded, connectionEnded, wasBusy
        /// The value of a `replayed` event came while the edge was being linked.
        case cameMeanwhile
        /// The value of a `late` event leaves as a part of the next one.
        case joined
        /// A wait was in vain: `waited`.
        case late
    }

    /// The kind of the event; `nil` for a record that is no event. Safe, because a kind takes one byte, and the
    /// initializer put it there.
    var kind: GraphEvent.Kind? { unsafeBitCast(UInt8(truncatingIfNeeded: word), to: GraphEvent.Kind?.self) }
    var detail: Detail { Detail(rawValue: UInt8(truncatingIfNeeded: word >> 8) & ~Record.valueBits) ?? .plain }
    /// True if the node at `target` was given a value, or emptied.
    var stores: Bool { kind?.stores ?? false }
    var first: UInt { UInt(word >> 16) }
    /// The time of the event; `nil` for kinds that are recorded without reading the clock.
    var time: UInt64? {
        switch kind {
        case .set, .cleaned: UInt64(edge)
        case .heard, .stopped, .arrived, .stored, .emptied, .fired: nil
        default: UInt64(aux)
        }
    }

    /// The serial numbers of the objects that the record names; 0 for none. Its other words, such as a time or the
    /// number of a mark, may equal the serial number of an object that the record has nothing to do with. No node has
    /// the number of an edge, so of a word that may be either, `source` and `edge` have both.
    var objects: (node: UInt, source: UInt, edge: UInt) {
        switch kind {
        case .set, .cleaned: (target, first, first)
        case .queued where edge == 0, .resumed where edge == 0: (target, first, first)
        case .heard: (first, first, edge)
        case .waited: (target, edge, edge)
        case .scheduled, .late, .dropped: (0, first, edge)
        case nil: (0, 0, edge)
        case .batchBegan, .batchEnded, .mark: (0, 0, 0)
        default: (target, first, edge)
        }
    }

    /// The serial numbers of these objects.
    var serials: [UInt] {
        let (node, source, edge) = objects
        return (source == edge ? [node, source] : [node, source, edge]).filter { $0 != 0 }
    }

    // Flags of the value beside the record.
    static let holdsValue: UInt8 = 0x80
    static let ownsMemory: UInt8 = 0x40
    static let isBoxed: UInt8 = 0x20
    static let valueBits: UInt8 = 0xE0
    /// Returns the record, with a value held beside it.
    @inline(__always) func holding(_ value: RecordedValue) -> Record {
        Record(word: word | UInt64(value.marks | Record.holdsValue) << 8, target: target, edge: edge, aux: value.word)
    }
    private var valueMarks: UInt8 { UInt8(truncatingIfNeeded: word >> 8) & Record.valueBits }
    var holdsValue: Bool { valueMarks & Record.holdsValue != 0 }
    var mustDestroyValue: Bool { valueMarks & (Record.ownsMemory | Record.isBoxed) != 0 }
    /// The value beside the record. Precondition: `holdsValue`.
    var value: RecordedValue { RecordedValue(word: aux, marks: valueMarks & ~Record.holdsValue) }
}

extension Record {
    /// Creates a record. `first` is a serial number of 48 bits: that of the edge's source, or of the edge or join that
    /// was being called.
    init(
        _ kind: GraphEvent.Kind?, detail: Detail = .plain, first: UInt = 0, target: UInt = 0, edge: UInt = 0,
        aux: UInt = 0
    ) {
        let low = UInt64(unsafeBitCast(kind, to: UInt8.self)) | UInt64(detail.rawValue) << 8
        self.init(word: low | UInt64(first) << 16, target: target, edge: edge, aux: aux)
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
struct RecordedValue {
    /// The place, in the lowest bits, and above it the address of the type.
    let word: UInt
    let marks: UInt8

    static let placeBits: UInt = 16
    var place: Int { Int(word & (1 << RecordedValue.placeBits - 1)) }
    var type: Any.Type { unsafeBitCast(word >> RecordedValue.placeBits, to: Any.Type.self) }
    var isBoxed: Bool { marks & Record.isBoxed != 0 }
}

extension RecordedValue {
    @inline(__always) init(_ type: Any.Type, at place: UInt, _ marks: UInt8) {
        self.init(word: unsafeBitCast(type, to: UInt.self) << RecordedValue.placeBits | place, marks: marks)
    }
}
