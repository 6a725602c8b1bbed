import ReactCore
import ReactOperators
import ReactTesting
import TestSupport
import Testing

@Suite("Expected runs")
struct RunsTests {
    @Test("a map runs for each value of its source, and the result of the body is returned")
    func map() throws {
        let a = MutableNode(1)
        let doubled = a.map { $0 * 2 }
        let last = try expectRuns(of: doubled, exactly: 2) {
            a.value = 2
            a.value = 3
            return doubled.current
        }
        #expect(last == 6)
    }

    @Test("a filter runs also for values that it drops")
    func filter() throws {
        let a = MutableNode(1)
        let even = a.filter { $0.isMultiple(of: 2) }
        try expectRuns(of: even, exactly: 3) {
            for value in [1, 3, 4] { a.value = value }
            a.clean()
        }
    }

    @Test("a combination runs once a batch")
    func combination() throws {
        let a = MutableNode(1), b = MutableNode(2)
        let sum = combine(a, b) { $0 + $1 }
        try expectRuns(of: sum, exactly: 1) {
            batch {
                a.value = 3
                b.value = 4
            }
        }
    }

    @Test("a computed node runs for changed values, and not for equal ones")
    func computedNode() throws {
        let a = MutableNode(1), b = MutableNode(2)
        let sum = computed { try $0(a) + $0(b) }
        try expectRuns(of: sum, exactly: 1) { a.value = 10 }
        try expectRuns(of: sum, exactly: 0) { b.value = 2 }
        try expectRuns(of: sum, exactly: 2) {
            a.value = 1
            b.value = 5
        }
    }

    @Test("a zip runs once a row, and a node that nothing makes does not run")
    func zipAndSource() throws {
        let a = MutableNode<Int>(), b = MutableNode<Int>()
        let rows = a.zip(b)
        try expectRuns(of: rows, exactly: 1) {
            a.value = 1
            a.value = 2
            b.value = 3
        }
        try expectRuns(of: a, exactly: 0) { a.value = 3 }
    }

    @Test("another number of runs is an error that names the node and both numbers")
    func error() {
        let a = MutableNode(1)
        let doubled = a.map { $0 * 2 }.named("doubled")
        let error = #expect(throws: RunCountError.self) {
            try expectRuns(of: doubled, exactly: 3) { a.value = 2 }
        }
        #expect(error == RunCountError(node: "“doubled”", expected: 3, actual: 1))
        #expect(error?.description == "the closures of “doubled” ran once, and were expected to run 3 times")
    }

    @Test("runs on other threads count, and none is left out")
    func threads() throws {
        let a = MutableNode(1)
        let doubled = a.map { $0 * 2 }
        try expectRuns(of: doubled, exactly: 4_000) {
            concurrently(4) { _ in
                for value in 0..<1_000 { a.value = value }
            }
        }
    }

    @Test("two counts of one node run at once, nothing is counted afterwards, and listeners are as before")
    func twoAtOnce() throws {
        let a = MutableNode(1), screen = Lifetime(), heard = Locked<[Int]>([])
        let doubled = a.map { $0 * 2 }
        a.listened(by: screen).with { value in heard.withLock { $0.append(value) } }
        try expectRuns(of: doubled, exactly: 2) {
            try expectRuns(of: doubled, exactly: 1) { a.value = 2 }
            #expect(a.listenEdges.count == 1)
            a.value = 3
        }
        #expect(a.listenEdges.count == 1)
        #expect(heard.withLock { $0 } == [1, 2, 3])
    }

    @Test("a node with a mark goes as soon as nobody holds it")
    func nodeGoes() throws {
        weak var gone: AnyNode?
        do {
            let holder = Locked<MutableNode<Int>?>(MutableNode(1))
            gone = holder.withLock { $0 }
            let node = Node<Int>()
            let mark = NodeMark { _ in }
            mark.begin(at: holder.withLock { $0! })
            _ = holder.withLock { $0.take() }
            #expect(gone == nil)
            mark.end()
            _ = node
        }
    }
}
