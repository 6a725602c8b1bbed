// The order of joins that are downstream of a ring. The edge that closes a ring asks for no height, so heights do not say that what is
// downstream of it comes after what is upstream of it. A join there looks itself for a join that is to fire before it: one that is upstream
// of it, and not downstream as well. It costs O(what is upstream), and only joins that a ring through a join leads to.

extension Join {
    /// Lists the join anew behind one that has to fire before it. Answers whether there is one.
    @inline(never) func waitsForUpstream(in propagation: Propagation) -> Bool {
        guard !Rings.areNone, !propagation.joins.isEmpty else { return false }
        let upstream = vertex.allUpstream
        let earlier = propagation.joins.all.first { entry in
            entry.join._withUnsafeGuaranteedRef { other in
                upstream[ObjectIdentifier(other.vertex)] != nil && other !== self
                    && other.vertex.allUpstream[ObjectIdentifier(vertex)] == nil
            }
        }
        guard let earlier else { return false }
        vertex.locking { propagation.joins.insert(self, behind: earlier) }
        return true
    }
}

extension Vertex {
    /// All vertices upstream, this one only if it is in a ring. No lock is held.
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
