/// Returns the strongly connected components of all cells that can be reached from `roots`: the groups in which every
/// cell refers to every other, directly or indirectly. Each component comes after the components that it refers to.
///
/// Uses Tarjan's algorithm, with a stack of its own, so that a chain may have any length. Time and memory are linear in
/// the number of cells and references. `references` is called once for each cell.
func stronglyConnectedComponents<Cell: Hashable>(
    from roots: some Sequence<Cell>,
    references: (Cell) -> [Cell]
) -> Components<Cell> {
    var numbers: [Cell: Int] = [:]  // in the order of discovery
    var earliest: [Int] = []  // for each cell, the earliest open cell that it is known to lead back to
    var isOpen: [Bool] = []
    var open: [(cell: Cell, number: Int)] = []  // discovered, and not yet in a component
    var path: [(number: Int, references: [Cell], next: Int)] = []  // from a root to the present cell
    var components = Components<Cell>()

    func discover(_ cell: Cell) {
        let number = earliest.count
        numbers[cell] = number
        earliest.append(number)
        isOpen.append(true)
        open.append((cell, number))
        path.append((number, references(cell), 0))
    }

    func close(_ number: Int) {
        guard earliest[number] == number else { return }
        let start = open.lastIndex { $0.number == number }!
        components.append(open[start...].lazy.map(\.cell))
        for closed in open[start...] { isOpen[closed.number] = false }
        open.removeSubrange(start...)
    }

    for root in roots where numbers[root] == nil {
        discover(root)
        while !path.isEmpty {
            // Read in place, because a copy of the step would retain and release its references each time.
            let step = (number: path[path.count - 1].number, next: path[path.count - 1].next)
            guard step.next < path[path.count - 1].references.count else {
                path.removeLast()
                close(step.number)
                if let previous = path.last {
                    earliest[previous.number] = min(earliest[previous.number], earliest[step.number])
                }
                continue
            }
            path[path.count - 1].next += 1
            let reference = path[path.count - 1].references[step.next]
            if let number = numbers[reference] {
                if isOpen[number] { earliest[step.number] = min(earliest[step.number], number) }
            } else {
                discover(reference)
            }
        }
    }
    return components
}

/// Groups of cells, one after another. All are in one array, because most groups have one cell.
struct Components<Cell>: RandomAccessCollection {
    /// All cells, in order.
    private(set) var items: [Cell] = []
    /// The end of each group.
    private var ends: [Int] = []

    let startIndex = 0
    var endIndex: Int { ends.count }
    subscript(group: Int) -> ArraySlice<Cell> { items[(group == 0 ? 0 : ends[group - 1])..<ends[group]] }

    fileprivate mutating func append(_ group: some Sequence<Cell>) {
        items += group
        ends.append(items.count)
    }
}
