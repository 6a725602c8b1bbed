import ReactCore
import ReactOperators
import TestSupport
import Testing

/// After a pulse, a node has its earlier value again. A body that read the pulse's value reads the earlier one from then on.
@Suite("Reads after a pulse") struct ReadAfterPulseTests {
    let tap = MutableNode<Int>()
    let base = MutableNode(1), factor = MutableNode(10)
    let log = Recorder<String>()
    let lifetime = Lifetime()

    @Test("a computed that is called after a pulse reads the value that the node has again")
    func computedReads() {
        let (merged, log) = (merge(tap, base), log)
        let product = computed { [factor] read in try read(merged) * read(factor) }
        product.listened(by: lifetime).with { log.record("\($0)") }
        tap.pulse(5)
        #expect(merged.value == 1)
        factor.value = 20
        #expect(log.take() == ["10", "50", "20"])
    }

    @Test("an effect that runs after a pulse reads the value that the node has again, also by ifAny")
    func effectReads() {
        let (merged, log) = (merge(tap, base), log)
        lifetime.effect { [factor] read in
            let factor = try read(factor)
            log.record("\(read.ifAny(merged).map(String.init) ?? "–") \(try read(merged) * factor)")
        }
        tap.pulse(5)
        factor.value = 20
        #expect(log.take() == ["1 10", "5 50", "1 20"])
    }

    @Test(
        "in the call that reads a pulse, untracked reads the value that the node has again, and so does the next call")
    func untrackedReads() {
        let (merged, log) = (merge(tap, base), log)
        lifetime.effect { [factor] read in
            log.record("\(try read(merged)) \(read.untracked(merged) ?? 0) \(try read(factor))")
        }
        tap.pulse(5)
        factor.value = 20
        #expect(log.take() == ["1 1 10", "5 1 10", "1 1 20"])
    }

    @Test("pulses and sets in one batch: the last value is read once, and then the one that was set last")
    func inABatch() {
        let (merged, log) = (merge(tap, base), log)
        lifetime.effect { [factor] read in log.record("\(try read(merged) * read(factor))") }
        batch {
            tap.pulse(5)
            tap.pulse(6)
        }
        factor.value = 20
        batch {
            base.value = 2
            tap.pulse(7)
        }
        factor.value = 30
        batch {
            tap.pulse(8)
            base.value = 3
        }
        factor.value = 40
        #expect(log.take() == ["10", "60", "20", "140", "60", "90", "120"])
    }

    @Test("after a pulse, a set to the value that the node has again calls the body, because it read another one")
    func equalSetAfterwards() {
        let (merged, log) = (merge(tap, base), log)
        lifetime.effect { [factor] read in log.record("\(try read(merged) * read(factor))") }
        tap.pulse(5)
        factor.value = 10
        #expect(log.take() == ["10", "50"])
        base.value = 1
        base.value = 1
        #expect(log.take() == ["10"])
        tap.pulse(5)
        factor.value = 20
        base.value = 1
        #expect(log.take() == ["50", "20"])
    }

    @Test("after a pulse, an equal set of another node calls no body, though a set went with the pulse")
    func equalSetOfAnother() {
        let (merged, log) = (merge(tap, base), log)
        lifetime.effect { [factor] read in log.record("\(try read(merged) * read(factor))") }
        batch {
            base.value = 2
            tap.pulse(5)
        }
        factor.value = 10
        #expect(log.take() == ["10", "50"])
        factor.value = 20
        #expect(log.take() == ["40"])
    }

    @Test("a body whose result has a node emptied that it read in a pulse reads it as empty")
    func emptiedByListener() {
        let choice = MutableNode(0), nothing = MutableNode<Int>()
        let followed = choice.flattenMap { [tap] in $0 == 0 ? tap : nothing }
        let read = computed { read in read.ifAny(followed) ?? -1 }
        let heard = read.recorded()
        read.listened(by: lifetime).with { if $0 == 5 { choice.value = 1 } }
        tap.pulse(5)
        #expect(heard.events == [-1, 5, -1])
    }

    @Test("a body that begins to read a withLatest in a pulse of the other node is called once")
    func besideUnheardPulse() {
        let own = MutableNode(3), (tap, log) = (tap, log)
        let latest = own.withLatest(from: tap).map { $0.0 }
        let result = computed { read in
            log.record("called")
            return try read(tap) == 5 ? read.ifAny(latest) ?? 0 : 1
        }
        tap.pulse(5)
        #expect(log.take() == ["called", "called"] && result.value == 0)
    }

    @Test("a withLatest that has passed a pulse on is read with its earlier value again")
    func throughWithLatest() {
        let log = log
        let pair = merge(tap, base).withLatest(from: factor)
        let gate = MutableNode("a")
        lifetime.effect { read in log.record("\(try read(pair).0) \(try read(gate))") }
        tap.pulse(5)
        gate.value = "b"
        #expect(pair.value?.0 == 1)
        #expect(log.take() == ["1 a", "5 a", "1 b"])
    }

    @Test("a body that begins to read a node in the middle of its pulse reads its earlier value afterwards")
    func begunInMidPulse() {
        let (merged, log) = (merge(tap, base), log)
        merged.listened(by: lifetime).with { [unowned lifetime, factor] value in
            guard value == 5 else { return }
            lifetime.effect { read in log.record("\(try read(merged) * read(factor))") }
        }
        tap.pulse(5)
        factor.value = 20
        #expect(log.take().last == "20")
    }

    @Test(
        "an input of a combination that is pointed at a node in the middle of its pulse has its earlier value afterwards"
    )
    func repointedInMidPulse() {
        let (merged, other) = (merge(tap, base), MutableNode(0))
        let product = combine(other, factor) { $0 * $1 }
        let input = product.upstreamTransforms(from: other)[0] as! Transform<Int, Int>
        product.listened(by: lifetime).with { [log] in log.record("\($0)") }
        merged.listened(by: lifetime).with { if $0 == 5 { input.from = merged } }
        tap.pulse(5)
        #expect(merged.value == 1)
        factor.value = 20
        #expect(log.take() == ["0", "50", "20"])
    }

    @Test("pulses that come while an input of a combination is pointed at their node leave the earlier value")
    func pulsesDuringRepointing() {
        let (merged, other) = (merge(tap, base), MutableNode(0))
        let product = combine(other, factor) { $0 * $1 }
        let input = product.upstreamTransforms(from: other)[0] as! Transform<Int, Int>
        let follower = LinkTransform<Int>()
        product.listened(by: lifetime).with { [log] in log.record("\($0)") }
        let late = Node<Int>()
        late.listened(by: lifetime).with { [tap] in if $0 == 1 { tap.pulse(5) } }
        late.link(to: merged, transform: follower)
        input.from = late
        factor.value = 20
        #expect(late.value == 1)
        #expect(log.take().last == "20")
    }

    @Test("pulses of one thread beside sets of another: the body reads the earlier value when both are done")
    func twoThreads() {
        let merged = merge(tap, base)
        let product = computed { [factor] read in try read(merged) * read(factor) }
        let rounds = Scale.scaled(300)
        let workers = [
            Worker { [tap] in for round in 0..<rounds { tap.pulse(100 + round) } },
            Worker { [factor] in for round in 0..<rounds { factor.value = round } },
            Worker { [base] in for round in 0..<rounds { base.value = round } },
        ]
        for worker in workers { worker.join() }
        factor.value = 7
        base.value = 6
        #expect(product.value == 42)
        tap.pulse(5)
        factor.value = 8
        #expect(product.value == 48)
    }
}
