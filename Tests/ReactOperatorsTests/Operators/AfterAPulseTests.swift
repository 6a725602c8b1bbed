import ReactCore
import ReactOperators
import TestSupport
import Testing

/// After a pulse, a node has its earlier value again, and every operator that has received the pulse goes by that.
@Suite("After a pulse") struct AfterAPulseTests {
    let lifetime = Lifetime()
    /// A node that holds `base`, and through which `tap` pulses.
    let tap = MutableNode<Int>(), base = MutableNode(1)

    @Test("a combination uses the value that its input has again", arguments: 1...3)
    func combinations(inputs: Int) {
        let merged = merge(tap, base), factors = (1..<inputs).map { _ in MutableNode(10) }
        let heard = combine([merged] + factors).map { $0.reduce(1, *) }.recorded()
        tap.pulse(5)
        #expect(merged.value == 1)
        if inputs > 1 { factors[0].value = 20 }
        base.value = 2
        let expected = [[1, 5, 2], [10, 50, 20, 40], [100, 500, 200, 400]]
        #expect(heard.events == expected[inputs - 1])
    }

    @Test("a combination by a function uses the value that its input has again, also for several pulses")
    func byFunction() {
        let merged = merge(tap, base), factor = MutableNode(10)
        let heard = combine(merged, factor) { $0 * $1 }.recorded()
        tap.pulse(5)
        tap.pulse(6)
        factor.value = 20
        tap.pulse(7)
        base.value = 3
        factor.value = 30
        #expect(heard.events == [10, 50, 60, 20, 140, 60, 90])
    }

    @Test("an input that has a value only in a pulse counts as missing after it")
    func emptyInput() {
        let factor = MutableNode(10)
        let heard = combine(tap, factor) { $0 * $1 }.recorded()
        tap.pulse(5)
        factor.value = 20
        tap.pulse(6)
        factor.value = 30
        #expect(heard.events == [50, 120])
        tap.value = 7
        factor.value = 40
        #expect(heard.events == [50, 120, 210, 280])
    }

    @Test("in a batch, a combination sees the pulse once, and afterwards the value that its input has again")
    func batches() {
        let merged = merge(tap, base), factor = MutableNode(10)
        let heard = combine(merged, factor) { $0 * $1 }.recorded()
        batch {
            tap.pulse(5)
            factor.value = 20
            factor.value = 30
        }
        factor.value = 40
        batch {
            tap.pulse(5)
            base.value = 2
            base.value = 3
        }
        factor.value = 50
        batch {
            base.value = 4
            tap.pulse(7)
        }
        factor.value = 60
        #expect(heard.events == [10, 150, 40, 120, 150, 350, 240])
    }

    @Test("a combination that misses another input uses the value that its input has again")
    func incomplete() {
        let merged = merge(tap, base), missing = MutableNode<Int>(), factor = MutableNode(1)
        let heard = combine([merged, factor, missing]).map { $0.reduce(1, *) }.recorded()
        tap.pulse(5)
        missing.value = 10
        missing.clean()
        let other = MutableNode<Int>()
        let second = combine(merged, other.settled()) { $0 * $1 }.recorded()
        batch {
            tap.pulse(6)
            other.value = 100
        }
        other.value = 200
        #expect(heard.events == [10])
        missing.value = 7
        #expect(heard.events == [10, 7])
        #expect(second.events == [600, 200])
    }

    @Test("a firing that a listener of the combination sets off uses the value that its input has again")
    func firedAgain() {
        let merged = merge(tap, base), factor = MutableNode(10)
        let product = combine(merged, factor) { $0 * $1 }
        product.listened(by: lifetime).with { [factor] in if $0 == 50 { factor.value = 20 } }
        let heard = product.recorded()
        tap.pulse(5)
        #expect(heard.events == [10, 50, 20])
    }

    @Test("a combination that a listener makes in the middle of a pulse has it, and then the input's value again")
    func madeInMidPulse() {
        let merged = merge(tap, base), factor = MutableNode(10)
        let made = Recorder<Record<Int>>()
        merged.listened(by: lifetime).with { [merged] in
            if $0 == 5 { made.record(combine(merged, factor) { $0 * $1 }.recorded()) }
        }
        tap.pulse(5)
        factor.value = 20
        base.value = 2
        #expect(made.last?.events == [50, 20, 40])
    }

    @Test("a combination whose input is cut in the middle of a pulse, and linked again, has the input's value")
    func cutInMidPulse() {
        let merged = merge(tap, base), factor = MutableNode(10)
        let product = combine(merged, factor) { $0 * $1 }
        let edge = product.upstreamTransforms(from: merged)[0] as? Transform<Int, Int>
        let heard = product.recorded()
        batch {
            tap.pulse(5)
            edge?.from = nil
            edge?.from = merged
        }
        factor.value = 20
        #expect(heard.events == [10, 10, 20])
    }

    @Test("withLatest takes the pulse's value in the set of the pulse, and then the value that the node has again")
    func withLatest() {
        let merged = merge(tap, base), source = MutableNode(0)
        let heard = source.withLatest(from: merged).map { $0.1 }.recorded()
        tap.pulse(5)
        source.value = 1
        batch {
            source.value = 2
            tap.pulse(6)
        }
        source.value = 3
        base.value = 2
        source.value = 4
        let event = MutableNode<Int>()
        let own = source.withLatest(from: event).map { $0.1 }.recorded()
        event.pulse(7)
        source.value = 5
        #expect(heard.events == [1, 1, 6, 1, 2, 2])
        #expect(own.events == [7])
    }

    @Test("withLatest goes on with the value before a pulse if the other node is emptied after it")
    func withLatestOfEmptied() {
        let source = MutableNode(0), choice = MutableNode(0), other = MutableNode(9), nothing = MutableNode<Int>()
        let followed = choice.flattenMap { $0 == 0 ? other : nothing }
        let heard = source.withLatest(from: followed).map { $0.1 }.recorded()
        other.pulse(5)
        choice.value = 1
        #expect(followed.isEmpty)
        source.value = 1
        #expect(heard.events == [9, 9])
    }

    @Test("withLatest of two nodes that one pulse reaches has the pulse's value of both")
    func bothOfOnePulse() {
        let merged = merge(tap, base)
        let heard = merged.withLatest(from: merged.map { $0 * 10 }).recorded()
        tap.pulse(5)
        #expect(heard.events.map { [$0.0, $0.1] } == [[1, 10], [5, 50]])
    }

    @Test("a focus has the part of the whole again when the whole is set after a pulse")
    func focus() {
        struct Whole: Sendable { var part: Int }
        let whole = MutableNode(Whole(part: 1))
        let part = whole.focus(\.part)
        let heard = part.recorded()
        whole.pulse(Whole(part: 5))
        whole.value = Whole(part: 1)
        whole.value = Whole(part: 2)
        part.pulse(6)
        whole.value = Whole(part: 2)
        #expect(heard.events == [1, 5, 1, 2, 6, 2])
        #expect(part.value == 2)
    }

    @Test("pulses that two threads send leave each combination with the value that its input has again")
    func threads() async {
        let tap = tap, merged = merge(tap, base), factor = MutableNode(10)
        let product = combine(merged, factor) { $0 * $1 }
        let heard = product.recorded()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for value in 100...300 { tap.pulse(value) } }
            group.addTask { for value in 1...200 { factor.value = value } }
        }
        factor.value = 7
        #expect(product.value == 7)
        #expect(heard.events.last == 7)
    }
}

/// Clauses about pulses where two features meet.
@Suite("Pulses where features meet") struct PulsesWhereFeaturesMeetTests {
    let lifetime = Lifetime()

    @Test("an effect that pulses a node which its last run has read, and this one has not, runs once more")
    func pulseOfANodeReadBefore() {
        let isFirst = MutableNode(true), event = MutableNode<Int>(), runs = Recorder<String>()
        lifetime.effect { read in
            if try read(isFirst) {
                runs.record("reads \(read.ifAny(event).map { "\($0)" } ?? "nothing")")
            } else {
                event.pulse(7)
                runs.record("pulses")
            }
        }
        isFirst.value = false
        event.pulse(8)
        #expect(runs.events == ["reads nothing", "pulses", "pulses"])
    }
    @Test("a pulse of the node that is followed leaves nothing; a value that a pulse of the other node chooses stays")
    func followed() {
        let chooser = MutableNode(0), inner = MutableNode(1), other = MutableNode(2)
        let result = chooser.flattenMap { $0 == 0 ? inner : other }
        let heard = result.recorded()
        inner.pulse(5)
        #expect(inner.isEmpty && result.value == 1)
        inner.value = 3
        chooser.pulse(1)
        #expect(result.value == 2)
        other.value = 4
        #expect(heard.events == [1, 5, 3, 2, 4])
        #expect(result.value == 4 && chooser.isEmpty)
    }
    @Test("an update that waits behind a pulse at a busy node does not run, because the node is empty then")
    func updateBehind() {
        let node = MutableNode(1), heard = Recorder<Int>()
        node.listened(by: lifetime).with { [unowned node] value in
            heard.record(value)
            guard value == 2 else { return }
            node.pulse(3)
            node.update { $0 += 10 }
        }
        node.value = 2
        #expect(heard.events == [1, 2, 3])
        #expect(node.isEmpty)
    }
    @Test("a pulse that meets a value of a sync goes round once, and the value stays at both ends")
    func sync() {
        let a = MutableNode(0), b = MutableNode(0)
        let sync = a.sync(with: b)
        defer { sync.cancel() }
        let heard = (a.recorded(), b.recorded())
        a.listened(by: lifetime).with { if $0 == 5 { b.value = 7 } }
        a.pulse(5)
        #expect(heard.0.events == [0, 5, 7])
        #expect(heard.1.events == [0, 5, 7] || heard.1.events == [0, 7])
        #expect(a.value == 7 && b.value == 7)
        b.pulse(9)
        #expect(b.isEmpty && a.value == 7)
    }
    @Test("a body that begins to read a node in the set of a pulse reads the value that the node has again")
    func beginsToRead() {
        let event = MutableNode<Int>(), base = MutableNode(1), reads = MutableNode(false)
        let merged = merge(event, base)
        let heard = computed { read in try read(reads) ? try read(merged) : 0 }.recorded()
        batch {
            event.pulse(5)
            reads.value = true
        }
        event.pulse(6)
        base.value = 2
        #expect(heard.events == [0, 1, 6, 2])
    }
    @Test("a node made by pulses that is set by hand has that value again after each pulse")
    func pulsesSetByHand() {
        let state = MutableNode(1)
        let events = state.pulses().mutablify()
        let heard = events.recorded()
        state.value = 2
        #expect(events.isEmpty)
        events.value = 10
        state.value = 3
        #expect(events.value == 10)
        #expect(heard.events == [2, 10, 3])
    }
}
