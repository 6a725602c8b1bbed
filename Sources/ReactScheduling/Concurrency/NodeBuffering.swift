/// The choice of values that wait while a loop is elsewhere.
///
///     let node = MutableNode(0)
///     var newest = node.values(buffering: .newest(2)).makeAsyncIterator()
///     var oldest = node.values(buffering: .oldest(2)).makeAsyncIterator()
///     for value in 1...9 { node.value = value }
///     print(await newest.next()!, await newest.next()!)       // 8 9
///     print(await oldest.next()!, await oldest.next()!)       // 0 1
///
/// A value that comes while the loop waits for one is not held up by those limits: the loop gets it.
public enum NodeBuffering: Sendable {
    /// Keeps the given number of newest values. `values` uses `newest(1)`.
    case newest(Int)
    /// Keeps the given number of oldest values, and drops later ones.
    case oldest(Int)
    /// Keeps all, without limit: a loop that is always slower than the node makes the line grow for ever.
    case all

    /// The fewest that a line can have, so that a loop ever goes on, is one.
    var isPossible: Bool {
        switch self {
        case .newest(let limit), .oldest(let limit): limit > 0
        case .all: true
        }
    }
    /// True if at most the newest value waits.
    @usableFromInline var keepsOne: Bool { if case .newest(1) = self { true } else { false } }
}
