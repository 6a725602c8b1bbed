import ReactCore

/// Returns when nothing is late in the graphs of some nodes: no set, change or link of any thread that could not get the graph in time.
public func waitForLate(at nodes: AnyNode...) { _ = eventually { nodes.allSatisfy { LateWork.isDone(at: $0) } } }
