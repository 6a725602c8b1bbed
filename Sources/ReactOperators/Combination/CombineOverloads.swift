import ReactCore

// Overloads of `combine` for more than two nodes. They differ only in the number of nodes. See Combine.swift.

/// "Combine" of three nodes: a tuple of their newest values, once each has one.
@inlinable public func combine<A, B, C>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>) -> Node<(A, B, C)> {
    let type = Node<(A, B, C)>.self
    let slots = (slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type))
    let (combined, join) = type.joining(inputs: 3) {
        $1.fire($0, with: (slots.0.newest, slots.1.newest, slots.2.newest))
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    return combined
}
/// "Combine" of three nodes by a function: the result of `transform` for their newest values.
@inlinable public func combine<A, B, C, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>,
    transform: @escaping @Sendable (A, B, C) -> Output
) -> Node<Output> {
    let type = Node<Output>.self
    let slots = (slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type))
    let (combined, join) = type.joining(inputs: 3) {
        $1.fire($0, with: (slots.0.newest, slots.1.newest, slots.2.newest)) {
            transform($0.0, $0.1, $0.2)
        }
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    return combined
}
/// "Combine" of four nodes: a tuple of their newest values, once each has one.
@inlinable public func combine<A, B, C, D>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>
) -> Node<(A, B, C, D)> {
    let type = Node<(A, B, C, D)>.self
    let slots = (slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type))
    let (combined, join) = type.joining(inputs: 4) {
        $1.fire($0, with: (slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest))
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    return combined
}
/// "Combine" of four nodes by a function: the result of `transform` for their newest values.
@inlinable public func combine<A, B, C, D, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>,
    transform: @escaping @Sendable (A, B, C, D) -> Output
) -> Node<Output> {
    let type = Node<Output>.self
    let slots = (slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type))
    let (combined, join) = type.joining(inputs: 4) {
        $1.fire($0, with: (slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest)) {
            transform($0.0, $0.1, $0.2, $0.3)
        }
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    return combined
}
/// "Combine" of five nodes: a tuple of their newest values, once each has one.
@inlinable public func combine<A, B, C, D, E>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>
) -> Node<(A, B, C, D, E)> {
    let type = Node<(A, B, C, D, E)>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type)
    )
    let (combined, join) = type.joining(inputs: 5) {
        $1.fire($0, with: (slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest))
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    return combined
}
/// "Combine" of five nodes by a function: the result of `transform` for their newest values.
@inlinable public func combine<A, B, C, D, E, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>,
    transform: @escaping @Sendable (A, B, C, D, E) -> Output
) -> Node<Output> {
    let type = Node<Output>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type)
    )
    let (combined, join) = type.joining(inputs: 5) {
        $1.fire($0, with: (slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest)) {
            transform($0.0, $0.1, $0.2, $0.3, $0.4)
        }
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    return combined
}
/// "Combine" of six nodes: a tuple of their newest values, once each has one.
@inlinable public func combine<A, B, C, D, E, F>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>
) -> Node<(A, B, C, D, E, F)> {
    let type = Node<(A, B, C, D, E, F)>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type), slot(for: f, in: type)
    )
    let (combined, join) = type.joining(inputs: 6) {
        $1.fire(
            $0, with: (slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest, slots.5.newest))
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    combined.join(join, slots.5, f)
    return combined
}
/// "Combine" of six nodes by a function: the result of `transform` for their newest values.
@inlinable public func combine<A, B, C, D, E, F, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>,
    transform: @escaping @Sendable (A, B, C, D, E, F) -> Output
) -> Node<Output> {
    let type = Node<Output>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type), slot(for: f, in: type)
    )
    let (combined, join) = type.joining(inputs: 6) {
        $1.fire(
            $0, with: (slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest, slots.5.newest)
        ) {
            transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5)
        }
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    combined.join(join, slots.5, f)
    return combined
}
/// "Combine" of seven nodes: a tuple of their newest values, once each has one.
@inlinable public func combine<A, B, C, D, E, F, G>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>
) -> Node<(A, B, C, D, E, F, G)> {
    let type = Node<(A, B, C, D, E, F, G)>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type), slot(for: f, in: type), slot(for: g, in: type)
    )
    let (combined, join) = type.joining(inputs: 7) {
        $1.fire(
            $0,
            with: (
                slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest, slots.5.newest,
                slots.6.newest
            ))
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    combined.join(join, slots.5, f)
    combined.join(join, slots.6, g)
    return combined
}
/// "Combine" of seven nodes by a function: the result of `transform` for their newest values.
@inlinable public func combine<A, B, C, D, E, F, G, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>,
    transform: @escaping @Sendable (A, B, C, D, E, F, G) -> Output
) -> Node<Output> {
    let type = Node<Output>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type), slot(for: f, in: type), slot(for: g, in: type)
    )
    let (combined, join) = type.joining(inputs: 7) {
        $1.fire(
            $0,
            with: (
                slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest, slots.5.newest,
                slots.6.newest
            )
        ) {
            transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6)
        }
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    combined.join(join, slots.5, f)
    combined.join(join, slots.6, g)
    return combined
}
/// "Combine" of eight nodes: a tuple of their newest values, once each has one.
@inlinable public func combine<A, B, C, D, E, F, G, H>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>
) -> Node<(A, B, C, D, E, F, G, H)> {
    let type = Node<(A, B, C, D, E, F, G, H)>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type), slot(for: f, in: type), slot(for: g, in: type),
        slot(for: h, in: type)
    )
    let (combined, join) = type.joining(inputs: 8) {
        $1.fire(
            $0,
            with: (
                slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest, slots.5.newest,
                slots.6.newest, slots.7.newest
            ))
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    combined.join(join, slots.5, f)
    combined.join(join, slots.6, g)
    combined.join(join, slots.7, h)
    return combined
}
/// "Combine" of eight nodes by a function: the result of `transform` for their newest values.
@inlinable public func combine<A, B, C, D, E, F, G, H, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    transform: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Output
) -> Node<Output> {
    let type = Node<Output>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type), slot(for: f, in: type), slot(for: g, in: type),
        slot(for: h, in: type)
    )
    let (combined, join) = type.joining(inputs: 8) {
        $1.fire(
            $0,
            with: (
                slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest, slots.5.newest,
                slots.6.newest, slots.7.newest
            )
        ) {
            transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7)
        }
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    combined.join(join, slots.5, f)
    combined.join(join, slots.6, g)
    combined.join(join, slots.7, h)
    return combined
}
/// "Combine" of nine nodes: a tuple of their newest values, once each has one.
@inlinable public func combine<A, B, C, D, E, F, G, H, I>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    _ i: Node<I>
) -> Node<(A, B, C, D, E, F, G, H, I)> {
    let type = Node<(A, B, C, D, E, F, G, H, I)>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type), slot(for: f, in: type), slot(for: g, in: type),
        slot(for: h, in: type), slot(for: i, in: type)
    )
    let (combined, join) = type.joining(inputs: 9) {
        $1.fire(
            $0,
            with: (
                slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest, slots.5.newest,
                slots.6.newest, slots.7.newest, slots.8.newest
            ))
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    combined.join(join, slots.5, f)
    combined.join(join, slots.6, g)
    combined.join(join, slots.7, h)
    combined.join(join, slots.8, i)
    return combined
}
/// "Combine" of nine nodes by a function: the result of `transform` for their newest values.
@inlinable public func combine<A, B, C, D, E, F, G, H, I, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    _ i: Node<I>,
    transform: @escaping @Sendable (A, B, C, D, E, F, G, H, I) -> Output
) -> Node<Output> {
    let type = Node<Output>.self
    let slots = (
        slot(for: a, in: type), slot(for: b, in: type), slot(for: c, in: type), slot(for: d, in: type),
        slot(for: e, in: type), slot(for: f, in: type), slot(for: g, in: type),
        slot(for: h, in: type), slot(for: i, in: type)
    )
    let (combined, join) = type.joining(inputs: 9) {
        $1.fire(
            $0,
            with: (
                slots.0.newest, slots.1.newest, slots.2.newest, slots.3.newest, slots.4.newest, slots.5.newest,
                slots.6.newest, slots.7.newest, slots.8.newest
            )
        ) {
            transform($0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8)
        }
    }
    combined.join(join, slots.0, a)
    combined.join(join, slots.1, b)
    combined.join(join, slots.2, c)
    combined.join(join, slots.3, d)
    combined.join(join, slots.4, e)
    combined.join(join, slots.5, f)
    combined.join(join, slots.6, g)
    combined.join(join, slots.7, h)
    combined.join(join, slots.8, i)
    return combined
}

// Swift prefers the overloads above if they fit.

/// "Combine" of ten and more nodes, or of a parameter pack of nodes: a tuple of their newest values, once each has one.
@_disfavoredOverload
@inlinable public func combine<each T: Sendable>(_ node: repeat Node<each T>) -> Node<(repeat each T)> {
    let type = Node<(repeat each T)>.self
    let slots = (repeat slot(for: each node, in: type))
    let places = TupleLayout<(repeat each T)>()
    repeat places.add(each slots)
    let (combined, join) = type.joining(inputs: count(repeat each node)) {
        $1.fire(
            $0,
            with: places.tuple { (elements: inout TupleLayout.Elements) in (repeat elements.copy(as: (each T).self)) })
    }
    repeat combined.join(join, each slots, each node)
    return combined
}
/// "Combine" of ten and more nodes, or of a parameter pack of nodes, by a function of their newest values.
@_disfavoredOverload
@inlinable public func combine<each T: Sendable, Output>(
    _ node: repeat Node<each T>, transform: @escaping @Sendable (repeat each T) -> Output
) -> Node<Output> {
    let type = Node<Output>.self
    let slots = (repeat slot(for: each node, in: type))
    let places = TupleLayout<(repeat each T)>()
    repeat places.add(each slots)
    let (combined, join) = type.joining(inputs: count(repeat each node)) {
        let newest = places.tuple { (elements: inout TupleLayout.Elements) in (repeat elements.copy(as: (each T).self))
        }
        return $1.fire($0, with: newest) { (newest: (repeat each T)) in transform(repeat each newest) }
    }
    repeat combined.join(join, each slots, each node)
    return combined
}
/// Returns the number of elements of a pack.
@inlinable func count<each T>(_ element: repeat each T) -> Int {
    var count = 0
    for _ in repeat each element { count += 1 }
    return count
}
