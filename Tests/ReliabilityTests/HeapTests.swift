import HeapProbe
import ReactCore
import ReactOperators
import TestSupport
import Testing

#if os(macOS) || os(Linux)
/// What a thread keeps of a large set when the set is over: bytes in use on the heap, not those that the system's allocator
/// keeps for the next allocation.
@Suite("Heap after large sets", .disabled(if: Scale.isSanitized, "sanitizers keep what is freed"))
struct HeapTests {
    /// The limit that `batch` states.
    static let limit = 1 << 20

    @Test("after a set that runs down a long chain, the thread keeps at most a megabyte")
    func chain() async {
        await #expect(processExitsWith: .success) {
            check("a chain") {
                let first = MutableNode(0)
                let last = (0..<Scale.scaled(500_000)).reduce(first as Node<Int>) { end, _ in end.map { $0 &+ 1 } }
                first.value = 1
                withExtendedLifetime(last) {}
            }
        }
    }
    @Test("after a batch of many sets, the thread keeps at most a megabyte")
    func batches() async {
        await #expect(processExitsWith: .success) {
            let count = Scale.scaled(500_000)
            let nodes = (0..<count).map { MutableNode($0) }
            func setAll() { batch { for node in nodes { node.value = 1 } } }
            let sums = nodes.map { combine($0, $0) { $0 + $1 } }
            check("a batch that reaches many combinations", setAll)
            withExtendedLifetime(sums) {}
            let all = combine(nodes)
            check("a batch that sets each input of a combination", setAll)
            withExtendedLifetime(all) {}
            let sum = combine(nodes[0], nodes[0].map { $0 }) { $0 + $1 }
            check("a batch that sets one node") { batch { for value in 0..<count { nodes[0].value = value } } }
            withExtendedLifetime(sum) {}
        }
    }
    @Test("after values that wait for their turn at a node, the thread keeps at most a megabyte")
    func queued() async {
        await #expect(processExitsWith: .success) {
            let (node, lifetime) = (MutableNode(0), Lifetime())
            // The engine takes 100,000 for a listener that never ends.
            let count = 90_000
            node.listened(by: lifetime).with { if $0 == 1 { for value in 2..<count { node.value = value } } }
            check("queued values") { node.value = 1 }
        }
    }
}

/// Ends the process if the heap has more than the limit in use after `body` than before.
private func check(_ name: String, _ body: () -> Void) {
    // The thread's engine, and what the language's runtime makes once.
    do {
        let node = MutableNode(0), sum = combine(node, node.map { $0 }) { $0 + $1 }
        node.value = 1
        withExtendedLifetime(sum) {}
    }
    let before = Int(heap_bytes_in_use())
    body()
    let kept = Int(heap_bytes_in_use()) - before
    print(name, kept)
    precondition(kept <= HeapTests.limit, "\(name): \(kept) bytes")
}
#endif
