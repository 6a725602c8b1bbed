/// The dependents of each cell and segment of a loaded sheet, so that an edit finds the formulas to link without a
/// search.
///
/// Every cell and segment that a formula reads, directly or by a segment, has a number. Formulas and segments are
/// numbered in the order in which they were computed, so an input has a lower number than its dependents. The
/// dependents of all are in one array, because a sheet may have millions of them.
struct Dependents {
    private let items: [Sheet.Item]
    /// The number of numbers. Cells know their own.
    private var count: Int32 = 0
    private var segments: [Segment: Int32] = [:]
    /// The place in `list` of the first dependent of each number, and the end of the last one's.
    private var starts: [Int32] = []
    private var list: [Int32] = []

    /// `items` are those that were computed, in order. `inputs` returns the cells and segments that an item reads.
    init(of items: [Sheet.Item], inputs: (Sheet.Item) -> [Sheet.Item]) {
        self.items = items
        for item in items { _ = newNumber(for: item) }
        // The input of each dependence, item by item.
        var sources: [Int32] = []
        var ends: [Int32] = []
        for item in items {
            for input in inputs(item) { sources.append(number(of: input) ?? newNumber(for: input)) }
            ends.append(Int32(sources.count))
        }
        starts = Array(repeating: 0, count: Int(count) + 1)
        for source in sources { starts[Int(source) + 1] += 1 }
        for number in 0..<Int(count) { starts[number + 1] += starts[number] }
        var next = starts
        list = Array(repeating: 0, count: sources.count)
        var place = 0
        for (item, end) in ends.enumerated() {
            while place < Int(end) {
                let source = Int(sources[place])
                list[Int(next[source])] = Int32(item)
                next[source] += 1
                place += 1
            }
        }
    }
    private mutating func newNumber(for item: Sheet.Item) -> Int32 {
        defer { count += 1 }
        switch item {
        case .cell(let cell): cell.number = count
        case .segment(let segment): segments[segment] = count
        }
        return count
    }
    private func number(of item: Sheet.Item) -> Int32? {
        switch item {
        case .cell(let cell): cell.number < 0 ? nil : cell.number
        case .segment(let segment): segments[segment]
        }
    }

    /// Returns the items that depend on `roots`, directly or not, and those of `roots` that were computed. Inputs come
    /// first. Does not go beyond an item for which `isDone` returns true.
    ///
    /// Takes time for the result alone.
    func all(on roots: [Sheet.Item], unless isDone: (Sheet.Item) -> Bool) -> [Sheet.Item] {
        var found: Set<Int32> = []
        var waiting = roots.compactMap { number(of: $0) }
        while let number = waiting.popLast() {
            if Int(number) < items.count, !isDone(items[Int(number)]) { found.insert(number) }
            for dependent in list[Int(starts[Int(number)])..<Int(starts[Int(number) + 1])]
            where !isDone(items[Int(dependent)]) && !found.contains(dependent) {
                found.insert(dependent)
                waiting.append(dependent)
            }
        }
        return found.sorted().map { items[Int($0)] }
    }
}
