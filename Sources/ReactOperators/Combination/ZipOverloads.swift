import ReactCore

// Overloads of `zip` for more than two nodes. They differ only in the number of nodes. See Zip.swift.

/// "Zip" of three nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>) -> Node<(A, B, C)> {
    var zip = Zip<(A, B, C), Void>(of: 3)
    let inputs = (zip.add(a), zip.add(b), zip.add(c))
    return zip.begin { (inputs.0.take(), inputs.1.take(), inputs.2.take()) }
}
/// "Zip" of four nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>) -> Node<(A, B, C, D)> {
    var zip = Zip<(A, B, C, D), Void>(of: 4)
    let inputs = (zip.add(a), zip.add(b), zip.add(c), zip.add(d))
    return zip.begin { (inputs.0.take(), inputs.1.take(), inputs.2.take(), inputs.3.take()) }
}
/// "Zip" of five nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>
) -> Node<(A, B, C, D, E)> {
    var zip = Zip<(A, B, C, D, E), Void>(of: 5)
    let inputs = (zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e))
    return zip.begin { (inputs.0.take(), inputs.1.take(), inputs.2.take(), inputs.3.take(), inputs.4.take()) }
}
/// "Zip" of six nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>
) -> Node<(A, B, C, D, E, F)> {
    var zip = Zip<(A, B, C, D, E, F), Void>(of: 6)
    let inputs = (zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e), zip.add(f))
    return zip.begin {
        (
            inputs.0.take(), inputs.1.take(), inputs.2.take(), inputs.3.take(), inputs.4.take(), inputs.5.take()
        )
    }
}
/// "Zip" of seven nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F, G>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>
) -> Node<(A, B, C, D, E, F, G)> {
    var zip = Zip<(A, B, C, D, E, F, G), Void>(of: 7)
    let inputs = (zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e), zip.add(f), zip.add(g))
    return zip.begin {
        (
            inputs.0.take(), inputs.1.take(), inputs.2.take(), inputs.3.take(), inputs.4.take(), inputs.5.take(),
            inputs.6.take()
        )
    }
}
/// "Zip" of eight nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F, G, H>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>
) -> Node<(A, B, C, D, E, F, G, H)> {
    var zip = Zip<(A, B, C, D, E, F, G, H), Void>(of: 8)
    let inputs = (zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e), zip.add(f), zip.add(g), zip.add(h))
    return zip.begin {
        (
            inputs.0.take(), inputs.1.take(), inputs.2.take(), inputs.3.take(), inputs.4.take(), inputs.5.take(),
            inputs.6.take(), inputs.7.take()
        )
    }
}
/// "Zip" of nine nodes: a tuple of their first values, then of their second values, and so on.
@inlinable public func zip<A, B, C, D, E, F, G, H, I>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    _ i: Node<I>
) -> Node<(A, B, C, D, E, F, G, H, I)> {
    var zip = Zip<(A, B, C, D, E, F, G, H, I), Void>(of: 9)
    let inputs = (
        zip.add(a), zip.add(b), zip.add(c), zip.add(d), zip.add(e), zip.add(f), zip.add(g), zip.add(h), zip.add(i)
    )
    return zip.begin {
        (
            inputs.0.take(), inputs.1.take(), inputs.2.take(), inputs.3.take(), inputs.4.take(), inputs.5.take(),
            inputs.6.take(), inputs.7.take(), inputs.8.take()
        )
    }
}

/// "Zip" of ten and more nodes, or of a parameter pack of nodes. For fewer nodes, Swift picks one of the overloads
/// above.
@_disfavoredOverload
@inlinable public func zip<each T: Sendable>(_ node: repeat Node<each T>) -> Node<(repeat each T)> {
    var zip = Zip<(repeat each T), Void>(of: count(repeat each node))
    var inputs: [AnyZipInput] = []
    repeat inputs.append(zip.add(each node))
    return zip.begin { [inputs] in
        var place = 0
        return (repeat take((each T).self, from: inputs, &place))
    }
}
/// Takes a value of type `Value` out of the input at `place`, and goes on to the next place.
@inlinable func take<Value: Sendable>(_ type: Value.Type, from inputs: [AnyZipInput], _ place: inout Int) -> Value {
    defer { place += 1 }
    return Unmanaged.passUnretained(inputs[place])._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: ZipInput<Value>.self).take()
    }
}
