import ReactCore

// Overloads of `combine` by a function, for more than two nodes. They differ only in the number of nodes. See
// Combine.swift.

/// "Combine" of three nodes by a function: the result of `transform` for their newest values, once each has one.
///
/// Makes one node less than `combine(a, b, c).mapEach { … }`. `transform` is called once a set, on the
/// thread that sets the value, one call at a time, with no lock held.
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
///     let sum = combine(a, b, c) { $0 + $1 + $2 }
///     a.value = 11
///     print(sum.current)       // 16
@inlinable public func combine<A, B, C, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, transform: @escaping @Sendable (A, B, C) -> Output
) -> Node<Output> {
    var join = Combination<Output>()
    let a = join.add(a), b = join.add(b), c = join.add(c)
    return join.begin { $1.fire($0, making: transform(a.newest, b.newest, c.newest)) }
}
/// "Combine" of four nodes by a function: the result of `transform` for their newest values, once each has one.
///
/// Makes one node less than `combine(a, b, c, d).mapEach { … }`. `transform` is called once a set, on the
/// thread that sets the value, one call at a time, with no lock held.
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
///     let sum = combine(a, b, c, d) { $0 + $1 + $2 + $3 }
///     a.value = 11
///     print(sum.current)       // 20
@inlinable public func combine<A, B, C, D, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, transform: @escaping @Sendable (A, B, C, D) -> Output
) -> Node<Output> {
    var join = Combination<Output>()
    let a = join.add(a), b = join.add(b), c = join.add(c), d = join.add(d)
    return join.begin { $1.fire($0, making: transform(a.newest, b.newest, c.newest, d.newest)) }
}
/// "Combine" of five nodes by a function: the result of `transform` for their newest values, once each has one.
///
/// Makes one node less than `combine(a, b, c, d, e).mapEach { … }`. `transform` is called once a set, on the
/// thread that sets the value, one call at a time, with no lock held.
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
///     let sum = combine(a, b, c, d, e) { $0 + $1 + $2 + $3 + $4 }
///     a.value = 11
///     print(sum.current)       // 25
@inlinable public func combine<A, B, C, D, E, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>,
    transform: @escaping @Sendable (A, B, C, D, E) -> Output
) -> Node<Output> {
    var join = Combination<Output>()
    let a = join.add(a), b = join.add(b), c = join.add(c), d = join.add(d), e = join.add(e)
    return join.begin { $1.fire($0, making: transform(a.newest, b.newest, c.newest, d.newest, e.newest)) }
}
/// "Combine" of six nodes by a function: the result of `transform` for their newest values, once each has one.
///
/// Makes one node less than `combine(a, b, c, d, e, f).mapEach { … }`. `transform` is called once a set, on the
/// thread that sets the value, one call at a time, with no lock held.
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
///     let sum = combine(a, b, c, d, e, f) { $0 + $1 + $2 + $3 + $4 + $5 }
///     a.value = 11
///     print(sum.current)       // 31
@inlinable public func combine<A, B, C, D, E, F, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>,
    transform: @escaping @Sendable (A, B, C, D, E, F) -> Output
) -> Node<Output> {
    var join = Combination<Output>()
    let a = join.add(a), b = join.add(b), c = join.add(c), d = join.add(d), e = join.add(e), f = join.add(f)
    return join.begin { $1.fire($0, making: transform(a.newest, b.newest, c.newest, d.newest, e.newest, f.newest)) }
}
/// "Combine" of seven nodes by a function: the result of `transform` for their newest values, once each has one.
///
/// Makes one node less than `combine(a, b, c, d, e, f, g).mapEach { … }`. `transform` is called once a set, on the
/// thread that sets the value, one call at a time, with no lock held.
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
///     let sum = combine(a, b, c, d, e, f, g) { $0 + $1 + $2 + $3 + $4 + $5 + $6 }
///     a.value = 11
///     print(sum.current)       // 38
@inlinable public func combine<A, B, C, D, E, F, G, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>,
    transform: @escaping @Sendable (A, B, C, D, E, F, G) -> Output
) -> Node<Output> {
    var join = Combination<Output>()
    let a = join.add(a), b = join.add(b), c = join.add(c), d = join.add(d)
    let e = join.add(e), f = join.add(f), g = join.add(g)
    return join.begin {
        $1.fire($0, making: transform(a.newest, b.newest, c.newest, d.newest, e.newest, f.newest, g.newest))
    }
}
/// "Combine" of eight nodes by a function: the result of `transform` for their newest values, once each has one.
///
/// Makes one node less than `combine(a, b, c, d, e, f, g, h).mapEach { … }`. `transform` is called once a set, on the
/// thread that sets the value, one call at a time, with no lock held.
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
///     let sum = combine(a, b, c, d, e, f, g, h) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
///     a.value = 11
///     print(sum.current)       // 46
@inlinable public func combine<A, B, C, D, E, F, G, H, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    transform: @escaping @Sendable (A, B, C, D, E, F, G, H) -> Output
) -> Node<Output> {
    var join = Combination<Output>()
    let a = join.add(a), b = join.add(b), c = join.add(c), d = join.add(d)
    let e = join.add(e), f = join.add(f), g = join.add(g), h = join.add(h)
    return join.begin {
        $1.fire($0, making: transform(a.newest, b.newest, c.newest, d.newest, e.newest, f.newest, g.newest, h.newest))
    }
}
/// "Combine" of nine nodes by a function: the result of `transform` for their newest values, once each has one.
///
/// Makes one node less than `combine(a, b, c, d, e, f, g, h, i).mapEach { … }`. `transform` is called once a set,
/// on the thread that sets the value, one call at a time, with no lock held.
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
///     let sum = combine(a, b, c, d, e, f, g, h, i) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 + $8 }
///     a.value = 11
///     print(sum.current)       // 55
@inlinable public func combine<A, B, C, D, E, F, G, H, I, Output>(
    _ a: Node<A>, _ b: Node<B>, _ c: Node<C>, _ d: Node<D>, _ e: Node<E>, _ f: Node<F>, _ g: Node<G>, _ h: Node<H>,
    _ i: Node<I>, transform: @escaping @Sendable (A, B, C, D, E, F, G, H, I) -> Output
) -> Node<Output> {
    var join = Combination<Output>()
    let a = join.add(a), b = join.add(b), c = join.add(c), d = join.add(d), e = join.add(e)
    let f = join.add(f), g = join.add(g), h = join.add(h), i = join.add(i)
    return join.begin {
        $1.fire(
            $0,
            making: transform(
                a.newest, b.newest, c.newest, d.newest, e.newest, f.newest, g.newest, h.newest, i.newest))
    }
}

// Swift prefers the overloads above if they fit.

/// "Combine" of ten and more nodes, or of a parameter pack of nodes, by a function of their newest values.
///
/// Swift type-checks a closure of one expression together with the call, and gives up at this many nodes. Give the
/// closure a second statement:
///
///     let numbers = (1...5).map { MutableNode($0) }, texts = ["a", "b", "c", "d", "e"].map { MutableNode($0) }
///     let isFine = combine(
///         numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], texts[0], texts[1], texts[2], texts[3], texts[4]
///     ) { a, b, c, d, e, f, g, h, i, j in
///         let isFine = a < b && b < c && c < d && d < e && f < g && g < h && h < i && i < j
///         return isFine
///     }
///     print(isFine.current)        // true
@_disfavoredOverload
@inlinable public func combine<each T: Sendable, Output>(
    _ node: repeat Node<each T>, transform: @escaping @Sendable (repeat each T) -> Output
) -> Node<Output> {
    var join = Combination<Output>()
    let layout = TupleLayout<(repeat each T)>()
    repeat layout.add(join.add(each node))
    return join.begin {
        let newest = layout.tuple { elements in (repeat elements.copy(as: (each T).self)) }
        return $1.fire($0, making: transform(repeat each newest))
    }
}
