import ReactCore

extension Node {
    /// Keeps two nodes the same, both ways, by two links.
    ///
    /// This node first takes over `other`'s value, and then `other` takes over this node's value. Each later value goes
    /// round once and never returns to the node where it was set. When nothing is under way, the two nodes agree,
    /// whichever threads and listeners set them. If listeners set both nodes in one set, each of them may miss values
    /// of the other. After a pulse of one of the two, that one is empty, and the other has its earlier value.
    ///
    /// If values are under way while the sync is made, a node may hear a newer value before older ones. Make it outside
    /// of the delivery of a pulse.
    ///
    /// The two nodes form a ring: they hold each other until the result is cancelled, even if nobody else holds either
    /// node or the result. If one of the two edges is cut or pointed elsewhere, the other stays as a link. O(1) for
    /// each value, on the thread that sets it.
    ///
    ///     let model = MutableNode(1), field = MutableNode(2)
    ///     let sync = field.sync(with: model)
    ///     print(field.current)     // 1
    ///     field.value = 3
    ///     print(model.current)     // 3
    ///     sync.cancel()
    ///     field.value = 4
    ///     print(model.current)     // 3
    ///
    /// - Precondition: `other` is not this node. The message names the caller's `file` and `line`.
    @inlinable @inline(never) @discardableResult public func sync(
        with other: Node<Value>, file: StaticString = #fileID, line: UInt = #line
    ) -> any Cancelable {
        let agreement = Agreement()
        return sync(
            with: other, agreement, agreement.link(.here), agreement.link(.there), transform: { $0 }, revert: { $0 },
            file, line)
    }

    /// Keeps two nodes in step by a pair of functions, both ways.
    ///
    /// `transform` makes this node's value from `other`'s, and `revert` makes `other`'s from this node's. The functions
    /// need not be inverse, because a value goes round once. Both are called on the thread that sets the value, one
    /// value at a time each, with no lock held. Each value also calls the function for the way back, whose result goes
    /// no further.
    ///
    /// When the sync begins, this node takes over `transform`'s result, and then `other` takes over `revert`'s result
    /// from that, so `other` may change. The two edges are called "Map".
    ///
    ///     let celsius = MutableNode(100), fahrenheit = MutableNode<Int>()
    ///     let sync = fahrenheit.sync(with: celsius, transform: { $0 * 9 / 5 + 32 }, revert: { ($0 - 32) * 5 / 9 })
    ///     print(fahrenheit.current)    // 212
    ///     fahrenheit.value = 32
    ///     print(celsius.current)       // 0
    ///     sync.cancel()
    ///
    /// - Precondition: `other` is not this node. The message names the caller's `file` and `line`.
    @inlinable @inline(never) @discardableResult public func sync<Other>(
        with other: Node<Other>, file: StaticString = #fileID, line: UInt = #line,
        transform: @escaping @Sendable (Other) -> Value,
        revert: @escaping @Sendable (Value) -> Other
    ) -> any Cancelable {
        let agreement = Agreement()
        return sync(
            with: other, agreement, agreement.map(.here, transform), agreement.map(.there, revert),
            transform: transform, revert: revert, file, line)
    }

    /// Keeps the two nodes the same by the edges `here` and `there`.
    @inlinable func sync<Other>(
        with other: Node<Other>, _ agreement: Agreement,
        _ here: StatefulTransform<Other, Value>, _ there: StatefulTransform<Value, Other>,
        transform: @escaping @Sendable (Other) -> Value,
        revert: @escaping @Sendable (Value) -> Other,
        _ file: StaticString, _ line: UInt
    ) -> any Cancelable {
        require(
            other !== self,
            "sync(with:): \(textInMessages) cannot be kept the same as itself; sync it with another node",
            file: file, line: line)
        here.to = self
        there.to = other
        agreement.begin()
        // The value to take over is read in the turn of the node that takes it, because it may have been set since.
        _ = here.point(at: other)
        if !other.isEmpty {
            here.send(from: SenderList().appending(other), context: nil) {
                agreement.pass(.here, $0) { other.value.map(transform) }
            }
        }
        _ = there.point(at: self)
        there.send(from: SenderList().appending(self), context: nil) {
            agreement.takeOver(.there, $0) { self.value.map(revert) }
        }
        return BlockCancelable {
            agreement.cancel()
            here.cancel()
            there.cancel()
        }
    }
}
