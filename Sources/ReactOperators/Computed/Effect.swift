import ReactCore

extension Listener {
    /// Runs `body` now, and again whenever something that it read has changed, once a set or batch, after every `computed` and
    /// `combine` that the set reaches; until this listener goes or the result is cancelled, also during a run. Where all that it read is
    /// `Equatable`, it runs again only if one of these values differs. Several effects run in the order in which they were made.
    ///
    /// It reads as a `computed` does, and waits like one for a node without a value. What it sets itself belongs to the same
    /// outermost set: the effects that this reaches run after it. It runs on the setting thread, one call at a time, with no
    /// lock held. Where another thread changes something that it has read while it runs, it may be left at its next read, and
    /// run again.
    ///
    ///     let width = MutableNode(3), height = MutableNode(4), screen = Lifetime()
    ///     screen.effect { read in print(try read(width) * read(height)) }     // 12
    ///     batch { width.value = 5; height.value = 6 }                         // 30
    ///
    /// In the graph it is a node without a value, to which edges "Effect" lead, and which this listener listens to.
    ///
    /// What the body makes for one run alone, such as an inner effect, belongs to `read.lifetime`.
    ///
    /// - Parameter body: Reads nodes by its argument. It is held until the effect ends: capture the listener weakly.
    /// - Returns: Ends the effect on `cancel()`; it may be dropped.
    /// - Precondition: it does not set itself off without end: after 10,000 rounds in one outermost set the process ends with a
    ///   message that names it and what it read.
    @discardableResult
    public func effect(_ body: @escaping @Sendable (NodeReader) throws -> Void) -> any Cancelable {
        Node<Void>.runEffect("Effect", "an effect of \(type(of: self))", by: self) { call in attempt(body, call) }
    }
}
