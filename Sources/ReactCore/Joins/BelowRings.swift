// The order of joins that are downstream of a cycle. A back edge does not raise its target, so heights do not order the
// vertices downstream of it after those upstream of it. A join there searches for a pending join that has to fire
// before it: one that is upstream of it and not downstream as well. The search costs O(vertices upstream), and only for
// joins downstream of a back edge.

extension Join {
    /// Lists the join again behind a join that has to fire before it. Returns whether there is such a join.
    @inline(never) func waitsForUpstream(in engine: Engine) -> Bool {
        guard !BackEdges.areNone, !engine.joins.isEmpty else { return false }
        let upstream = vertex.allUpstream
        let earlier = engine.joins.all.first { entry in
            entry.join._withUnsafeGuaranteedRef { other in
                upstream[ObjectIdentifier(other.vertex)] != nil && other !== self
                    && other.vertex.allUpstream[ObjectIdentifier(vertex)] == nil
            }
        }
        guard let earlier else { return false }
        vertex.locking { engine.joins.insert(self, behind: earlier) }
        return true
    }
}

extension Vertex {
    /// All vertices upstream, including this one only if it is in a cycle. No lock is held.
    fileprivate final var allUpstream: [ObjectIdentifier: Vertex] {
        var found: [ObjectIdentifier: Vertex] = [:]
        var waiting = [self]
        while let vertex = waiting.popLast() {
            for edge in vertex.locking({ vertex.upstream.all }) {
                guard let source = edge.source?.vertex,
                    found.updateValue(source, forKey: ObjectIdentifier(source)) == nil
                else { continue }
                waiting.append(source)
            }
        }
        return found
    }
}
