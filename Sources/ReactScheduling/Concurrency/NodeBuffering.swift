/// The choice of values that wait while a loop is elsewhere.
///
///     let node = MutableNode(0)
///     var newest = node.values(buffering: .newest(2)).makeAsyncIterator()
///     var oldest = node.values(buffering: .oldest(2)).makeAsyncIterator()
///     for value in 1...9 { node.value = value }
///     print(await newest.next()!, await newest.next()!)       // 8 9
///     print(await oldest.next()!, await oldest.next()!)       // 0 1
///
/// The limit of `oldest` does not count a value that comes while the loop waits for one: the loop gets it.
public enum NodeBuffering: Sendable {
    /// Keeps the given number of newest values. `values` uses `newest(1)`.
    case newest(Int)
    /// Keeps the given number of oldest values, and drops later ones.
    case oldest(Int)
    /// Keeps all values, without limit. If the loop is always slower than the node, the line grows for ever.
    case all

    /// True if the line has a place for at least one value. With no place, a loop would never go on.
    var isPossible: Bool {
        switch self {
        case .newest(let limit), .oldest(let limit): limit > 0
        case .all: true
        }
    }
    /// True if at most the newest value waits.
    @usableFromInline var keepsOne: Bool { if case .newest(1) = self { true } else { false } }
}
