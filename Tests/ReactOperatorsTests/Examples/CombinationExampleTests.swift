import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("The guide's examples: combining nodes")
struct CombinationExampleTests {
    @Test("the sum of 1 and 2 is 3, then 6, then 10")
    func combineWithSum() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        let sum = combine(a, b).mapEach { $0 + $1 }
        let heard = sum.recorded()
        #expect(sum.value == 3)
        a.value = 4
        #expect(sum.value == 6)
        b.value = 6
        #expect(sum.value == 10)
        #expect(heard.events == [3, 6, 10])
    }

    @Test("merge of 1 and 2 starts with 2, then passes on 3 and 4")
    func mergeOfTwo() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        let heard = merge(a, b).recorded()
        a.value = 3
        b.value = 4
        #expect(heard.events == [2, 3, 4])
    }

    @Test("zip of 1, 3, 4, 6 with 2, 5, 7 is (1, 2), (3, 5), (4, 7)")
    func zipOfTwo() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        let heard = zip(a, b).recorded()
        a.value = 3
        a.value = 4
        b.value = 5
        a.value = 6
        b.value = 7
        #expect(heard.events.map(\.0) == [1, 3, 4])
        #expect(heard.events.map(\.1) == [2, 5, 7])
    }

    @Test("a choice stays while it is offered, gives way to the first option, and comes back with its offer")
    func choiceThatStays() {
        let sizes = MutableNode(["S", "M", "L"]), wanted = MutableNode<String?>(nil)
        let chosen = combine(sizes, wanted) { sizes, wanted in
            wanted.flatMap { sizes.contains($0) ? $0 : nil } ?? sizes.first
        }
        let heard = chosen.recorded()
        wanted.value = "L"
        sizes.value = ["L", "XL"]
        sizes.value = ["S", "M"]
        sizes.value = []
        sizes.value = ["M", "L"]
        #expect(heard.events == ["S", "L", "L", "S", nil, "L"])
    }

    @Test("the current value of a combination is one moment of its nodes, while another thread sets them in batches")
    func severalNodesAsOne() {
        let width = MutableNode(0), height = MutableNode(0), size = combine(width, height)
        let start = Latch(2), isOver = Locked(false)
        let writer = Worker {
            start.arriveAndWait()
            for number in 1...5_000 {
                batch {
                    width.value = number
                    height.value = -number
                }
            }
            isOver.value = true
        }
        start.arriveAndWait()
        var torn = 0
        while !isOver.value {
            let (width, height) = size.current
            if width != -height { torn += 1 }
        }
        writer.join()
        #expect(torn == 0)
        #expect(size.current == (5_000, -5_000))
    }
}
