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
    @Test("a program that sets no closure is told on standard error, once for each pair of nodes") func standardError()
        async throws
    {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let price = MutableNode(20).named("price"), lifetime = Lifetime()
            let double = price.map { $0 * 2 }.named("double"), triple = price.map { $0 * 3 }.named("triple")
            price.listened(by: lifetime).with { _ in _ = (double.current, triple.current) }
            for value in 1...3 { price.value = value }
        }
        let content = try #require(result?.standardErrorContent)
        let text = String(decoding: content, as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("EasyReact: ") }
        #expect(lines.count == 2, "\(text)")
        #expect(lines.first?.contains("'double' was read by code that is called for 'price'") == true)
        #expect(lines.last?.hasSuffix("Listen to 'triple', or combine the nodes.") == true)
    }
    @Test("a closure is told once of each pair of nodes, and once more when it is set anew") func once() async {
        await #expect(processExitsWith: .success) {
            let count = Mutex(0)
            let price = MutableNode(20), double = price.map { $0 * 2 }, lifetime = Lifetime()
            price.listened(by: lifetime).with { _ in _ = double.current }
            for expected in 1...2 {
                OldReads.report = { _ in count.withLock { $0 += 1 } }
                price.value = 21
                price.value = 22
                precondition(count.withLock { $0 } == expected)
            }
        }
    }
    @Test("a hundred pairs of nodes are told, and no more") func limit() async {
        await #expect(processExitsWith: .success) {
            let count = Mutex(0), lifetime = Lifetime()
            OldReads.report = { _ in count.withLock { $0 += 1 } }
            for number in 0..<150 {
                let price = MutableNode(number), double = price.map { $0 * 2 }
                price.listened(by: lifetime).with { _ in _ = double.current }
                price.value = 1
            }
            precondition(count.withLock { $0 } == 100)
        }
    }
    @Test("pairs of nodes that have gone are told from later ones in their place") func pairsThatHaveGone() async {
        await #expect(processExitsWith: .success) {
            let count = Mutex(0)
            OldReads.report = { _ in count.withLock { $0 += 1 } }
            for number in 0..<50 {
                let price = MutableNode(number), double = price.map { $0 * 2 }, lifetime = Lifetime()
                price.listened(by: lifetime).with { _ in _ = double.current }
                price.value = 1
            }
            precondition(count.withLock { $0 } == 50)
        }
    }
    @Test("the check asks at most 32 nodes upstream of the one that is read") func distance() async {
        await #expect(processExitsWith: .success) {
            let reports = Mutex<[String]>([]), lifetime = Lifetime()
            OldReads.report = { text in reports.withLock { $0.append(text) } }
            let source = MutableNode(0)
            var nodes: [Node<Int>] = [source]
            for _ in 1...100 { nodes.append(nodes[nodes.count - 1].map { $0 + 1 }) }
            let (near, far) = (nodes[30].named("near"), nodes[100].named("far"))
            source.listened(by: lifetime).with { _ in _ = (near.current, far.current) }
            source.value = 1
            let texts = reports.withLock { $0 }
            precondition(texts.count == 1 && texts[0].hasPrefix("'near'"), "\(texts)")
        }
    }
    @Test("a closure that is asked for at each of many reads is released without a deep stack") func manyReads() async {
        await #expect(processExitsWith: .success) {
            let price = MutableNode(20), double = price.map { $0 * 2 }, lifetime = Lifetime()
            OldReads.report = { _ in }
            price.listened(by: lifetime).with { _ in for _ in 0..<400_000 { _ = double.current } }
            price.value = 21
            OldReads.report = nil
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
