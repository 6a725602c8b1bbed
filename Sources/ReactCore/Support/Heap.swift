/// A binary heap, laid out in a row: no element precedes the one at half its place, so that the first precedes all.
enum Heap {
    /// Puts the last element where it belongs. The others are a heap.
    static func insertLast<Element>(
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
    /// Takes the first element out: the last one comes in its place, and then goes where it belongs. What is left is one shorter.
    static func removeFirst<Element>(
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

extension Array {
    /// Where those end that `belongs` holds of: all others come after them. O(log n).
    package func endOfPrefix(while belongs: (Element) -> Bool) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
