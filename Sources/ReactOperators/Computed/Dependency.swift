import ReactCore

// The inputs of a body: their edges, in the order in which the last call read them. The code for the values of an edge
// is compiled for their type, in the module that reads the node. So no type is looked up when a value arrives.

extension BodyEdge {
    /// Makes an edge for a read of `node`. Its closures capture nothing, so all edges of one type share them.
    @inlinable static func make(name: String, of node: Node<Value>, to join: Join) -> BodyEdge {
        let differs: @Sendable (AnyBodyEdge) -> Bool = { edge in
            unsafeDowncast(edge, to: BodyEdge.self).differs { one, other in
                (Value.self as? any Equatable.Type).map { areEqual(one, other, $0) } ?? false
            }
        }
        return BodyEdge(name: name, of: node, to: join, differs: Value.self is any Equatable.Type ? differs : nil)
    }
}

/// Returns true if two values are equal. Precondition: `Value` is the type `type`.
@inlinable func areEqual<Value, Same: Equatable>(_ one: Value, _ other: Value, _ type: Same.Type) -> Bool {
    unsafeBitCast(one, to: Same.self) == unsafeBitCast(other, to: Same.self)
}

extension ComputedCore {
    private static let fewInputs = 16

    func place(of source: Vertex) -> Int? {
        let wanted = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
        if inputs.count > ComputedCore.fewInputs {
            if madeRare.places == nil { rememberPlaces() }
            return madeRare.places?[wanted]
        }
        return inputs.firstIndex { $0?._withUnsafeGuaranteedRef { $0.leaves(from: wanted) } ?? false }
    }
    private func rememberPlaces() {
        var known: [UnsafeRawPointer: Int] = [:]
        known.reserveCapacity(inputs.count)
        for place in inputs.indices {
            if let source = inputs[place]?._withUnsafeGuaranteedRef({ $0.sourceVertex }) { known[source] = place }
        }
        madeRare.places = known
    }
    private func put(_ input: Unmanaged<AnyBodyEdge>?, at place: Int) {
        inputs[place] = input
        guard let input else { return }
        input._withUnsafeGuaranteedRef {
            $0.place = Int32(truncatingIfNeeded: place)
            if let source = $0.sourceVertex { rare?.places?[source] = place }
        }
    }
    func exchange(_ first: Int, _ second: Int) {
        guard first != second else { return }
        let input = inputs[first]
        put(inputs[second], at: first)
        put(input, at: second)
    }
    /// Inserts a new input at the place that the call has reached.
    func insert(_ input: AnyBodyEdge) {
        // It has been disconnected already.
        guard input.sourceVertex != nil else { return }
        inputs.append()
        if next < inputs.count - 1 { put(inputs[next], at: inputs.count - 1) }
        put(.passUnretained(input), at: next)
        next += 1
    }
    /// Removes the inputs that the call has not read, and returns their edges.
    func takeUnread() -> [AnyBodyEdge] {
        let unread = inputs[next...].compactMap { $0?.takeUnretainedValue() }
        inputs.removeAll(from: next)
        rare?.places = nil
        for input in unread { input.place = -1 }
        return unread
    }
}
