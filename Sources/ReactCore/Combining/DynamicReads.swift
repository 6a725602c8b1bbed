extension DynamicJoin {
    /// The input for a node that is not the next one in line, linked if it is none yet; `nil` where the call is given up.
    ///
    /// `make` makes the edge.
    @usableFromInline @inline(never) func find(
        _ node: AnyNode, _ call: UInt64, make: (Join) -> AnyDynamicInput
    ) -> AnyDynamicInput? {
        let bits = vertex.lock()
        let caller = checkCall(call, bits)
        if openCall == 0 { isGivenUp = true }
        guard !isGivenUp else {
            vertex.unlock(bits)
            return nil
        }
        if let place = place(of: node.vertex) {
            let isFirst = place >= next
            if isFirst {
                exchange(place, next)
                next += 1
            }
            let input = inputs[min(place, next - 1)].unsafelyUnwrapped.takeUnretainedValue()
            let old = isFirst ? input.takeValueRead() : nil
            vertex.unlock(bits)
            withExtendedLifetime(old) {}
            return input
        }
        vertex.unlock(bits)
        return caller._withUnsafeGuaranteedRef { link(node, $0, make: make) }
    }
    /// Who makes the call, which has to be the one under way, and this thread's. The lock is held; `bits` are those to unlock with.
    func checkCall(_ call: UInt64, _ bits: UInt32) -> Unmanaged<Propagation> {
        if call == calls, let caller, caller.toOpaque() == Propagation.currentUnretained.toOpaque() { return caller }
        vertex.unlock(bits)
        misuse("a NodeReader was used outside of the call that it was given to: read inside the body, on its thread")
    }
    private func link(
        _ node: AnyNode, _ propagation: Propagation, make: (Join) -> AnyDynamicInput
    ) -> AnyDynamicInput? {
        if node.vertex === vertex { refuseRing([vertex]) }
        var time: UInt64 = 0
        var isOfPulse = false
        guard let join, case let input = join._withUnsafeGuaranteedRef(make),
            input.connect(
                from: node, to: vertex,
                reading: {
                    input.load(from: $0)
                    time = $0.timeElsewhere(than: propagation)
                    isOfPulse = propagation.pulseHeld(by: $0) != nil
                })
        else {
            // Nobody has the node any more.
            vertex.locking { isGivenUp = true }
            return nil
        }
        vertex.locking {
            insert(input)
            if isOfPulse { note(pulseAt: input, until: calls) }
        }
        let isConfirmed = confirmHeight(of: input, propagation)
        // The next call links it anew, and so asks again whether it closes a ring.
        if !isConfirmed { input.cancel() }
        let isEarly =
            !isConfirmed || propagation.hasPending(atMost: node.vertex.height)
            || propagation.isOthers(time) && join._withUnsafeGuaranteedRef { $0.wait(for: time, in: propagation) }
        if isEarly {
            vertex.locking {
                isGivenUp = true
                openCall = 0
            }
            return nil
        }
        return input
    }
    /// Makes way for a new edge that would close a ring, if edges that are out of date are all that is in it. Answers `false` where
    /// that will be known when another thread's set is over, for which the join waits then, or has come to this call meanwhile.
    private func confirmHeight(of input: AnyDynamicInput, _ propagation: Propagation) -> Bool {
        var isRing = false
        while true {
            switch WayBack(over: input, in: propagation) {
            case .none: return true
            case .ring(let vertices):
                if waits(forSetsAbove: vertices, in: propagation) { return false }
                // Such a set may have been over in the meantime: by now it has come to whatever has read something else then.
                if vertex.locking({ isTorn }) { return false }
                if isRing { refuseRing(vertices) }
                isRing = true
            case .outdated(let edges):
                for edge in edges {
                    edge.dynamic.request(in: propagation)
                    edge.cancel()
                }
            }
        }
    }
    /// Waits for another thread's set that has come to what one of the `vertices` is made of, if there is one: it may have that read
    /// something else. O(what is upstream).
    private func waits(forSetsAbove vertices: [Vertex], in propagation: Propagation) -> Bool {
        guard let join else { return false }
        var seen = Set(vertices.map { ObjectIdentifier($0) })
        var waiting = vertices
        while let vertex = waiting.popLast() {
            let (time, edges) = vertex.locking { (vertex.timeElsewhere(than: propagation), vertex.upstream.all) }
            if propagation.isOthers(time), join._withUnsafeGuaranteedRef({ $0.wait(for: time, in: propagation) }) {
                return true
            }
            for edge in edges {
                guard let source = edge.source?.vertex, seen.insert(ObjectIdentifier(source)).inserted else { continue }
                waiting.append(source)
            }
        }
        return false
    }
}

/// A call of a body: what it reads by. Of no use after it.
@usableFromInline package struct DynamicCall: Sendable {
    @usableFromInline let join: DynamicJoin
    @usableFromInline let number: UInt64

    @usableFromInline init(join: DynamicJoin, number: UInt64) {
        self.join = join
        self.number = number
    }
    /// The node's value, and from now on an input; `nil` where it has none, or the call is given up.
    @inlinable @inline(__always) package func read<Value>(_ node: Node<Value>) -> Value? {
        let wanted = UnsafeRawPointer(Unmanaged.passUnretained(node.vertex).toOpaque())
        let vertex = join.vertex
        let bits = vertex.lock()
        let place = join.next
        if join.openCall == number, place < join.count, let input = join.inputs[place] {
            var old: Value??
            let found: (isNext: Bool, value: Value?) = input._withUnsafeGuaranteedRef { input in
                guard input.sourceVertex == wanted else { return (false, nil) }
                let input = unsafeDowncast(input, to: DynamicInput<Value>.self)
                if input.valueRead != nil { swap(&old, &input.valueRead) }
                return (true, input.value)
            }
            if found.isNext {
                join.next = place &+ 1
                vertex.unlock(bits)
                withExtendedLifetime(old) {}
                return found.value
            }
        }
        vertex.unlock(bits)
        return find(node)
    }
    @inlinable @inline(never) func find<Value>(_ node: Node<Value>) -> Value? {
        guard let input = join.find(node, number, make: { DynamicInput<Value>(join, $0, of: node) }) else { return nil }
        let bits = join.vertex.lock()
        // In one with the look at the value: another thread may just have changed what was read before.
        let isOpen = join.openCall == number
        if !isOpen { join.isGivenUp = true }
        let value = isOpen ? unsafeDowncast(input, to: DynamicInput<Value>.self).value : nil
        join.vertex.unlock(bits)
        return value
    }
}

extension DynamicCall {
    /// See `NodeReader.lifetime`.
    @usableFromInline package var lifetime: Lifetime { join.lifetime(ofCall: number) }
    /// Whether the body will be called again, whatever this call makes.
    @usableFromInline package var isGivenUp: Bool { join.vertex.locking { join.isGivenUp || join.isTorn } }
    /// Ends the process over an error that a body may not throw.
    @usableFromInline package func refuse(_ error: any Error) -> Never {
        misuse(
            "the body of \(join.effect ?? join.vertex.nameInMessages) threw \(error): only NoValue may be thrown there; return a Result"
        )
    }
}
