/// Holds back every `combine` until the outermost `batch`, or the set under way, on this thread ends; each then fires at most once.
/// All else is delivered at once, inside the block. If `body` throws, what it had set stays set, and the combinations
/// still fire.
///
///     batch { width.value = 3; height.value = 4 }     // area fires once, with 12
///
/// A combination that is made inside the block has its first value when the block ends. What another thread sets
/// meanwhile waits with the rest, where it reaches a combination that this thread has begun to change.
public func batch<R>(_ body: () throws -> R) rethrows -> R {
    let propagation = Propagation.current
    let outer = propagation.begin()
    defer { propagation.end(outer) }
    return try body()
}
