/// One thing that happened: what a flight recorder keeps of it. Four words; the value that was replaced lies beside it.
///
/// Nodes and edges are named by address, and neither held nor described: `RecordedObjects` knows, at any time, what was where.
package struct Record: Sendable {
    /// The kind in the lowest byte, the detail in the next, and 48 bits of `first`.
    private let word: UInt64
    package let target: UInt
    /// The edge; or, where that says nothing, the time.
    package let edge: UInt
    /// The time; or, where a value is held, its type.
    package fileprivate(set) var aux: UInt

    /// `first` is an address: where the edge leaves from, or what was being called.
    init(_ kind: Kind, detail: UInt8 = 0, first: UInt = 0, target: UInt = 0, edge: UInt = 0, aux: UInt = 0) {
        word = UInt64(kind.rawValue) | UInt64(detail) << 8 | UInt64(first) << 16
        self.target = target
        self.edge = edge
        self.aux = aux
    }

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
        /// An edge that was linked is given its source's value; at once, or what came meanwhile.
        case replayed
        case linked, cut
        /// An edge holds a value until later; sends it, or has it heard; drops it, where `detail` is a `RecordedHold.Drop`.
        /// `target` is the word of a `RecordedHold`, or 0.
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
    /// The same record, with what is held beside it.
    func holding(_ type: Any.Type, _ bits: UInt8) -> Record {
        var record = Record(self, detail: UInt8(truncatingIfNeeded: word >> 8) | bits | Record.holdsValue)
        record.aux = unsafeBitCast(type, to: UInt.self)
        return record
    }
    private init(_ record: Record, detail: UInt8) {
        word = record.word & ~0xFF00 | UInt64(detail) << 8
        target = record.target
        edge = record.edge
        aux = record.aux
    }
    private var valueMarks: UInt8 { UInt8(truncatingIfNeeded: word >> 8) & Record.valueBits }
    package var holdsValue: Bool { valueMarks & Record.holdsValue != 0 }
    var mustDestroyValue: Bool { valueMarks & (Record.ownsMemory | Record.isBoxed) != 0 }
    var isBoxed: Bool { valueMarks & Record.isBoxed != 0 }
    var valueType: Any.Type { unsafeBitCast(aux, to: Any.Type.self) }
}

/// Room for a value beside a record: what fits lies here, what does not in a box.
enum RecordCell {
    static let size = 16
    static let alignment = 16

    /// Copies a value here; returns the marks of the record beside it. Calls no code of the user's.
    @inline(__always) static func fill<Held>(_ cell: UnsafeMutableRawPointer, with value: Held) -> UInt8 {
        guard MemoryLayout<Held>.size <= size, MemoryLayout<Held>.alignment <= alignment else {
            let box = UnsafeMutablePointer<Held>.allocate(capacity: 1)
            box.initialize(to: value)
            cell.storeBytes(of: UnsafeMutableRawPointer(box), as: UnsafeMutableRawPointer.self)
            return Record.isBoxed
        }
        cell.initializeMemory(as: Held.self, to: value)
        return _isPOD(Held.self) ? 0 : Record.ownsMemory
    }
    /// Lets go of what is held here.
    static func empty(_ cell: UnsafeMutableRawPointer, _ record: Record) {
        func destroy<Held>(_: Held.Type) {
            let value = place(cell, record).assumingMemoryBound(to: Held.self)
            value.deinitialize(count: 1)
            if record.isBoxed { value.deallocate() }
        }
        _openExistential(record.valueType, do: destroy)
    }
    /// The value as text; `nil` where it is none.
    static func describe(_ cell: UnsafeMutableRawPointer, _ record: Record) -> String? {
        func describe<Held: Holdable>(_: Held.Type) -> String? {
            place(cell, record).assumingMemoryBound(to: Held.self).pointee.describedIfAny
        }
        guard let type = record.valueType as? any Holdable.Type else { return nil }
        return describe(type)
    }
    private static func place(_ cell: UnsafeMutableRawPointer, _ record: Record) -> UnsafeMutableRawPointer {
        record.isBoxed ? cell.load(as: UnsafeMutableRawPointer.self) : cell
    }
}
