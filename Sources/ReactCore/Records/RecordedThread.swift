/// What a thread had on record when it was read. It holds the values.
package struct RecordedThread: Sendable {
    package let number: UInt64
    private let writers: RecordedWriters
    /// See `LostStores`.
    private let lost: [UInt64]
    /// How many records are gone: the position of the first that is not.
    package let evicted: Int
    package let records: [Record]
    private let pinned: PinnedChunks
    /// Where the records of each chunk begin in `records`; the first may lack some.
    private let parts: [(start: Int, chunk: Int, first: Int)]

    init(number: UInt64, writers: RecordedWriters, lost: [UInt64], _ pinned: PinnedChunks, limit: Int, end: UInt64) {
        self.number = number
        self.pinned = pinned
        let chunks = pinned.chunks
        let ranges = chunks.map { chunk in
            Int(chunk.first)..<Int(chunk.first) + chunk.count.load(ordering: .acquiring)
        }
        // The writer may have gone on meanwhile: the newest are told as far as they follow one another.
        var oldest = max(chunks.count - 1, 0)
        while oldest > 0, ranges[oldest - 1].upperBound == ranges[oldest].lowerBound { oldest -= 1 }
        let begin = chunks.isEmpty ? 0 : ranges[oldest].lowerBound
        let end = max(begin, min(ranges.last?.upperBound ?? 0, Int(clamping: end)))
        evicted = max(begin, end - limit)
        var records: [Record] = [], parts: [(start: Int, chunk: Int, first: Int)] = []
        records.reserveCapacity(end - evicted)
        for place in ranges.indices.dropFirst(oldest) {
            let told = ranges[place].clamped(to: evicted..<end)
            if told.isEmpty { continue }
            let first = told.lowerBound - ranges[place].lowerBound
            parts.append((records.count, place, first))
            records.append(
                contentsOf: UnsafeBufferPointer(start: chunks[place].records + first, count: told.count))
        }
        self.records = records
        self.parts = parts
        self.writers = writers
        let firstTime = records.lazy.compactMap(\.time).first ?? Recording.now
        // Where some were gone before they could be pinned, what others held is not known.
        var lost = oldest == 0 ? lost : lost.map { max($0, firstTime) }
        for place in ranges.indices.dropFirst(oldest) {
            let gone = ranges[place].clamped(to: begin..<evicted)
            let first = chunks[place].records + (gone.lowerBound - ranges[place].lowerBound)
            LostStores.each(UnsafeBufferPointer(start: first, count: gone.count), before: firstTime) { place, time in
                lost[place] = max(lost[place], time)
            }
        }
        self.lost = lost
    }
    /// What the thread was called that wrote the record at `index`: its name, or its number.
    package func name(at index: Int) -> String { text(writers.name(at: evicted + index)) }
    /// What the threads were called that have written what is on record, one after the other.
    package var names: [String] { writers.names(from: evicted).map(text) }
    private func text(_ name: String) -> String { name.isEmpty ? "thread \(number)" : name }
    /// Until when the thread may have stored to the node at an address what is no longer on record; 0 where it has not.
    package func lastLostStore(to node: UInt) -> UInt64 { lost[LostStores.place(of: node)] }
    /// The value that the record at `index` holds, as text; `nil` where there was none. It is described by its own code.
    package func describedValue(at index: Int) -> String? {
        guard records[index].holdsValue else { return nil }
        var low = 0, high = parts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if parts[middle].start <= index { low = middle } else { high = middle }
        }
        let part = parts[low]
        return pinned.chunks[part.chunk].describedValue(at: part.first + index - part.start)
    }
}

/// Chunks that somebody reads.
final class PinnedChunks: Sendable {
    let chunks: [RecordChunk]
    /// Takes chunks that are pinned.
    init(_ chunks: [RecordChunk]) { self.chunks = chunks.sorted { $0.first < $1.first } }
    deinit { for chunk in chunks { chunk.unpin() } }
}
