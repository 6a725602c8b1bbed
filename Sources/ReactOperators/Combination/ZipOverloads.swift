import ReactCore

// Overloads of `zip` for more than two nodes. They differ only in the number of nodes. See Zip.swift.

/// "Zip" of three nodes: a tuple of their first values, then of their second values, and so on.
@inlinable @inline(never) public func zip<A, B, C>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>) -> Node<(A, B, C)> {
    var zip = Zip<(A, B, C)>()
    let a = zip.add(a), b = zip.add(b), c = zip.add(c)
    return zip.begin { (a.take(), b.take(), c.take()) }
}
/// "Zip" of four nodes: a tuple of their first values, then of their second values, and so on.
@inlinable @inline(never) public func zip<A, B, C, D>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>) -> Node<
    (A, B, C, D)
> {
    var zip = Zip<(A, B, C, D)>()
    let a = zip.add(a), b = zip.add(b), c = zip.add(c), d = zip.add(d)
    return zip.begin { (a.take(), b.take(), c.take(), d.take()) }
}
/// "Zip" of five nodes: a tuple of their first values, then of their second values, and so on.
@inlinable @inline(never) public func zip<A, B, C, D, E>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>
) -> Node<(A, B, C, D, E)> {
    var zip = Zip<(A, B, C, D, E)>()
    let a = zip.add(a), b = zip.add(b), c = zip.add(c), d = zip.add(d), e = zip.add(e)
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take()) }
}
/// "Zip" of six nodes: a tuple of their first values, then of their second values, and so on.
@inlinable @inline(never) public func zip<A, B, C, D, E, F>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>
) -> Node<(A, B, C, D, E, F)> {
    var zip = Zip<(A, B, C, D, E, F)>()
    let a = zip.add(a), b = zip.add(b), c = zip.add(c), d = zip.add(d), e = zip.add(e), f = zip.add(f)
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take(), f.take()) }
}
/// "Zip" of seven nodes: a tuple of their first values, then of their second values, and so on.
@inlinable @inline(never) public func zip<A, B, C, D, E, F, G>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>
) -> Node<(A, B, C, D, E, F, G)> {
    var zip = Zip<(A, B, C, D, E, F, G)>()
    let a = zip.add(a), b = zip.add(b), c = zip.add(c), d = zip.add(d), e = zip.add(e), f = zip.add(f), g = zip.add(g)
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take()) }
}
/// "Zip" of eight nodes: a tuple of their first values, then of their second values, and so on.
@inlinable @inline(never) public func zip<A, B, C, D, E, F, G, H>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>
) -> Node<(A, B, C, D, E, F, G, H)> {
    var zip = Zip<(A, B, C, D, E, F, G, H)>()
    let a = zip.add(a), b = zip.add(b), c = zip.add(c), d = zip.add(d)
    let e = zip.add(e), f = zip.add(f), g = zip.add(g), h = zip.add(h)
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take(), h.take()) }
}
/// "Zip" of nine nodes: a tuple of their first values, then of their second values, and so on.
@inlinable @inline(never) public func zip<A, B, C, D, E, F, G, H, I>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    _ i: Node<I>
) -> Node<(A, B, C, D, E, F, G, H, I)> {
    var zip = Zip<(A, B, C, D, E, F, G, H, I)>()
    let a = zip.add(a), b = zip.add(b), c = zip.add(c), d = zip.add(d), e = zip.add(e)
    let f = zip.add(f), g = zip.add(g), h = zip.add(h), i = zip.add(i)
    return zip.begin { (a.take(), b.take(), c.take(), d.take(), e.take(), f.take(), g.take(), h.take(), i.take()) }
}

/// "Zip" of ten and more nodes, or of a parameter pack of nodes. For fewer nodes, Swift picks one of the overloads
/// above.
@_disfavoredOverload
@inlinable public func zip<each T: Sendable>(_ node: repeat Node<each T>) -> Node<(repeat each T)> {
    var zip = Zip<(repeat each T)>()
    var inputs: [ZipInput] = []
    repeat inputs.append(zip.add(each node))
    return zip.begin { [inputs] in
        var place = 0
        return (repeat take((each T).self, from: inputs, &place))
    }
}
/// Takes a value of type `Value` out of the input at `place`, and goes on to the next place.
@inlinable func take<Value: Sendable>(_ type: Value.Type, from inputs: [ZipInput], _ place: inout Int) -> Value {
    defer { place += 1 }
    return Unmanaged.passUnretained(inputs[place])._withUnsafeGuaranteedRef { $0.take() }
}
