import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import Testing

@testable import ReactGraph

@Suite("Recording a journal")
struct JournalRecordingTests {
    @Test("sets, emptyings, pulses, batches, waits and checks are recorded in order")
    func allSteps() throws {
        let shop = JournaledShop()
        let recorder = shop.record(watching: [shop.total])
        shop.price.value = 10
        shop.clock.advance(by: .milliseconds(300))
        batch {
            shop.price.value = 11
            shop.quantity.value = 5
        }
        shop.price.pulse(7)
        shop.quantity.clean()
        shop.clock.advance(by: .seconds(2))
        let journal = recorder.stop()
        #expect(
            journal.description == """
                price = 10
                total was 20
                wait 0.3 s
                batch { price = 11; quantity = 5 }
                total was 55
                price pulsed 7
                total was 35
                quantity was emptied
                wait 2 s
                """)
        #expect(journal.isComplete && recorder.errors.isEmpty)
        #expect(journal.initial.mapValues(\.description) == ["price": "30", "quantity": "2"])
        #expect(recorder.stop() == journal)
    }

    @Test("an update is recorded as the value that it makes, and nothing after the end")
    func updateAndEnd() {
        let shop = JournaledShop()
        let recorder = shop.record()
        shop.price.update { $0 += 1 }
        let journal = recorder.stop()
        shop.price.value = 99
        #expect(journal.description == "price = 31")
        #expect(recorder.journal == journal)
        #expect(shop.price.listenEdges.isEmpty)
    }

    @Test("a set by a listener, an effect or a link is no step")
    func insideSets() {
        let shop = JournaledShop(), other = MutableNode(0), rest = MutableNode(0)
        var sources = shop.sources
        sources.add(other, named: "other")
        sources.add(rest, named: "rest")
        shop.price.listened(by: shop.screen).with { other.value = $0 }
        let recorder = JournalRecorder(of: sources, now: { .zero })
        shop.price.value = 10
        let effect = shop.screen.effect { reader in rest.value = try reader(shop.total) % 7 }
        other.link(to: shop.price.map { $0 + 1 }).cancelled(by: shop.screen)
        shop.price.value = 11
        #expect(recorder.stop().description == "price = 10\nprice = 11")
        #expect(recorder.errors.isEmpty && recorder.journal.isComplete)
        effect.cancel()
    }

    @Test("a set by a listener on a scheduler or on the main actor is no step")
    func listenersElsewhere() async {
        let shop = JournaledShop()
        shop.price.listened(by: shop.screen).with(on: shop.clock) { shop.quantity.value = $0 }
        shop.price.listened(by: shop.screen).withOnMainActor { shop.quantity.value = $0 + 1 }
        shop.clock.run()
        await MainActor.run {}
        let recorder = shop.record()
        shop.price.value = 8
        shop.clock.run()
        await MainActor.run {}
        await MainActor.run {}
        #expect(Set([8, 9]).contains(shop.quantity.current))
        #expect(recorder.stop().description == "price = 8")
    }

    @Test("the values of a followed sequence are steps")
    func follow() async throws {
        let shop = JournaledShop()
        let recorder = shop.record()
        let (values, feed) = AsyncStream<Int>.makeStream()
        shop.price.follow(values, in: shop.screen)
        feed.yield(1)
        feed.yield(2)
        _ = try await shop.price.first { $0 == 2 }
        feed.finish()
        #expect(recorder.stop().description == "price = 1\nprice = 2")
    }

    @Test("a value that an operator delays is no step, and a timer's set is one")
    func delayed() {
        let shop = JournaledShop()
        let late = shop.price.delay(.seconds(1), on: shop.clock)
        shop.quantity.link(to: late).cancelled(by: shop.screen)
        shop.clock.advance(by: .seconds(1))
        let recorder = shop.record()
        shop.clock.schedule(after: .seconds(3)) { shop.price.value = 4 }
        shop.price.value = 3
        shop.clock.advance(by: .seconds(5))
        #expect(recorder.stop().description == "price = 3\nwait 3 s\nprice = 4\nwait 2 s")
        #expect(shop.quantity.current == 4)
    }

    @Test("later steps than the limit are dropped, and the journal is not complete")
    func limit() {
        let shop = JournaledShop()
        let recorder = shop.record(limit: 2)
        for price in 1...3 { shop.price.value = price }
        shop.clock.advance(by: .seconds(1))
        #expect(recorder.stop().description == "price = 1\nprice = 2")
        #expect(!recorder.journal.isComplete)
        #expect(throws: JournalError.incomplete) { try recorder.journal.replay(into: shop.sources) }
    }

    @Test("a value whose encoding throws is told, up to the limit, and its step is left out")
    func encodingThrows() {
        struct Fussy: Codable, Sendable {
            struct Refusal: Error {}
            var number: Int
            init(number: Int) { self.number = number }
            init(from decoder: any Decoder) throws { number = try Int(from: decoder) }
            func encode(to encoder: any Encoder) throws {
                guard number > 0 else { throw Refusal() }
                try number.encode(to: encoder)
            }
        }
        let node = MutableNode(Fussy(number: 1))
        var sources = JournalSources()
        sources.add(node, named: "fussy")
        let recorder = JournalRecorder(of: sources, now: { .zero })
        node.value = Fussy(number: 0)
        node.value = Fussy(number: 2)
        #expect(recorder.errors == ["a value of “fussy” was left out, because its encoding failed: Refusal()"])
        #expect(recorder.stop().description == "fussy = 2")
        #expect(!recorder.journal.isComplete)
        let bounded = JournalRecorder(of: sources, limit: 2, now: { .zero })
        for _ in 0..<3 { node.value = Fussy(number: 0) }
        #expect(bounded.errors.count == 2)
    }

    @Test("a source that goes while it is recorded is held by nobody, and its steps stay")
    func sourceGoes() {
        weak var gone: AnyNode?
        func record() -> JournalRecorder {
            let node = MutableNode(1)
            gone = node
            var sources = JournalSources()
            sources.add(node, named: "node")
            let recorder = JournalRecorder(of: sources, watching: [node.map { $0 + 1 }], now: { .zero })
            node.value = 2
            return recorder
        }
        let recorder = record()
        #expect(gone == nil)
        #expect(recorder.stop().description.hasPrefix("node = 2"))
    }

    @Test("two journals, a flight recorder and expected runs work at once, and the flight recorder sees no more")
    func severalAtOnce() throws {
        let flight = GraphRecorder(sites: false, onThisThreadOnly: true)
        let shop = JournaledShop()
        let one = shop.record(watching: [shop.total]), two = shop.record()
        let before = flight.mark("before")
        try expectRuns(of: shop.total, exactly: 1) { shop.price.value = 10 }
        let count = flight.events(since: before).count
        one.stop()
        let between = flight.mark("between")
        shop.price.value = 11
        two.stop()
        let after = flight.mark("after")
        shop.price.value = 12
        #expect(one.journal.description == "price = 10\ntotal was 20")
        #expect(two.journal.description == "price = 10\nprice = 11")
        #expect(count > 0)
        #expect(flight.events(since: after).count == count)
        #expect(flight.events(since: between).count == 2 * count + 1)
    }
}
