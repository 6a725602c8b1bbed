import Dispatch
import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Zip")
struct ZipTests {
    private let a = MutableNode<Int>()
    private let b = MutableNode<Int>()

    /// How many values wait at each side.
    private func waiting(_ node: AnyNode) -> [Int?] {
        node.upstreamTransforms.filter { $0.name == "Zip" }.map(\.waitingCount)
    }

    @Test("a listener of the rows may set the inputs: the rows come in order, and none is lost")
    func setByListener() {
        let rows = Node.zip([a, b])
        let heard = rows.recorded()
        let listener = Lifetime()
        rows.listened(by: listener).with { [a, b] row in
            guard row[0] < 50 else { return }
            a.value = row[0] + 1
            b.value = row[1] + 1
            // The other way round, and two ahead, now and then.
            guard row[0].isMultiple(of: 10) else { return }
            b.value = 100 + row[1]
            a.value = 100 + row[0]
        }
        a.value = 0
        b.value = 0
        var expected: [[Int]] = []
        var queue = [[0, 0]]
        while !queue.isEmpty {
            let row = queue.removeFirst()
            expected.append(row)
            guard row[0] < 50 else { continue }
            queue.append([row[0] + 1, row[1] + 1])
            if row[0].isMultiple(of: 10) { queue.append([100 + row[0], 100 + row[1]]) }
        }
        #expect(heard.events == expected)
        #expect(waiting(rows) == [0, 0])
    }

    @Test("rows that are completed while the zipped node delivers another value come after it, in order")
    func completedWhileBusy() {
        let rows = Node.zip([a, b]).mutablify()
        let heard = rows.recorded()
        let listener = Lifetime()
        rows.listened(by: listener).with { [a, b] row in
            guard row == [0, 0] else { return }
            for number in 1...3 { a.value = number }
            for number in 1...3 { b.value = number * 10 }
            #expect(rows.value == [0, 0])
        }
        rows.value = [0, 0]
        #expect(heard.events == [[0, 0], [1, 10], [2, 20], [3, 30]])
        #expect(waiting(rows) == [0, 0])
        rows.stopListening(by: listener)
    }

    @Test("an edge that is pointed at another node gives it the rows that it completes; the others stay where they are")
    func pointedElsewhere() throws {
        let rows = Node.zip([a, b])
        let other = Node<[Int]>()
        let edge = try #require(rows.upstreamTransforms[1] as? Transform<Int, [Int]>)
        edge.to = other
        let heard = rows.recorded()
        let heardElsewhere = other.recorded()
        a.value = 1
        a.value = 2
        b.value = 10
        #expect(heardElsewhere.events == [[1, 10]])
        #expect(heard.events.isEmpty)
        b.value = 20
        b.value = 30
        a.value = 3
        #expect(heardElsewhere.events == [[1, 10], [2, 20]])
        #expect(heard.events == [[3, 30]])
        edge.to = nil
    }

    @Test(
        "a value that came through the zipped node waits at its input, and completes no row", arguments: [false, true])
    func comesBack(isLater: Bool) {
        let rows = Node.zip([a, b]).mutablify()
        // What comes by a combination comes when the zipped node is idle again.
        let back = isLater ? combine(rows, Node(0)).mapEach { row, _ in row[0] } : rows.map { $0[0] }
        let link = a.link(to: back)
        let heard = rows.recorded()
        b.value = 10
        rows.value = [5, 0]
        #expect(heard.events == [[5, 0]])
        #expect(a.value == 5)
        #expect(waiting(rows) == [1, 1])
        link.cancel()
        a.value = 6
        #expect(heard.events == [[5, 0], [5, 10]])
        #expect(waiting(rows) == [1, 0])
    }

    @Test("each value is in exactly one row, those of each thread in order, however many threads set either side")
    func threads() {
        let rows = Node.zip([a, b])
        let heard = rows.recorded()
        let count = 1_000
        DispatchQueue.concurrentPerform(iterations: 4) { [a, b] thread in
            for number in 0..<count { (thread < 2 ? a : b).value = thread * count + number }
        }
        for side in 0...1 {
            let values = heard.events.map { $0[side] }
            for thread in [2 * side, 2 * side + 1] {
                #expect(values.filter { $0 / count == thread } == Array(thread * count..<(thread + 1) * count))
            }
            #expect(values.count == 2 * count)
        }
        #expect(waiting(rows) == [0, 0])
    }

    @Test("the values of a row are let go of when the next takes its place, and those that wait with the node")
    func letGo() {
        let left = MutableNode<Payload>()
        let right = MutableNode<Payload>()
        var seen: [Weak<Payload>] = []
        func set(_ node: MutableNode<Payload>) {
            let payload = Payload(0)
            seen.append(Weak(payload))
            node.value = payload
            node.clean()
        }
        func live() -> [Bool] { seen.map { $0.object != nil } }
        do {
            let rows = zip(left, right)
            for node in [left, right, left, left, right] { set(node) }
            #expect(live() == [false, false, true, true, true])
            withExtendedLifetime(rows) {}
        }
        #expect(live() == [false, false, false, false, false])
    }

    @Test(
        "values that wait on one side come out in order, however far that side is ahead, and however far the other catches up"
    )
    func farAhead() {
        let rows = zip(a, b)
        let heard = Recorder<Int>()
        let lifetime = Lifetime()
        rows.listened(by: lifetime).with { one, other in
            #expect(one == other)
            heard.record(one)
        }
        var (ahead, behind) = (0, 0)
        func set(_ node: MutableNode<Int>, _ number: inout Int, _ count: Int) {
            for _ in 0..<count {
                node.value = number
                number += 1
            }
        }
        // Two ahead for long; then far ahead, half way back, farther still; then the other side is.
        set(a, &ahead, 2)
        for _ in 0..<1_000 {
            set(b, &behind, 1)
            set(a, &ahead, 1)
        }
        #expect(waiting(rows) == [2, 0])
        set(a, &ahead, 500)
        set(b, &behind, 250)
        #expect(waiting(rows) == [252, 0])
        set(a, &ahead, 2_000)
        set(b, &behind, 3_000)
        #expect(waiting(rows) == [0, 748])
        set(a, &ahead, 748)
        #expect(waiting(rows) == [0, 0])
        #expect(heard.events == Array(0..<ahead))
    }

    @Test("hundreds of values that wait are let go of when their edge is cut, and when the zipped node goes")
    func manyLetGo() {
        let tracker = LifetimeTracker()
        func use(_ end: (Node<(Tracked, Int)>) -> Void) {
            let left = MutableNode<Tracked>()
            let rows = zip(left, b)
            for number in 0..<300 { left.value = tracker.track("\(number)") }
            for number in 0..<100 { b.value = number }
            #expect(waiting(rows) == [200, 0])
            left.clean()
            // Those that wait, and that of the last row.
            #expect(tracker.live.count == 201)
            end(rows)
        }
        use { rows in
            rows.upstreamTransforms[0].cancel()
            #expect(tracker.live == ["99"])
        }
        #expect(tracker.live == [])
        b.clean()
        use { _ in }
        #expect(tracker.live == [])
    }
}
