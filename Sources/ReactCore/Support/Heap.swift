/// A binary heap in a row: no element precedes its parent, at half its place, so the first element precedes all others.
package enum Heap {
    /// Moves the last element to its place. The others are a heap.
    package static func insertLast<Element>(
        of elements: UnsafeMutablePointer<Element>, count: Int, _ precedes: (Element, Element) -> Bool
    ) {
        var place = count - 1
        let element = elements[place]
        while place > 0, precedes(element, elements[(place - 1) / 2]) {
            elements[place] = elements[(place - 1) / 2]
            place = (place - 1) / 2
        }
        elements[place] = element
    }
    /// Removes the first element: moves the last one into its place, and then down to where it belongs. The heap is one
    /// shorter afterwards.
    package static func removeFirst<Element>(
        of elements: UnsafeMutablePointer<Element>, count: Int, _ precedes: (Element, Element) -> Bool
    ) {
        let end = count - 1
        let last = elements[end]
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < end else { break }
            if child + 1 < end, precedes(elements[child + 1], elements[child]) { child += 1 }
            guard precedes(elements[child], last) else { break }
            elements[place] = elements[child]
            place = child
        }
        elements[place] = last
    }
}
