import ReactCore

extension Node {
    /// "Scan": the result of `reduce` for its last result and each value.
    ///
    /// The first "last result" is `initial`, which is not passed on. Starts over from `initial` when the transform's
    /// `from` or `to` changes. O(1) for each value, besides `reduce`. `reduce` is called on the thread that sets the
    /// value, one value at a time, with no lock held.
    ///
    ///     let amount = MutableNode(3)
    ///     let total = amount.scan(0) { $0 + $1 }
    ///     amount.value = 4
    ///     print(total.current)     // 7
    @inlinable @inline(never) public func scan<Result>(
        _ initial: Result, _ reduce: @escaping @Sendable (Result, Value) -> Result
    ) -> Node<Result> {
        let result = Memory(initial)
        return following("Scan", state: result) {
            let delivery = EdgeCall<Value, Result>($0)
            let next = reduce(result.now(for: delivery), delivery.value)
            return result.send(next, remembering: next, after: delivery)
        }
    }
    /// "Scan" that changes its result in place: `update` changes the last result, at first `initial`, by every value.
    ///
    /// `initial` itself is not passed on. The node holds each result, so an array, or another value with storage, is
    /// copied when `update` first writes to it. `transformed(_:state:_:)` keeps a large state that no node holds, and
    /// copies nothing.
    ///
    /// Starts over from `initial` when the transform's `from` or `to` changes. O(1) for each value, besides `update`
    /// and that copy. `update` is called on the thread that sets the value, one value at a time, with no lock held.
    ///
    ///     let word = MutableNode("a")
    ///     let counts = word.scan(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    ///     word.value = "a"
    ///     print(counts.current)        // ["a": 2]
    @inlinable public func scan<Result: Sendable>(
        into initial: Result, _ update: @escaping @Sendable (inout Result, Value) -> Void
    ) -> Node<Result> {
        transformed("Scan", state: initial) { result, value, send in
            update(&result, value)
            send(result)
        }
    }
    /// "Scan" with an index: `reduce` also receives the number of values before this one.
    ///
    /// Starts over from `initial` and 0 when the transform's `from` or `to` changes. See `scan` for the rest.
    ///
    ///     let word = MutableNode("a")
    ///     let list = word.scanWithIndex("") { $0 + "\($2): \($1)  " }
    ///     word.value = "b"
    ///     print(list.current)      // 0: a  1: b
    @inlinable @inline(never) public func scanWithIndex<Result>(
        _ initial: Result, _ reduce: @escaping @Sendable (Result, Value, Int) -> Result
    ) -> Node<Result> {
        let memory = Memory((result: initial, count: 0))
        return following("Scan", state: memory) {
            let delivery = EdgeCall<Value, Result>($0)
            let last = memory.now(for: delivery)
            let next = reduce(last.result, delivery.value, last.count)
            return memory.send(next, remembering: (next, last.count + 1), after: delivery)
        }
    }
}
