import ReactCore

/// Stores the records of a thread at the time of a reading. Keeps their values alive.
struct ThreadReading: Sendable {
    let number: UInt64
    private let writers: RecordedWriters
    /// The times of the evicted stores.
    let lost: EvictionTimes
    /// The number of evicted records: the position of the first one that is left.
    let evicted: Int
    let records: [Record]
    private let pinned: PinnedChunks

    init(number: UInt64, writers: RecordedWriters, lost: EvictionTimes, _ pinned: PinnedChunks, limit: Int, end: UInt64)
    {
        self.number = number
        self.pinned = pinned
        let chunks = pinned.chunks
        let ranges = chunks.map { chunk in
            Int(chunk.first)..<Int(chunk.first) + chunk.count.load(ordering: .acquiring)
        }
        // The writer may have gone on meanwhile. The newest chunks count as far back as they follow one another without
        // a gap.
        var oldest = max(chunks.count - 1, 0)
        while oldest > 0, ranges[oldest - 1].upperBound == ranges[oldest].lowerBound { oldest -= 1 }
        let begin = chunks.isEmpty ? 0 : ranges[oldest].lowerBound
        let end = max(begin, min(ranges.last?.upperBound ?? 0, Int(clamping: end)))
        evicted = max(begin, end - limit)
        func part(of place: Int, in wanted: Range<Int>) -> UnsafeBufferPointer<Record> {
            let part = ranges[place].clamped(to: wanted)
            return UnsafeBufferPointer(
                start: chunks[place].records + (part.lowerBound - ranges[place].lowerBound), count: part.count)
        }
        let told = evicted..<end
        records = ranges.indices.dropFirst(oldest).flatMap { part(of: $0, in: told) }
        self.writers = writers
        let firstTime = records.lazy.compactMap(\.time).first ?? Recorders.now
        // If chunks were evicted before they could be pinned, their stores are not known, so every node counts as
        // stored to until `firstTime`.
        var lost = lost
        if oldest > 0 { lost.noteAll(until: firstTime) }
        for place in ranges.indices.dropFirst(oldest) {
            lost.note(part(of: place, in: begin..<evicted), before: firstTime)
        }
        self.lost = lost
    }
    /// Returns the name of the thread that wrote the record at `index`, or else its number.
    func name(at index: Int) -> String { text(writers.name(at: evicted + index)) }
    /// The names of the threads that wrote the records, one after the other.
    var names: [String] { writers.names(from: evicted).map(text) }
    private func text(_ name: String) -> String { name.isEmpty ? "thread \(number)" : name }
    /// Describes the value that the record at `index` holds; `nil` if there was none. Runs the value's own code.
    func describedValue(at index: Int) -> String? {
        guard records[index].holdsValue else { return nil }
        let position = evicted + index
        let chunk = pinned.chunks[pinned.chunks.endOfPrefix { $0.first <= position } - 1]
        return chunk.describedValue(at: position - Int(chunk.first))
    }
}

/// Keeps chunks pinned for a reading.
final class PinnedChunks: Sendable {
    let chunks: [RecordChunk]
    /// Takes over chunks that are already pinned.
    init(_ chunks: [RecordChunk]) { self.chunks = chunks.sorted { $0.first < $1.first } }
    deinit { for chunk in chunks { chunk.unpin() } }
}
