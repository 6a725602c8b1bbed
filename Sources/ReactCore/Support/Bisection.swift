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
