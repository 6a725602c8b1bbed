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
@inlinable @inline(never) public func combine<A, B, C>(_ a: Node<A>, _ b: Node<B>, _ c: Node<C>) -> Node<(A, B, C)> {
    combine(a, b, c) { ($0, $1, $2) }
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
@inlinable @inline(never) public func combine<A, B, C, D>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>
) -> Node<(A, B, C, D)> {
    combine(a, b, c, d) { ($0, $1, $2, $3) }
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
@inlinable @inline(never) public func combine<A, B, C, D, E>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>
) -> Node<(A, B, C, D, E)> {
    combine(a, b, c, d, e) { ($0, $1, $2, $3, $4) }
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
@inlinable @inline(never) public func combine<A, B, C, D, E, F>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>
) -> Node<(A, B, C, D, E, F)> {
    combine(a, b, c, d, e, f) { ($0, $1, $2, $3, $4, $5) }
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
@inlinable @inline(never) public func combine<A, B, C, D, E, F, G>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>
) -> Node<(A, B, C, D, E, F, G)> {
    combine(a, b, c, d, e, f, g) { ($0, $1, $2, $3, $4, $5, $6) }
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
@inlinable @inline(never) public func combine<A, B, C, D, E, F, G, H>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>
) -> Node<(A, B, C, D, E, F, G, H)> {
    combine(a, b, c, d, e, f, g, h) { ($0, $1, $2, $3, $4, $5, $6, $7) }
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
@inlinable @inline(never) public func combine<A, B, C, D, E, F, G, H, I>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    _ i: Node<I>
) -> Node<(A, B, C, D, E, F, G, H, I)> {
    combine(a, b, c, d, e, f, g, h, i) { ($0, $1, $2, $3, $4, $5, $6, $7, $8) }
}

// Swift prefers the overloads above if they fit.

/// "Combine" of ten and more nodes, or of a parameter pack of nodes: a tuple of their newest values, once each has one.
@_disfavoredOverload
@inlinable public func combine<each T: Sendable>(_ node: repeat Node<each T>) -> Node<(repeat each T)> {
    var join = Combination<(repeat each T)>()
    let layout = TupleLayout<(repeat each T)>()
    repeat layout.add(join.add(each node))
    return join.begin { $1.fire($0, with: layout.tuple { elements in (repeat elements.copy(as: (each T).self)) }) }
}
