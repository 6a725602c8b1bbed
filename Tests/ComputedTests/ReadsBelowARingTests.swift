import ReactCore
import ReactOperators
import TestSupport
import Testing

/// A body may begin to read a node below a ring in the batch that changes the node. It waits for the ring's combinations.
@Suite("Reads below a ring") struct ReadsBelowARingTests {
    let log = Recorder<[Int]>()

    /// A combination of `source` and of a node that is linked to the combination.
    private func ring(_ source: MutableNode<Int>) -> Node<Int> {
        let back = MutableNode(0)
        let sum = combine(source, back) { a, b in a * 10 + (b == 0 ? 0 : 1) }
        back.link(to: sum.filter { $0 < 0 })
        return sum
    }

    @Test("a computed that begins to read a node below a ring, in the batch that changes the node, is called once")
    func beginsToRead() {
        let (source, isOn, log) = (MutableNode(1), MutableNode(false), log)
        let below = ring(source).map { $0 }
        let made = computed { read in
            guard try read(isOn) else { return [Int]() }
            let pair = [try read(source), try read(below)]
            log.record(pair)
            return pair
        }
        batch {
            source.value = 2
            isOn.value = true
        }
        #expect(log.take() == [[2, 20]])
        #expect(made.value == [2, 20])
        source.value = 3
        #expect(log.take() == [[3, 30]])
    }

    @Test("an effect that begins to read the result of a ring itself runs once")
    func effectBeginsToRead() {
        let (source, isOn, log, lifetime) = (MutableNode(1), MutableNode(false), log, Lifetime())
        let sum = ring(source)
        lifetime.effect { read in
            guard try read(isOn) else { return }
            log.record([read.ifAny(source) ?? 0, read.ifAny(sum) ?? 0])
        }
        batch {
            isOn.value = true
            source.value = 2
        }
        #expect(log.take().last == [2, 20])
    }

    @Test("two threads: one changes the ring's input, the other has a computed begin to read below it")
    func twoThreads() {
        let (source, isOn, log) = (MutableNode(1), MutableNode(false), log)
        let below = ring(source).map { $0 }
        let made = computed { read in
            guard try read(isOn) else { return [Int]() }
            return [try read(source), try read(below)]
        }
        let lifetime = Lifetime()
        made.listened(by: lifetime).with { if !$0.isEmpty { log.record($0) } }
        let rounds = Scale.scaled(300)
        let workers = [
            Worker { for round in 0..<rounds { source.value = round } },
            Worker { for round in 0..<rounds { isOn.value = round.isMultiple(of: 2) } },
        ]
        for worker in workers { worker.join() }
        isOn.value = true
        #expect(made.value == [rounds - 1, 10 * (rounds - 1)])
    }
}
