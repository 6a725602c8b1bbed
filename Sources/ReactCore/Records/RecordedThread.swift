/// What a thread had on record when it was read. It holds the values.
package struct RecordedThread: Sendable {
    package let number: UInt64
    package let name: String
    /// How many records are gone: the position of the first that is not.
    package let evicted: Int
    package let records: [Record]
    private let pinned: PinnedChunks
    /// Where the records of each chunk begin in `records`; the first may lack some.
    private let parts: [(start: Int, chunk: Int, first: Int)]

    init(number: UInt64, name: String, _ pinned: PinnedChunks, limit: Int, end: UInt64) {
        self.number = number
        self.name = name
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
    }
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
