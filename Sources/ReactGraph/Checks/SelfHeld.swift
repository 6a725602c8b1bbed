import ReactCore

extension LiveGraph {
    /// Listen edges that hold their own listener, as far as that can be known: by a stored property of an edge of the
    /// user's, which is neither weak nor unowned. What a closure holds nobody can ask.
    var selfHeldListeners: [LintFinding] {
        nodes.enumerated().flatMap { id, node in
            node.listenEdges.compactMap { edge in
                guard let listener = edge.destination, edge.holds(listener) else { return nil }
                let name = "“\(snapshot.nodes[id].title.caption(limit: 40))” (node \(id))"
                return LintFinding(
                    rule: .selfHeld,
                    nodes: [id],
                    edges: [],
                    message: "A \(type(of: listener)) that listens to \(name) is held by the listen edge "
                        + "“\(edge.name.caption(limit: 40))”, which it holds itself: it will never be released.",
                    remedy:
                        "Let the edge know it by a weak property, or by `to` alone; in a closure, capture it weakly."
                )
            }
        }
    }
}

extension AnyListenEdge {
    /// Whether a property of the edge's own class, or of those between that and the library's, is `object` and holds it.
    fileprivate func holds(_ object: AnyObject) -> Bool {
        // A weak property is told of as an optional, an unowned one is not to be told from one that holds; but it counts.
        guard _getUnownedRetainCount(object) == 1 else { return false }
        var mirror: Mirror? = Mirror(reflecting: self)
        while let current = mirror, !String(reflecting: current.subjectType).hasPrefix("ReactCore.") {
            for child in current.children where Mirror(reflecting: child.value).displayStyle == .class {
                if child.value as AnyObject === object { return true }
            }
            mirror = current.superclassMirror
        }
        return false
    }
}
