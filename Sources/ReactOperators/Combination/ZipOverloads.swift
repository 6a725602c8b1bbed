import ReactCore

// Overloads of `zip` for more than two nodes. They differ only in the number of nodes. See Zip.swift.

/// "Zip" of three nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>) -> Node<(A, B, C)> {
    var zip = Zip<(A, B, C)>()
    let (a, b, c) = (zip.add(a), zip.add(b), zip.add(c))
    return zip.begin { (a.take(), b.take(), c.take()) }
}
/// "Zip" of four nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>) -> Node<(A, B, C, D)> {
    var zip = Zip<(A, B, C, D)>()
    let (a, b, c, d) = (zip.add(a), zip.add(b), zip.add(c), zip.add(d))
    return zip.begin { (a.take(), b.take(), c.take(), d.take()) }
}
/// "Zip" of five nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>
) -> Node<(A, B, C, D, E)> {
    var zip = Zip<(A, B, C, D, E)>()
    let (a, b, c, d, e) = (zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e))
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take()) }
}
/// "Zip" of six nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>
) -> Node<(A, B, C, D, E, F)> {
    var zip = Zip<(A, B, C, D, E, F)>()
    let (a, b, c, d, e, f) = (zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e), zip.add(f))
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take(), f.take()) }
}
/// "Zip" of seven nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F, G>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>
) -> Node<(A, B, C, D, E, F, G)> {
    var zip = Zip<(A, B, C, D, E, F, G)>()
    let (a, b, c, d, e, f, g) = (zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e), zip.add(f), zip.add(g))
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take()) }
}
/// "Zip" of eight nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F, G, H>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>
) -> Node<(A, B, C, D, E, F, G, H)> {
    var zip = Zip<(A, B, C, D, E, F, G, H)>()
    let (a, b, c, d, e, f, g, h) = (
        zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e), zip.add(f), zip.add(g), zip.add(h)
    )
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take(), h.take()) }
}
/// "Zip" of nine nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F, G, H, I>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    _ i: Node<I>
) -> Node<(A, B, C, D, E, F, G, H, I)> {
    var zip = Zip<(A, B, C, D, E, F, G, H, I)>()
    let (a, b, c, d, e, f, g, h, i) = (
        zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e), zip.add(f), zip.add(g), zip.add(h), zip.add(i)
    )
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take(), h.take(), i.take()) }
}

/// "Zip" of ten and more nodes, or of a parameter pack of nodes. For fewer nodes, Swift picks one of the overloads
/// above.
@_disfavoredOverload
@inlinable public func zip<each T: Sendable>(_ node: repeat Node<each T>) -> Node<(repeat each T)> {
    var zip = Zip<(repeat each T)>()
    var tuple = TupleOfParts<(repeat each T)>()
    for node in repeat each node {
        let input = zip.add(node)
        tuple.add { input.take() }
    }
    return zip.begin { [tuple] in tuple.make() }
}
