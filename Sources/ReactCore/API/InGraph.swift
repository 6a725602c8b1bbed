extension AnyNode {
    /// Does `body` as a transaction in the graph of the node: now, after a wait, or later.
    package final func inGraph(_ body: @escaping () -> Void) {
        Engine.current.transaction { $0.perform(in: vertex) { _ in body() } }
    }
}
extension AnyEdge {
    /// Repeats `step` in the graph of the edge's target, each time as a transaction of its own, while `goesOn` returns
    /// true: now, after a wait, or later. So nothing that `step` sends there overtakes an earlier step that is late. If
    /// the edge leads to no node, the steps are done at once.
    ///
    /// `again`: Calls its argument where late steps may be done, such as on a queue. `nil` for a thread of the library.
    package final func repeatInGraphOfTarget(
        while goesOn: @escaping @Sendable () -> Bool,
        again: (@Sendable (_ work: @escaping @Sendable () -> Void) -> Void)?,
        _ step: @escaping @Sendable () -> Void
    ) {
        var isLate = false
        while !isLate, goesOn() {
            guard let target = targetVertex else {
                step()
                continue
            }
            Engine.current.transaction { engine in
                engine.perform(in: target, ifPutOff: { isLate = true }) { [self] _ in
                    if !isLate {
                        step()
                    } else if let again {
                        Engine.whenOver { again { self.repeatInGraphOfTarget(while: goesOn, again: again, step) } }
                    } else {
                        step()
                        AnyEdge.repeatLate(in: target, while: goesOn, step)
                    }
                }
            }
        }
    }
    private static func repeatLate(
        in target: Vertex, while goesOn: @escaping () -> Bool, _ step: @escaping () -> Void
    ) {
        guard goesOn() else { return }
        LateWork.add(in: target) { _ in
            step()
            repeatLate(in: target, while: goesOn, step)
        }
    }
}
