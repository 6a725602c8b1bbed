import ReactCore

// Overloads of `combine` for more than two nodes. They differ only in the number of nodes. See Combine.swift.

/// "Combine" of three nodes: a tuple of their newest values, once each has one.
///
/// The result changes once per set (see `MutableNode`) and once per `batch`, whichever inputs change. It fires after
/// everything else that the set reaches. So listeners never see the new value of one input beside the old value of
/// another.
///
/// If all inputs have a value, the result has its first value when the call returns. While an input is
/// empty, the result stays as it is. If an input's edge is cut, the combination stops updating. `combine` of two nodes
/// says more: of first values beside open batches, of feedback, and of pulses. O(n) for each tuple of n values.
///
///     let a = MutableNode(1), b = MutableNode(2), c = MutableNode(3)
///     let sum = combine(a, b, c).mapEach { $0 + $1 + $2 }
///     a.value = 11
///     print(sum.current)       // 16
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
/// "Combine" of four nodes: a tuple of their newest values, once each has one.
///
/// The result changes once per set (see `MutableNode`) and once per `batch`, whichever inputs change. It fires after
/// everything else that the set reaches. So listeners never see the new value of one input beside the old value of
/// another.
///
/// If all inputs have a value, the result has its first value when the call returns. While an input is
/// empty, the result stays as it is. If an input's edge is cut, the combination stops updating. `combine` of two nodes
/// says more: of first values beside open batches, of feedback, and of pulses. O(n) for each tuple of n values.
///
///     let a = MutableNode(1), b = MutableNode(2), c = MutableNode(3), d = MutableNode(4)
///     let sum = combine(a, b, c, d).mapEach { $0 + $1 + $2 + $3 }
///     a.value = 11
///     print(sum.current)       // 20
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
/// "Combine" of five nodes: a tuple of their newest values, once each has one.
///
/// The result changes once per set (see `MutableNode`) and once per `batch`, whichever inputs change. It fires after
/// everything else that the set reaches. So listeners never see the new value of one input beside the old value of
/// another.
///
/// If all inputs have a value, the result has its first value when the call returns. While an input is
/// empty, the result stays as it is. If an input's edge is cut, the combination stops updating. `combine` of two nodes
/// says more: of first values beside open batches, of feedback, and of pulses. O(n) for each tuple of n values.
///
///     let a = MutableNode(1), b = MutableNode(2), c = MutableNode(3), d = MutableNode(4), e = MutableNode(5)
///     let sum = combine(a, b, c, d, e).mapEach { $0 + $1 + $2 + $3 + $4 }
///     a.value = 11
///     print(sum.current)       // 25
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
/// "Combine" of six nodes: a tuple of their newest values, once each has one.
///
/// The result changes once per set (see `MutableNode`) and once per `batch`, whichever inputs change. It fires after
/// everything else that the set reaches. So listeners never see the new value of one input beside the old value of
/// another.
///
/// If all inputs have a value, the result has its first value when the call returns. While an input is
/// empty, the result stays as it is. If an input's edge is cut, the combination stops updating. `combine` of two nodes
/// says more: of first values beside open batches, of feedback, and of pulses. O(n) for each tuple of n values.
///
///     let a = MutableNode(1), b = MutableNode(2), c = MutableNode(3)
///     let d = MutableNode(4), e = MutableNode(5), f = MutableNode(6)
///     let sum = combine(a, b, c, d, e, f).mapEach { $0 + $1 + $2 + $3 + $4 + $5 }
///     a.value = 11
///     print(sum.current)       // 31
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
/// "Combine" of seven nodes: a tuple of their newest values, once each has one.
///
/// The result changes once per set (see `MutableNode`) and once per `batch`, whichever inputs change. It fires after
/// everything else that the set reaches. So listeners never see the new value of one input beside the old value of
/// another.
///
/// If all inputs have a value, the result has its first value when the call returns. While an input is
/// empty, the result stays as it is. If an input's edge is cut, the combination stops updating. `combine` of two nodes
/// says more: of first values beside open batches, of feedback, and of pulses. O(n) for each tuple of n values.
///
///     let a = MutableNode(1), b = MutableNode(2), c = MutableNode(3), d = MutableNode(4)
///     let e = MutableNode(5), f = MutableNode(6), g = MutableNode(7)
///     let sum = combine(a, b, c, d, e, f, g).mapEach { $0 + $1 + $2 + $3 + $4 + $5 + $6 }
///     a.value = 11
///     print(sum.current)       // 38
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
/// "Combine" of eight nodes: a tuple of their newest values, once each has one.
///
/// The result changes once per set (see `MutableNode`) and once per `batch`, whichever inputs change. It fires after
/// everything else that the set reaches. So listeners never see the new value of one input beside the old value of
/// another.
///
/// If all inputs have a value, the result has its first value when the call returns. While an input is
/// empty, the result stays as it is. If an input's edge is cut, the combination stops updating. `combine` of two nodes
/// says more: of first values beside open batches, of feedback, and of pulses. O(n) for each tuple of n values.
///
///     let a = MutableNode(1), b = MutableNode(2), c = MutableNode(3), d = MutableNode(4)
///     let e = MutableNode(5), f = MutableNode(6), g = MutableNode(7), h = MutableNode(8)
///     let sum = combine(a, b, c, d, e, f, g, h).mapEach { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
///     a.value = 11
///     print(sum.current)       // 46
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
/// "Combine" of nine nodes: a tuple of their newest values, once each has one.
///
/// The result changes once per set (see `MutableNode`) and once per `batch`, whichever inputs change. It fires after
/// everything else that the set reaches. So listeners never see the new value of one input beside the old value of
/// another.
///
/// If all inputs have a value, the result has its first value when the call returns. While an input is
/// empty, the result stays as it is. If an input's edge is cut, the combination stops updating. `combine` of two nodes
/// says more: of first values beside open batches, of feedback, and of pulses. O(n) for each tuple of n values.
///
///     let a = MutableNode(1), b = MutableNode(2), c = MutableNode(3), d = MutableNode(4), e = MutableNode(5)
///     let f = MutableNode(6), g = MutableNode(7), h = MutableNode(8), i = MutableNode(9)
///     let sum = combine(a, b, c, d, e, f, g, h, i).mapEach { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 + $8 }
///     a.value = 11
///     print(sum.current)       // 55
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
/// Returns the number of elements of a pack.
@inlinable func count<each T>(_ element: repeat each T) -> Int {
    var count = 0
    for _ in repeat each element { count += 1 }
    return count
}
