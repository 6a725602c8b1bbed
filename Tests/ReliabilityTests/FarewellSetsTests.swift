import ReactCore
import ReactOperators
import TestSupport
import Testing

#if os(macOS) || os(Linux)
/// Letting go of a value runs its `deinit`, which is user code, and may set nodes: wherever the engine lets go, it is whole.
@Suite("Farewell sets", .serialized) struct FarewellSetsTests {
    @Test("a value that goes at the very end of a set may set nodes, and all that is combined of them is made")
    func atTheEndOfASet() async {
        await #expect(processExitsWith: .success) {
            limitWork()
            let listener = Lifetime()
            let (source, set) = (MutableNode(0), MutableNode(0))
            let deep = set.map { $0 }.map { $0 }.map { $0 }
            let sum = combine(deep, MutableNode(1)).mapEach { $0 + $1 }.map { $0 }
            let heard = Recorder<[Int]>()
            combine(sum.map { $0 }, deep).listened(by: listener).withSenderListAndContext { pair, senders, _ in
                heard.record([pair.0, pair.1, senders.senders.count])
            }
            // The middle goes in mid-delivery; then the record of what its value came through is all that holds it.
            let end = Locked<Node<Int>?>(nil)
            func build() {
                let middle = source.map { count in
                    Farewell { if count == 1 { set.value = 10 } }
                }
                end.value = combine(middle.map { _ in 0 }, source).mapEach { _, count in
                    if count == 1 { end.value = nil }
                    return count
                }
            }
            build()
            source.value = 1
            precondition(heard.last?.prefix(2) == [11, 10], "\(heard.events)")
            set.value = 20
            precondition(heard.last?.prefix(2) == [21, 20], "\(heard.events)")
        }
    }

    @Test("a value that goes at the very end of a long batch may set nodes, and later values find their way")
    func atTheEndOfALongBatch() async {
        await #expect(processExitsWith: .success) {
            let listener = Lifetime()
            let (node, set) = (MutableNode(0), MutableNode(0))
            batch {
                // What so many listeners take over is put on record with a look whether it is there already.
                for _ in 0..<5_000 { node.listened(by: Lifetime()).with { _ in } }
                let last = MutableNode(Farewell { set.update { $0 += 1 } })
                last.listened(by: Lifetime()).with { _ in }
            }
            precondition(set.value == 1)
            let heard = Recorder<Int>()
            batch {
                for _ in 0..<16 { MutableNode(0).listened(by: listener).with { _ in } }
                let mapped = node.map { $0 + 1 }
                mapped.listened(by: listener).withSenderListAndContext { value, senders, _ in
                    heard.record(value + senders.senders.count)
                }
            }
            precondition(heard.events == [2], "\(heard.events)")
        }
    }

    @Test("a value that waits in a combination that another thread holds may set nodes when it goes")
    func whereACombinationWasLeft() {
        let listener = Lifetime()
        let (left, right, set) = (MutableNode(Farewell {}), MutableNode(0), MutableNode(0))
        let pair = Locked<Node<(Farewell, Int)>?>(combine(left, right))
        let heard = Recorder<Int>()
        combine(set.map { $0 }, MutableNode(1)).mapEach { $0 + $1 }.listened(by: listener).with { heard.record($0) }
        batch {
            left.value = Farewell { set.update { $0 += 1 } }
            Worker {
                right.value = 1
                pair.value = nil
                left.value = Farewell {}
            }.join()
        }
        waitForLate(at: right, set)
        #expect(heard.last == 2)
    }
}
#endif
