import ReactCore

extension ComputedCore {
    /// Returns the input that leaves from the vertex `wanted`, if it is the next one in line, or the one read just now.
    @inlinable @inline(__always) func nextInput(from wanted: UnsafeRawPointer) -> Unmanaged<AnyBodyEdge>? {
        let (last, input) = inputs.around(next)
        if let input, input._withUnsafeGuaranteedRef({ $0.leaves(from: wanted) }) {
            next &+= 1
            return input
        }
        if let last, last._withUnsafeGuaranteedRef({ $0.leaves(from: wanted) }) { return last }
        return nil
    }
    /// Returns true if `call` is under way on this thread, and may read.
    @usableFromInline func isOpen(to call: UInt64) -> Bool {
        guard call == callCount, state.isOpen, let caller else { return false }
        return Engine.isOfThisThread(caller)
    }
    /// Returns true if the call under way may read. If it is void, gives it up.
    @usableFromInline var isOpenElseGivenUp: Bool {
        if !state.isOpen { state.giveUp() }
        return state.isOpen
    }
    /// Returns the input for a node that is not the next one in line. Connects it if it is new. Returns `nil` if the
    /// call is given up.
    ///
    /// `make` creates the edge.
    @usableFromInline @inline(never) func find(
        _ node: AnyNode, _ call: UInt64, make: (Join) -> AnyBodyEdge
    ) -> AnyBodyEdge? {
        let caller = checkCall(call)
        guard isOpenElseGivenUp else { return nil }
        if let place = place(of: node.vertex) {
            if place >= next {
                exchange(place, next)
                next += 1
            }
            return inputs[min(place, next - 1)].unsafelyUnwrapped.takeUnretainedValue()
        }
        return caller._withUnsafeGuaranteedRef { link(node, $0, make: make) }
    }
    /// Returns the engine that makes the call. Ends the process unless `call` is under way on this thread.
    @discardableResult func checkCall(_ call: UInt64) -> Unmanaged<Engine> {
        let engine = Engine.currentUnretained
        if caller?.toOpaque() == engine.toOpaque(), call == callCount, state.isInCall { return engine }
        refuse(
            "a NodeReader was used outside of the call that it was given to: read inside the body of \(nameInMessages), on its thread"
        )
    }
    private func link(_ node: AnyNode, _ engine: Engine, make: (Join) -> AnyBodyEdge) -> AnyBodyEdge? {
        if node.vertex === vertex { refuseRing([vertex]) }
        let edge = join.unsafelyUnwrapped._withUnsafeGuaranteedRef(make)
        guard edge.unite(with: node, in: engine, orLater: { [self] in requireCall(in: $0) }) else {
            state.awaitLink()
            isLinkLeft = true
            return nil
        }
        guard edge.connect(from: node, in: engine) else {
            // Nobody holds the node any more.
            state.giveUp()
            return nil
        }
        insert(edge)
        confirmHeight(of: edge, engine)
        // A join that is still to fire may change the node's value.
        if !takesAll, let join, join._withUnsafeGuaranteedRef({ $0.waits(toRead: node.vertex, in: engine) }) {
            state.giveUp()
            return nil
        }
        return edge
    }
    /// Disconnects outdated edges if a new edge would close a cycle through them. Ends the process if all edges of a
    /// cycle are up to date.
    private func confirmHeight(of edge: AnyBodyEdge, _ engine: Engine) {
        while true {
            switch CycleSearch(over: edge, in: engine) {
            case .none: return
            case .ring(let vertices): refuseRing(vertices)
            case .outdated(let edges):
                for edge in edges {
                    edge.core.requireCall(in: engine)
                    edge.cancel()
                }
            }
        }
    }
    /// Ends the process because each of these vertices is computed from the one after it, and the last from the first.
    private func refuseRing(_ vertices: [Vertex]) -> Never {
        let names = (vertices + [vertices[0]]).map(\.nameInMessages).joined(separator: " → ")
        refuse(
            "a computed node reads itself: \(names) (each reads the one after it); leave one of these reads out, or make it untracked"
        )
    }
}

extension AnyBodyEdge {
    fileprivate var core: ComputedCore { join.core.takeUnretainedValue() }
}

/// The cycles that a new edge between dynamic joins would close.
enum CycleSearch {
    /// No cycle.
    case none
    /// Only cycles through these edges, which are outdated.
    case outdated([AnyBodyEdge])
    /// A cycle of edges that are up to date. Each vertex is computed from the one after it, and the last from the
    /// first.
    case ring([Vertex])

    /// Searches for ways from the target of `edge` to its source, if the edge is a back edge.
    ///
    /// If a body that is to be called again is on each way, only edges to such bodies are outdated. Otherwise edges to
    /// bodies that were not called in this firing phase are outdated too, because these may yet be called.
    ///
    /// O(vertices downstream).
    init(over edge: AnyBodyEdge, in engine: Engine) {
        self = .none
        guard let source = edge.source?.vertex, edge.isBackEdge,
            let target = edge.target.load(ordering: .acquiring)?.takeUnretainedValue()
        else { return }
        // The vertices downstream of the target, and itself.
        var reached = VertexWalk(from: [target])
        while let vertex = reached.next() { for next in vertex.risingTargets { reached.find(next) } }
        for guessing in [false, true] {
            self = CycleSearch(from: source, upTo: target, within: reached, guessing: guessing, in: engine)
            guard case .ring = self else { return }
        }
    }
    /// Goes upstream from `source` to `target`, through vertices that are `reached` from the target.
    private init(
        from source: Vertex, upTo target: Vertex, within reached: VertexWalk, guessing: Bool, in engine: Engine
    ) {
        var next: [ObjectIdentifier: Vertex] = [:]
        var outdated: [AnyBodyEdge] = []
        var waiting = [source]
        defer { Steps.count(next.count + 1) }
        while let vertex = waiting.popLast() {
            if vertex === target {
                self = .ring(Array(sequence(first: target) { next[ObjectIdentifier($0)] }).reversed())
                return
            }
            for edge in vertex.upstreamEdges {
                guard let earlier = edge.source?.vertex, reached.contains(earlier), !edge.isBackEdge else { continue }
                if let edge = edge as? AnyBodyEdge, edge.core.isOutdated(edge, guessing: guessing, in: engine) {
                    outdated.append(edge)
                    continue
                }
                guard earlier !== source, next[ObjectIdentifier(earlier)] == nil else { continue }
                next[ObjectIdentifier(earlier)] = vertex
                waiting.append(earlier)
            }
        }
        self = outdated.isEmpty ? .none : .outdated(outdated)
    }
}
