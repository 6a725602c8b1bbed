/// The strongly connected components of all that can be reached from `roots`: the groups of cells in which every cell
/// refers, in the end, to every other. Each comes after those that it refers to.
///
/// Tarjan's algorithm, with a stack of its own, so that a chain may be as long as it likes. Time and memory grow with
/// the number of cells and references; `references` is asked once for each cell.
func stronglyConnectedComponents(
    from roots: [CellAddress],
    references: (CellAddress) -> [CellAddress]
) -> [[CellAddress]] {
    /// A cell on the way from a root to the one that is looked at now.
    struct Step {
        let number: Int
        let references: [CellAddress]
        var next = 0
    }

    var numbers: [CellAddress: Int] = [:]  // in the order of discovery
    var earliest: [Int] = []  // the earliest open cell that each is known to lead back to
    var isOpen: [Bool] = []
    var open: [CellAddress] = []  // discovered, and not yet in a component
    var path: [Step] = []
    var components: [[CellAddress]] = []

    func discover(_ cell: CellAddress) {
        let number = earliest.count
        numbers[cell] = number
        earliest.append(number)
        isOpen.append(true)
        open.append(cell)
        path.append(Step(number: number, references: references(cell)))
    }

    func close(_ number: Int) {
        guard earliest[number] == number else { return }
        let start = open.lastIndex { numbers[$0] == number }!
        let component = Array(open[start...])
        for cell in component { isOpen[numbers[cell]!] = false }
        open.removeSubrange(start...)
        components.append(component)
    }

    for root in roots where numbers[root] == nil {
        discover(root)
        while let step = path.last {
            guard step.next < step.references.count else {
                path.removeLast()
                close(step.number)
                if let previous = path.last {
                    earliest[previous.number] = min(earliest[previous.number], earliest[step.number])
                }
                continue
            }
            path[path.count - 1].next += 1
            let reference = step.references[step.next]
            if let number = numbers[reference] {
                if isOpen[number] { earliest[step.number] = min(earliest[step.number], number) }
            } else {
                discover(reference)
            }
        }
    }
    return components
}
