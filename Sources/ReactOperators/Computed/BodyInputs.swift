import ReactCore

/// The inputs of a body, in the order in which its last call read them. An input that has gone leaves `nil`.
///
/// Most bodies have one input or two, which stand here. Only further ones need an array.
@usableFromInline struct BodyInputs: RandomAccessCollection {
    @usableFromInline typealias Element = Unmanaged<AnyBodyEdge>?

    @usableFromInline var first: Element = nil
    @usableFromInline var second: Element = nil
    @usableFromInline var others: ContiguousArray<Element> = []
    /// The number of places among the first two.
    private var here: UInt8 = 0

    @usableFromInline init() {}
    @usableFromInline var startIndex: Int { 0 }
    @usableFromInline var endIndex: Int { Int(here) + others.count }
    @usableFromInline subscript(place: Int) -> Element {
        get { place == 0 ? first : place == 1 ? second : others[place - 2] }
        set {
            switch place {
            case 0: first = newValue
            case 1: second = newValue
            default: others[place - 2] = newValue
            }
        }
    }
    /// Returns the inputs before and at a place, which may be behind the last one.
    @inlinable @inline(__always) func around(_ place: Int) -> (last: Element, next: Element) {
        if place == 0 { return (nil, first) }
        if place == 1 { return (first, second) }
        let rest = place &- 2
        return (rest == 0 ? second : others[rest &- 1], rest < others.count ? others[rest] : nil)
    }
    /// Adds a place at the end.
    mutating func append() { if here < 2 { here += 1 } else { others.append(nil) } }
    /// Removes all places from `end` on.
    mutating func removeAll(from end: Int) {
        others.removeLast(Swift.min(others.count, count - end))
        for place in end..<Swift.max(end, 2) { self[place] = nil }
        here = UInt8(Swift.min(end, 2))
    }
}
