/// Which vertices values came through, for those who ask after the delivery has moved on: joins and sender lists.
///
/// A visit points to the one before it, so that paths share what they have in common, as they branch like the graph.
/// Records last until the outermost set on the thread ends. What has to last longer is made a `SenderPath`.
///
/// Invariant: a record holds its vertex, and its path if it has one; `previous` is a smaller index, or -1, and then the
/// record's path may go on further back.
@usableFromInline struct Visits {
    @usableFromInline typealias Index = Int32

    private struct Visit {
        let vertex: Unmanaged<Vertex>
        let previous: Index
        /// The whole path that ends here, once someone asked for it.
        var path: Unmanaged<SenderPath>?
    }
    private var visits = UnsafeMutablePointer<Visit>.allocate(capacity: Visits.firstCapacity)
    private var count = 0
    private var capacity = Visits.firstCapacity
    private static let firstCapacity = 16

    var isEmpty: Bool { count == 0 }

    @inline(__always) mutating func append(_ vertex: Unmanaged<Vertex>, after previous: Index) -> Index {
        append(Visit(vertex: vertex.retain(), previous: previous, path: nil))
    }
    mutating func append(_ path: SenderPath) -> Index {
        append(Visit(vertex: .passRetained(path.vertex), previous: -1, path: .passRetained(path)))
    }
    @inline(__always) private mutating func append(_ visit: Visit) -> Index {
        if count == capacity { grow() }
        visits.advanced(by: count).initialize(to: visit)
        count += 1
        return Index(count - 1)
    }

    /// O(n).
    func path(_ index: Index, contains vertex: Vertex) -> Bool {
        let wanted = Unmanaged.passUnretained(vertex).toOpaque()
        var index = Int(index)
        while index >= 0 {
            if visits[index].vertex.toOpaque() == wanted { return true }
            if visits[index].previous < 0, let path = visits[index].path {
                return path._withUnsafeGuaranteedRef { $0.contains(vertex) }
            }
            index = Int(visits[index].previous)
        }
        return false
    }
    /// The path that ends at `index`. O(n) the first time, for what it does not share with earlier ones.
    func path(_ index: Index) -> SenderPath? {
        var unknown: [Int] = []
        var index = Int(index)
        while index >= 0, visits[index].path == nil {
            unknown.append(index)
            index = Int(visits[index].previous)
        }
        var path = index >= 0 ? visits[index].path?.takeUnretainedValue() : nil
        for index in unknown.reversed() {
            let longer = SenderPath(visits[index].vertex.takeUnretainedValue(), after: path)
            visits[index].path = .passRetained(longer)
            path = longer
        }
        return path
    }

    /// Lets go of all, the newest first. What that sets off may add records; they go too.
    mutating func removeAll() {
        while count > 0 {
            count -= 1
            let visit = visits[count]
            visit.vertex.release()
            visit.path?.release()
        }
        if capacity > 1 << 12 { resize(to: Visits.firstCapacity) }
    }
    func deallocate() { visits.deallocate() }

    @inline(never) private mutating func grow() { resize(to: capacity * 2) }
    private mutating func resize(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<Visit>.allocate(capacity: newCapacity)
        larger.moveInitialize(from: visits, count: count)
        visits.deallocate()
        visits = larger
        capacity = newCapacity
    }
}
