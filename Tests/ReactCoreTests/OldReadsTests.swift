import ReactCore
import ReactOperators
import Synchronization
import Testing

#if DEBUG
/// In processes of their own, because the check is on for all threads.
@Suite("Reads of old values") struct OldReadsTests {
    @Test("a listener that reads a node downstream before that has its value is reported, with both nodes")
    func reported() async {
        await #expect(processExitsWith: .success) {
            let reports = Mutex<[String]>([])
            let price = MutableNode(20).named("price"), lifetime = Lifetime()
            let double = price.map { $0 * 2 }.named("double"), sum = combine(price, double) { $0 + $1 }.named("sum")
            let far = sum.map { $0 + 1 }, copy = MutableNode<Int>().named("copy")
            copy.link(to: double)
            price.listened(by: lifetime).with { _ in
                _ = (double.value, sum.current, far.value, copy.current)
            }
            price.value = 21
            OldReads.report = { text in reports.withLock { $0.append(text) } }
            price.value = 22
            OldReads.report = nil
            price.value = 23
            let texts = reports.withLock { $0 }
            let names = ["'double'", "'sum'", "a node of Int", "'copy'"]
            precondition(texts.count == 4, "\(texts)")
            for (text, name) in zip(texts, names) {
                precondition(
                    text
                        == "\(name) was read by code that is called for 'price', which is upstream: it still holds its value "
                        + "from before. Listen to \(name), or combine the nodes.", text)
            }
        }
    }
    @Test("reads of values that are there, of nodes upstream and elsewhere, and outside of sets, are not reported")
    func unreported() async {
        await #expect(processExitsWith: .success) {
            let reports = Mutex<[String]>([]), hasBegun = Mutex(false)
            OldReads.report = { text in reports.withLock { $0.append(text) } }
            let price = MutableNode(20).named("price"), other = MutableNode(1).named("other"), lifetime = Lifetime()
            let first = price.map { $0 * 2 }.named("first"), second = price.map { $0 * 3 }.named("second")
            let odd = first.filter { $0 % 4 != 0 }.named("odd"), sum = combine(first, second) { $0 + $1 }.named("sum")
            // When a listener is called for the first time, all is there.
            price.listened(by: lifetime).with { _ in
                if hasBegun.withLock(\.self) {
                    _ = (price.current, other.current)
                } else {
                    _ = (first.current, sum.current)
                }
            }
            hasBegun.withLock { $0 = true }
            second.listened(by: lifetime).with { _ in _ = (price.current, first.current, second.current, odd.value) }
            sum.listened(by: lifetime).with { _ in
                _ = (price.current, first.current, second.current, sum.current, other.current)
                other.value = 2
                _ = (other.current, sum.current)
            }
            for value in [21, 22, 24] { price.value = value }
            batch {
                price.value = 30
                _ = (first.current, sum.current)
            }
            _ = sum.current
            let texts = reports.withLock { $0 }
            precondition(texts.isEmpty, "\(texts)")
        }
    }
    @Test("the closure that is told of a read may read nodes itself") func readsItself() async {
        await #expect(processExitsWith: .success) {
            let count = Mutex(0)
            let price = MutableNode(20), double = price.map { $0 * 2 }, lifetime = Lifetime()
            OldReads.report = { _ in
                _ = double.current
                count.withLock { $0 += 1 }
            }
            price.listened(by: lifetime).with { _ in _ = double.current }
            price.value = 21
            precondition(count.withLock { $0 } == 1)
        }
    }
}
#endif
