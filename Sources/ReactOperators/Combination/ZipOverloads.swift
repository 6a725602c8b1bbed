import ReactCore

// Overloads of `zip` for more than two nodes. They differ only in the number of nodes. See Zip.swift.

/// "Zip" of three nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>) -> Node<(A, B, C)> {
    let (zipped, row) = Node<(A, B, C)>.gathering(slots: 3)
    let slots = (ZipQueue<A>(row), ZipQueue<B>(row), ZipQueue<C>(row))
    @Sendable func takeRow() -> (A, B, C) {
        (slots.0.take(), slots.1.take(), slots.2.take())
    }
    zipped.gather(a, slots.0, name: "Zip", takeRow)
    zipped.gather(b, slots.1, name: "Zip", takeRow)
    zipped.gather(c, slots.2, name: "Zip", takeRow)
    return zipped
}
/// "Zip" of four nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>) -> Node<(A, B, C, D)> {
    let (zipped, row) = Node<(A, B, C, D)>.gathering(slots: 4)
    let slots = (ZipQueue<A>(row), ZipQueue<B>(row), ZipQueue<C>(row), ZipQueue<D>(row))
    @Sendable func takeRow() -> (A, B, C, D) {
        (slots.0.take(), slots.1.take(), slots.2.take(), slots.3.take())
    }
    zipped.gather(a, slots.0, name: "Zip", takeRow)
    zipped.gather(b, slots.1, name: "Zip", takeRow)
    zipped.gather(c, slots.2, name: "Zip", takeRow)
    zipped.gather(d, slots.3, name: "Zip", takeRow)
    return zipped
}
/// "Zip" of five nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>
) -> Node<(A, B, C, D, E)> {
    let (zipped, row) = Node<(A, B, C, D, E)>.gathering(slots: 5)
    let slots = (ZipQueue<A>(row), ZipQueue<B>(row), ZipQueue<C>(row), ZipQueue<D>(row), ZipQueue<E>(row))
    @Sendable func takeRow() -> (A, B, C, D, E) {
        (slots.0.take(), slots.1.take(), slots.2.take(), slots.3.take(), slots.4.take())
    }
    zipped.gather(a, slots.0, name: "Zip", takeRow)
    zipped.gather(b, slots.1, name: "Zip", takeRow)
    zipped.gather(c, slots.2, name: "Zip", takeRow)
    zipped.gather(d, slots.3, name: "Zip", takeRow)
    zipped.gather(e, slots.4, name: "Zip", takeRow)
    return zipped
}
/// "Zip" of six nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>
) -> Node<(A, B, C, D, E, F)> {
    let (zipped, row) = Node<(A, B, C, D, E, F)>.gathering(slots: 6)
    let slots = (
        ZipQueue<A>(row), ZipQueue<B>(row), ZipQueue<C>(row), ZipQueue<D>(row), ZipQueue<E>(row), ZipQueue<F>(row)
    )
    @Sendable func takeRow() -> (A, B, C, D, E, F) {
        (slots.0.take(), slots.1.take(), slots.2.take(), slots.3.take(), slots.4.take(), slots.5.take())
    }
    zipped.gather(a, slots.0, name: "Zip", takeRow)
    zipped.gather(b, slots.1, name: "Zip", takeRow)
    zipped.gather(c, slots.2, name: "Zip", takeRow)
    zipped.gather(d, slots.3, name: "Zip", takeRow)
    zipped.gather(e, slots.4, name: "Zip", takeRow)
    zipped.gather(f, slots.5, name: "Zip", takeRow)
    return zipped
}
/// "Zip" of seven nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F, G>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>
) -> Node<(A, B, C, D, E, F, G)> {
    let (zipped, row) = Node<(A, B, C, D, E, F, G)>.gathering(slots: 7)
    let slots = (
        ZipQueue<A>(row), ZipQueue<B>(row), ZipQueue<C>(row), ZipQueue<D>(row), ZipQueue<E>(row), ZipQueue<F>(row),
        ZipQueue<G>(row)
    )
    @Sendable func takeRow() -> (A, B, C, D, E, F, G) {
        (slots.0.take(), slots.1.take(), slots.2.take(), slots.3.take(), slots.4.take(), slots.5.take(), slots.6.take())
    }
    zipped.gather(a, slots.0, name: "Zip", takeRow)
    zipped.gather(b, slots.1, name: "Zip", takeRow)
    zipped.gather(c, slots.2, name: "Zip", takeRow)
    zipped.gather(d, slots.3, name: "Zip", takeRow)
    zipped.gather(e, slots.4, name: "Zip", takeRow)
    zipped.gather(f, slots.5, name: "Zip", takeRow)
    zipped.gather(g, slots.6, name: "Zip", takeRow)
    return zipped
}
/// "Zip" of eight nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F, G, H>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>
) -> Node<(A, B, C, D, E, F, G, H)> {
    let (zipped, row) = Node<(A, B, C, D, E, F, G, H)>.gathering(slots: 8)
    let slots = (
        ZipQueue<A>(row), ZipQueue<B>(row), ZipQueue<C>(row), ZipQueue<D>(row), ZipQueue<E>(row), ZipQueue<F>(row),
        ZipQueue<G>(row), ZipQueue<H>(row)
    )
    @Sendable func takeRow() -> (A, B, C, D, E, F, G, H) {
        (
            slots.0.take(), slots.1.take(), slots.2.take(), slots.3.take(), slots.4.take(), slots.5.take(),
            slots.6.take(), slots.7.take()
        )
    }
    zipped.gather(a, slots.0, name: "Zip", takeRow)
    zipped.gather(b, slots.1, name: "Zip", takeRow)
    zipped.gather(c, slots.2, name: "Zip", takeRow)
    zipped.gather(d, slots.3, name: "Zip", takeRow)
    zipped.gather(e, slots.4, name: "Zip", takeRow)
    zipped.gather(f, slots.5, name: "Zip", takeRow)
    zipped.gather(g, slots.6, name: "Zip", takeRow)
    zipped.gather(h, slots.7, name: "Zip", takeRow)
    return zipped
}
/// "Zip" of nine nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F, G, H, I>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    _ i: Node<I>
) -> Node<(A, B, C, D, E, F, G, H, I)> {
    let (zipped, row) = Node<(A, B, C, D, E, F, G, H, I)>.gathering(slots: 9)
    let slots = (
        ZipQueue<A>(row), ZipQueue<B>(row), ZipQueue<C>(row), ZipQueue<D>(row), ZipQueue<E>(row), ZipQueue<F>(row),
        ZipQueue<G>(row), ZipQueue<H>(row), ZipQueue<I>(row)
    )
    @Sendable func takeRow() -> (A, B, C, D, E, F, G, H, I) {
        (
            slots.0.take(), slots.1.take(), slots.2.take(), slots.3.take(), slots.4.take(), slots.5.take(),
            slots.6.take(), slots.7.take(), slots.8.take()
        )
    }
    zipped.gather(a, slots.0, name: "Zip", takeRow)
    zipped.gather(b, slots.1, name: "Zip", takeRow)
    zipped.gather(c, slots.2, name: "Zip", takeRow)
    zipped.gather(d, slots.3, name: "Zip", takeRow)
    zipped.gather(e, slots.4, name: "Zip", takeRow)
    zipped.gather(f, slots.5, name: "Zip", takeRow)
    zipped.gather(g, slots.6, name: "Zip", takeRow)
    zipped.gather(h, slots.7, name: "Zip", takeRow)
    zipped.gather(i, slots.8, name: "Zip", takeRow)
    return zipped
}

/// "Zip" of ten and more nodes, or of a parameter pack of nodes. For fewer nodes, Swift picks one of the overloads
/// above.
@_disfavoredOverload
@inlinable public func zip<each T: Sendable>(_ node: repeat Node<each T>) -> Node<(repeat each T)> {
    let (zipped, row) = Node<(repeat each T)>.gathering(slots: count(repeat each node))
    let slots = (repeat ZipQueue<each T>(row))
    let places = TupleLayout<(repeat each T)>()
    repeat places.add(each slots)
    let takeRow: @Sendable () -> (repeat each T) = {
        places.row { (elements: inout TupleLayout.Elements) in (repeat elements.take(as: (each T).self)) }
    }
    repeat zipped.gather(each node, each slots, name: "Zip", takeRow)
    return zipped
}
