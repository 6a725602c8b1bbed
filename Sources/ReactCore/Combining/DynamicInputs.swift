// The inputs of a dynamic join, in the order in which its last call read them. The lock of its vertex is held
// throughout.

extension DynamicJoin {
    private static let fewInputs = 16

    func place(of source: Vertex) -> Int? {
        let wanted = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
        if count > DynamicJoin.fewInputs {
            if places == nil { rememberPlaces() }
            return places?[wanted]
        }
        return (0..<count).first { inputs[$0]?._withUnsafeGuaranteedRef { $0.sourceVertex == wanted } ?? false }
    }
    private func rememberPlaces() {
        var known: [UnsafeRawPointer: Int] = [:]
        known.reserveCapacity(count)
        for place in 0..<count {
            if let source = inputs[place]?._withUnsafeGuaranteedRef({ $0.sourceVertex }) { known[source] = place }
        }
        places = known
    }
    private func put(_ input: Unmanaged<AnyDynamicInput>?, at place: Int) {
        inputs[place] = input
        guard let input else { return }
        input._withUnsafeGuaranteedRef {
            $0.place = Int32(truncatingIfNeeded: place)
            if let source = $0.sourceVertex { places?[source] = place }
        }
    }
    func exchange(_ first: Int, _ second: Int) {
        guard first != second else { return }
        let input = inputs[first]
        put(inputs[second], at: first)
        put(input, at: second)
    }
    /// Inserts a new input at the place that the call has reached.
    func insert(_ input: AnyDynamicInput) {
        // Another thread has disconnected the edge already.
        guard input.sourceVertex != nil else { return }
        if count == capacity {
            capacity *= 2
            inputs = inputs.moved(count, to: .allocate(capacity: capacity))
        }
        if next < count { put(inputs[next], at: count) }
        count += 1
        put(.passUnretained(input), at: next)
        next += 1
    }
    /// Removes the inputs that the call has not read. Returns those of them that are still connected.
    func takeUnread() -> [AnyDynamicInput] {
        var unread: [AnyDynamicInput] = []
        for place in next..<count {
            guard let input = inputs[place]?.takeUnretainedValue() else { continue }
            input.place = -1
            unread.append(input)
        }
        count = next
        places = nil
        return unread
    }
}
