/// A queue, first in, first out. Amortised O(1). One element waits without an allocation.
@usableFromInline package struct Queue<Element> {
    /// The first element; `nil` only if the queue is empty.
    @usableFromInline package private(set) var first: Element?
    /// The other elements, from `head` on.
    @usableFromInline var later: [Element?] = []
    @usableFromInline var head = 0

    @inlinable package init() {}

    @inlinable package var isEmpty: Bool { first == nil }
    @inlinable package var count: Int { isEmpty ? 0 : later.count - head + 1 }

    /// All elements, the first one first.
    package var elements: [Element] { (first.map { [$0] } ?? []) + later[head...].compactMap(\.self) }

    @inlinable package mutating func append(_ element: consuming Element) {
        if first == nil { first = consume element } else { later.append(element) }
    }
    @inlinable package mutating func popFirst() -> Element? {
        let element = first.take()
        if head < later.count { advance() }
        return element
    }
    @inlinable mutating func advance() {
        first = later[head].take()
        head += 1
        if head == later.count {
            later.removeAll(keepingCapacity: later.capacity <= 64)
            head = 0
        } else if head > 64, head > later.count / 2 {
            later.removeFirst(head)
            head = 0
        }
    }
}

extension Queue: Sendable where Element: Sendable {}
