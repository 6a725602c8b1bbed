import ReactCore

extension Listener {
    /// Runs `body` now, and again whenever a node that it has read changes.
    ///
    /// Runs `body` once a set or batch, after every `computed` and `combine` that the set reaches. A set to an equal
    /// value does not run it. Pulses run it each time, and so do values that are not `Equatable`, or do not equal
    /// themselves, such as NaN. Several effects run in the order in which they were made; one that reads a node
    /// downstream of a `withLatest` that the set reaches runs after that has fired. Inside a batch or a listener, the
    /// first run comes when the outermost set or batch ends. The effect ends when this listener goes or the result is
    /// cancelled, also during a run.
    ///
    /// `body` reads as in a `computed`. If a node that it reads by `try read` is empty, `body` ends at that read, and
    /// runs again when the node is set. So `clean()` of such a node runs `body`, and setting the value that the node
    /// had before runs it again. To go on without a value, read by `ifAny`. A set that `body` makes belongs to the same
    /// outermost set, and the effects that it reaches run afterwards. It begins a new round of that set: a `combine`
    /// that the set has reached before fires again. To derive a value, use `computed` or `combine` instead.
    ///
    /// `body` runs on the setting thread, one call at a time, with no lock held.
    ///
    ///     let width = MutableNode(3), height = MutableNode(4), screen = Lifetime()
    ///     screen.effect { read in print(try read(width) * read(height)) }     // 12
    ///     batch { width.value = 5; height.value = 6 }                         // 30
    ///
    /// In the graph, an effect is a node without a value, to which edges "Effect" lead. This listener listens to that
    /// node.
    ///
    /// Objects that `body` makes for one run alone, such as an inner effect, belong to `read.lifetime`.
    ///
    /// - Parameters:
    ///   - file: The file of the call, which the message of a trap names.
    ///   - line: The line of the call.
    ///   - body: Reads nodes by its argument. It is held until the effect ends, so capture the listener weakly.
    /// - Returns: An object that ends the effect on `cancel()`. Dropping it ends nothing.
    /// - Precondition: the effect does not set itself off without end. After 10,000 rounds in one outermost set, the
    ///   process ends with a message that names the listener, the nodes that the effect read, and the caller's `file`
    ///   and `line`.
    @discardableResult
    public func effect(
        file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable (NodeReader) throws -> Void
    ) -> any Cancelable {
        let engine = Engine.current
        engine.begin()
        let effect = startEffect(BodySite(isEffect: true, file, line), body)
        engine.end()
        lifetime.noteAttached()
        return effect
    }
    /// Not inlined, so that only the listen edge holds the node when this returns, and while the body runs. So the
    /// effect ends with the listening.
    @inline(never) private func startEffect(
        _ site: BodySite, _ body: @escaping @Sendable (NodeReader) throws -> Void
    ) -> any Cancelable {
        let (core, join, listening) = makeEffect(site, body)
        core.startEffect(join)
        return listening
    }
    @inline(never) private func makeEffect(
        _ site: BodySite, _ body: @escaping @Sendable (NodeReader) throws -> Void
    ) -> (ComputedCore, Join, any Cancelable) {
        let node = Node<Void>()
        let core = BodyCore(at: node.vertex, site, body)
        let join = Join(at: node.vertex, inputs: 0, rank: .nextEffect(), body: core) { BodyCore<Void>.fire($0, $1) }
        core.join = .passUnretained(join)
        return (core, join, node.listened(by: self).with(edge: EffectEdge(join)))
    }
}
