import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Batch") struct BatchTests {
    struct Refusal: Error {}

    @Test("a combination fires at most once a batch, with the last of each input")
    func once() {
        let listener = Lifetime()
        let width = MutableNode(1)
        let height = MutableNode(1)
        let area = combine(width, height).mapEach { $0 * $1 }
        let heard = area.heard(by: listener)
        batch {
            width.value = 2
            width.value = 3
            height.value = 4
            #expect(area.value == 1)
        }
        #expect(heard.events == [1, 12])
    }

    @Test("all else is delivered at once, inside the block")
    func othersAtOnce() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let node = MutableNode(0)
        let sum = combine(node, Node(0)).mapEach { $0 + $1 }
        node.map { $0 }.log("map", to: log, by: listener)
        sum.log("sum", to: log, by: listener)
        _ = log.take()
        batch {
            node.value = 1
            log.record("between")
            node.value = 2
            log.record("end")
        }
        #expect(log.take() == ["map1", "between", "map2", "end", "sum2"])
    }

    @Test("a batch returns its block's result")
    func result() {
        #expect(batch { 7 } == 7)
    }

    @Test("a batch in which nothing is set fires nothing")
    func nothingSet() {
        let listener = Lifetime()
        let heard = combine(Node(1), Node(2)).mapEach { $0 + $1 }.heard(by: listener)
        batch {}
        #expect(heard.events == [3])
    }

    @Test("only the outermost batch lets combinations go")
    func nested() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let left = MutableNode(0)
        let right = MutableNode(0)
        combine(left, right).mapEach { [$0, $1] }.log("pair", to: log, by: listener)
        _ = log.take()
        batch {
            batch {
                left.value = 1
                batch { right.value = 1 }
                log.record("innermost done")
            }
            log.record("inner done")
            right.value = 2
        }
        #expect(log.take() == ["innermost done", "inner done", "pair[1, 2]"])
    }

    @Test("if the block throws, nodes that it had set stay set, and the combinations still fire")
    func throwing() {
        let listener = Lifetime()
        let left = MutableNode(0)
        let right = MutableNode(0)
        let heard = combine(left, right).mapEach { [$0, $1] }.heard(by: listener)
        #expect(throws: Refusal.self) {
            try batch {
                left.value = 1
                right.value = 2
                throw Refusal()
            }
        }
        #expect(heard.events == [[0, 0], [1, 2]])
        left.value = 3
        #expect(heard.last == [3, 2])
    }

    @Test("an inner batch that throws leaves its combinations to the outer one")
    func throwingInside() {
        let listener = Lifetime()
        let left = MutableNode(0)
        let right = MutableNode(0)
        let heard = combine(left, right).mapEach { [$0, $1] }.heard(by: listener)
        batch {
            try? batch {
                left.value = 1
                throw Refusal()
            }
            right.value = 2
        }
        #expect(heard.events == [[0, 0], [1, 2]])
    }

    @Test("a batch inside a listener leaves its combinations to the set under way")
    func insideListener() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let node = MutableNode(0)
        let left = MutableNode(0)
        let right = MutableNode(0)
        combine(left, right).mapEach { [$0, $1] }.log("pair", to: log, by: listener)
        node.listened(by: listener).with { value in
            batch {
                left.value = value
                right.value = value
            }
            log.record("batch done")
        }
        node.log("node", to: log, by: listener)
        _ = log.take()
        node.value = 1
        #expect(log.take() == ["batch done", "node1", "pair[1, 1]"])
    }

    @Test("a batch over several diamonds fires each combination once, those above first")
    func severalDiamonds() {
        let listener = Lifetime()
        let log = Recorder<String>()
        let a = MutableNode(0)
        let b = MutableNode(0)
        let upper = combine(a.map { $0 }, b.map { $0 }).mapEach { $0 + $1 }
        let lower = combine(a, upper, b).mapEach { [$0, $1, $2] }
        lower.log("lower", to: log, by: listener)
        upper.log("upper", to: log, by: listener)
        _ = log.take()
        batch {
            b.value = 2
            a.value = 1
        }
        #expect(log.take() == ["upper3", "lower[1, 3, 2]"])
    }

    @Test("a listener of a combination may start a batch of its own")
    func batchByListenerOfCombination() {
        let listener = Lifetime()
        let left = MutableNode(0)
        let right = MutableNode(0)
        let pair = combine(left, right).mapEach { [$0, $1] }
        let heard = pair.heard(by: listener)
        pair.listened(by: listener).with { values in
            guard values == [1, 0] else { return }
            batch {
                left.value = 5
                right.value = 6
            }
        }
        left.value = 1
        #expect(heard.events == [[0, 0], [1, 0], [5, 6]])
    }

    @Test("a batch holds nothing back on another thread")
    func otherThread() {
        let listener = Lifetime()
        let node = MutableNode(0)
        let sum = combine(node, Node(1)).mapEach { $0 + $1 }
        let heard = sum.heard(by: listener)
        batch {
            Worker {
                node.value = 1
                if sum.value != 2 { Issue.record("held back by the batch of another thread") }
            }.join()
            #expect(sum.value == 2)
        }
        #expect(heard.events == [1, 2])
    }

    @Test("a combination built inside a batch is up to date when the batch is over")
    func combineInsideBatch() {
        let node = MutableNode(1)
        let sum = batch {
            let sum = combine(node, Node(1)).mapEach { $0 + $1 }
            node.value = 2
            return sum
        }
        #expect(sum.value == 3)
        node.value = 3
        #expect(sum.value == 4)
    }

    @Test("a combination that moves below another inside a batch, after it was reached, fires once and below it")
    func movedInsideBatch() {
        let listener = Lifetime()
        let node = MutableNode(1)
        let loose = MutableNode(1)
        let heard = combine(node, loose).mapEach { [$0, $1] }.heard(by: listener)
        batch {
            node.value = 2
            loose.link(to: combine(node, Node(10)).mapEach { $0 * $1 })
        }
        #expect(heard.events == [[1, 1], [2, 20]])
    }

    @Test("a node let go before the batch ends does not fire")
    func letGoInside() {
        let fired = Locked(0)
        let node = MutableNode(1)
        batch {
            let sum = combine(node, Node(1)).mapEach { left, right in
                fired.increment()
                return left + right
            }
            withExtendedLifetime(sum) { node.value = 2 }
            fired.value = 0
        }
        #expect(fired.value == 0)
    }
}
