import ReactCore

/// Returns when nothing is late in the graphs of some nodes: no set, change or link of any thread that could not get the graph in time.
public func waitForLate(at nodes: AnyNode...) { waitForLate(at: nodes) }
/// Returns when nothing is late in the graphs of some nodes.
public func waitForLate(at nodes: [AnyNode]) {
    func isDone() -> Bool { nodes.allSatisfy { LateWork.isDone(at: $0) } }
    // What was late at one node may have left something to another, which was asked before.
    _ = eventually { isDone() && isDone() }
}
