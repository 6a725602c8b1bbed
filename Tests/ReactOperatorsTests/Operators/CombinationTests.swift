import Dispatch
import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Combining nodes")
struct CombinationTests {
    @Test("zip of three keeps the rows together however far one side is ahead")
    func zipOfThree() {
        let a = MutableNode<Int>()
        let b = MutableNode<String>()
        let c = MutableNode<Bool>()
        let rows = zip(a, b, c)
        let heard = rows.recorded()
        for number in 0..<200 { a.value = number }
        for number in 0..<100 { b.value = "\(number)" }
        #expect(rows.isEmpty)
        for number in 0..<100 { c.value = number.isMultiple(of: 2) }
        #expect(heard.events.map(\.0) == Array(0..<100))
        #expect(heard.events.map(\.1) == (0..<100).map { "\($0)" })
        #expect(heard.events.map(\.2) == (0..<100).map { $0.isMultiple(of: 2) })
    }

    @Test(
        "the value that completes a combination goes to none of the inputs that arrived with it, and its sender list names them all",
        arguments: [true, false], [true, false])
    func completedInABatch(aIsFull: Bool, bIsFull: Bool) {
        let a = aIsFull ? MutableNode(0) : MutableNode(), b = bIsFull ? MutableNode(0) : MutableNode()
        let lifetime = Lifetime(), log = Recorder<String>()
        let sum = combine(a, b) { $0 + $1 }
        let ring = a.link(to: sum)
        defer { ring.cancel() }
        a.listened(by: lifetime).with { log.record("a \($0)") }
        sum.listened(by: lifetime).withSenderListAndContext { value, senders, _ in
            log.record("sum \(value)\(senders.contains(a) ? " a" : "")\(senders.contains(b) ? " b" : "")")
        }
        _ = log.take()
        batch {
            a.value = 1
            b.value = 2
        }
        #expect(log.events == ["a 1", "sum 3 a b"])
    }

    @Test("an input that was emptied counts as missing until it has a value again", arguments: [false, true])
    func emptiedInput(inBatch: Bool) {
        let a = MutableNode(1), b = MutableNode(10)
        let sum = combine(a, b) { $0 + $1 }, list = Node.combine([a, b])
        let heard = sum.recorded(), heardLists = list.recorded()
        func change(_ body: () -> Void) { if inBatch { batch(body) } else { body() } }
        change {
            a.value = 2
            a.clean()
        }
        let afterEmptying = inBatch ? [11] : [11, 12]
        b.value = 20
        #expect(heard.events == afterEmptying)
        #expect(heardLists.events.map { $0.reduce(0, +) } == afterEmptying)
        #expect(sum.current == afterEmptying.last)
        a.value = 3
        #expect(heard.events == afterEmptying + [23])
        a.clean()
        a.clean()
        change {
            b.value = 30
            a.value = 4
        }
        #expect(heard.events == afterEmptying + [23, 34])
        #expect(heardLists.events.map { $0.reduce(0, +) } == afterEmptying + [23, 34])
    }

    @Test("an input that is emptied in the middle of a firing counts as missing afterwards")
    func emptiedInMidFiring() {
        let a = MutableNode(1), b = MutableNode(10)
        let sum = combine(a, b) { one, other in
            if one == 2 { a.clean() }
            return one + other
        }
        let heard = sum.recorded()
        a.value = 2
        b.value = 20
        #expect(heard.events == [11, 12])
        a.value = 3
        #expect(heard.events == [11, 12, 23])
    }

    @Test("zip passes on every row at once, in a batch too")
    func zipInBatch() {
        let a = MutableNode<Int>()
        let b = MutableNode<Int>()
        let heard = Node.zip([a, b]).recorded()
        batch {
            a.value = 1
            b.value = 10
            #expect(heard.events == [[1, 10]])
            b.value = 20
            a.value = 2
            #expect(heard.events == [[1, 10], [2, 20]])
        }
        #expect(heard.events.count == 2)
    }

    @Test("of no nodes at all, zip and merge stay empty, and combine holds an empty array")
    func ofNothing() {
        #expect(Node<Int>.zip([]).isEmpty)
        #expect(Node<Int>.merge([]).isEmpty)
        #expect(zip([Node<Int>]()).isEmpty)
        #expect(merge([MutableNode<Int>]()).isEmpty)
        #expect(Node<Int>.combine([]).value == [])
        #expect(combine([Node<Int>]()).value == [])
        let annotated: Node<[Int]> = combine([])
        #expect(annotated.value == [])
        #expect(!annotated.isMutable)
    }

    @Test("a list of rows that loses its last row holds none, also behind flattenMap")
    func listOfNoRows() {
        let rows = MutableNode([MutableNode("a"), MutableNode("b")])
        let texts = rows.flattenMap { combine($0) }
        let heard = texts.recorded()
        rows.update { _ = $0.removeLast() }
        rows.update { _ = $0.removeLast() }
        rows.current.append(MutableNode("c"))
        #expect(heard.events == [["a", "b"], ["a"], [], ["c"]])
    }

    @Test("combine, zip and merge take any sequence of nodes, mutable or not")
    func sequences() {
        let numbers = [1, 2, 3].map { MutableNode($0) }
        let byName = ["a": numbers[0]]
        #expect(combine(numbers).value == [1, 2, 3])
        #expect(combine(numbers.lazy.map { $0.map { $0 * 10 } }).value == [10, 20, 30])
        #expect(combine(byName.values).value == [1])
        #expect(combine(AnySequence(numbers.reversed())).value == [3, 2, 1])
        #expect(combine([numbers[0], numbers[1].map { -$0 }]).value == [1, -2])
        #expect(zip(numbers).value == [1, 2, 3])
        #expect(zip(numbers[1...].lazy.map { $0 as Node }).value == [2, 3])
        #expect(merge(numbers).value == 3)
        #expect(merge(byName.values).value == 1)
        let sum = combine(numbers).map { $0.reduce(0, +) }
        let heard = (sum.recorded(), merge(numbers).recorded(), zip(numbers).recorded())
        batch { for number in numbers { number.current += 1 } }
        #expect(heard.0.events == [6, 9])
        #expect(heard.1.events == [3, 2, 3, 4])
        #expect(heard.2.events == [[1, 2, 3], [2, 3, 4]])
    }

    @Test(
        "a zip that was cut on one side is silent, and the values that waited there are gone",
        arguments: [
            { @Sendable (edge: Transform<Int, [Int]>) in edge.from = nil },
            { @Sendable (edge: Transform<Int, [Int]>) in edge.to = nil },
            { @Sendable (edge: Transform<Int, [Int]>) in edge.cancel() },
        ])
    func cutZip(cut: @Sendable (Transform<Int, [Int]>) -> Void) throws {
        let a = MutableNode<Int>()
        let b = MutableNode<Int>()
        let rows = Node.zip([a, b])
        let heard = rows.recorded()
        a.value = 1
        a.value = 2
        let edge = try #require(rows.upstreamTransforms[0] as? Transform<Int, [Int]>)
        cut(edge)
        b.value = 10
        a.value = 3
        #expect(heard.events.isEmpty)
        edge.from = nil
        edge.to = rows
        edge.from = a
        #expect(heard.events == [[3, 10]])
    }

    @Test("a cut side of a zip releases the values that waited there")
    func cutZipReleases() {
        let a = MutableNode<Payload>()
        let b = MutableNode<Payload>()
        let rows = zip(a, b)
        let waiting = Weak<Payload>()
        func wait() {
            let payload = Payload(1)
            waiting.object = payload
            a.value = payload
            a.clean()
        }
        wait()
        #expect(waiting.object != nil)
        rows.removeUpstreamNode(a)
        #expect(waiting.object == nil)
    }

    @Test("rows reach a listener in order, whichever threads complete them")
    func zipOnThreads() {
        let a = MutableNode<Int>()
        let b = MutableNode<Int>()
        let heard = zip(a, b).recorded()
        let count = 2_000
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for number in 0..<count { (thread == 0 ? a : b).value = number }
        }
        #expect(heard.events.map(\.0) == Array(0..<count))
        #expect(heard.events.map(\.1) == Array(0..<count))
    }

    @Test("a zip that is re-pointed while its nodes are set never pairs values that do not belong together")
    func zipRepointedOnThreads() throws {
        let a = MutableNode<Int>()
        let b = MutableNode<Int>()
        let rows = Node.zip([a, b])
        let heard = rows.recorded()
        let edge = try #require(rows.upstreamTransforms[1] as? Transform<Int, [Int]>)
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            for number in 0..<500 {
                switch thread {
                case 0: a.value = number
                case 1: b.value = number
                default:
                    edge.from = nil
                    edge.from = b
                }
            }
        }
        let firsts = heard.events.map { $0[0] }
        #expect(firsts == Array(firsts.first.map { $0..<$0 + firsts.count } ?? 0..<0))
    }

    @Test("merge hears every event, and both ways of a diamond")
    func mergeOfDiamond() {
        let source = MutableNode(1)
        let both = merge(source.map { $0 * 10 }, source.map { $0 * 100 })
        let heard = both.recorded()
        source.value = 2
        #expect(heard.events == [100, 20, 200])
    }

    @Test("instance and array forms are the same as the functions")
    func forms() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        #expect(a.zip(b).value.map { [$0.0, $0.1] } == [1, 2])
        #expect(Node.zip([a, b]).value == [1, 2])
        #expect(a.merge(b).value == 2)
        #expect(Node.merge([b, a]).value == 1)
        #expect(a.combine(b).value.map { [$0.0, $0.1] } == [1, 2])
        #expect(Node.combine([a, b]).value == [1, 2])
    }

    @Test(
        "an array that somebody else stored in a combination of many is no part of its next values",
        arguments: [true, false])
    func arraysOfOthers(isZip: Bool) {
        let (a, b) = (MutableNode(1), MutableNode(2))
        let both = isZip ? Node.zip([a, b]) : Node.combine([a, b])
        both.mutablify().value = [9]
        let heard = both.recorded()
        for value in 3...6 {
            batch {
                a.value = value
                b.value = value
            }
        }
        #expect(heard.events == [[9], [3, 3], [4, 4], [5, 5], [6, 6]])
    }

    @Test("a function's result of an input that is cut meanwhile is not stored")
    func cutMeanwhile() {
        let (a, b) = (MutableNode(1), MutableNode(1))
        let cut = Locked<AnyTransform?>(nil)
        defer { cut.value = nil }
        let sum = combine(a, b) { first, second in
            if first == 2 { cut.value?.cancel() }
            return first + second
        }
        let heard = sum.recorded()
        cut.value = sum.upstreamTransforms(from: a).first
        a.value = 2
        #expect(heard.events == [2])
        b.value = 5
        sum.mutablify().value = 7
        #expect(heard.events == [2, 7])
    }

    @Test("a function's result of an input that is pointed elsewhere meanwhile is not stored")
    func pointedElsewhereInTheFunction() throws {
        let (a, b, c) = (MutableNode(1), MutableNode(10), MutableNode(100))
        let edge = Locked<Transform<Int, Int>?>(nil)
        let sum = combine(a, b) { x, y in
            if x == 2 { edge.value?.from = c }
            return x + y
        }
        edge.value = try #require(a.downstreamTransforms.first as? Transform<Int, Int>)
        let heard = sum.recorded()
        a.value = 2
        #expect(heard.events == [11, 110])
        edge.value = nil
    }
}
