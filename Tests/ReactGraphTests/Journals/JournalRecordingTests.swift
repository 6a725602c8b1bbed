import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@testable import ReactGraph

/// A price, a quantity, and their total, with a recorder on a virtual clock.
private struct Shop {
    let price = MutableNode(30), quantity = MutableNode(2), clock = VirtualScheduler(), screen = Lifetime()
    let total: Node<Int>
    var sources = JournalSources()

    init() {
        total = combine(price, quantity) { $0 * $1 }.named("total")
        sources.add(price, named: "price")
        sources.add(quantity, named: "quantity")
    }
    /// Calls `body` while another thread sets the price to 1, and a listener of that value keeps the price busy.
    func whilePriceIsBusy(_ body: () -> Void) {
        let entered = Latch(), released = Latch()
        price.listened(by: screen).with { value in
            guard value == 1 else { return }
            entered.arrive()
            released.wait()
        }
        let setter = Worker { price.value = 1 }
        entered.wait()
        body()
        released.arrive()
        setter.join()
        waitForLate(at: price, quantity)
    }
    func record(watching nodes: [AnyNode] = [], limit: Int = 1_000) -> JournalRecorder {
        JournalRecorder(of: sources, watching: nodes, limit: limit, now: { [clock] in clock.now })
    }
}

@Suite("Recording a journal")
struct JournalRecordingTests {
    @Test("sets, emptyings, pulses, batches, waits and checks are recorded in order")
    func allSteps() throws {
        let shop = Shop()
        let recorder = shop.record(watching: [shop.total])
        shop.price.value = 10
        shop.clock.advance(by: .milliseconds(300))
        batch {
            shop.price.value = 11
            shop.quantity.value = 5
        }
        shop.quantity.clean()
        shop.price.pulse(7)
        shop.clock.advance(by: .seconds(2))
        let journal = recorder.stop()
        #expect(
            journal.description == """
                price = 10
                total was 20
                wait 0.3 s
                batch { price = 11; quantity = 5 }
                total was 55
                quantity was emptied
                price pulsed 7
                total was 35
                wait 2 s
                """)
        #expect(journal.isComplete && recorder.errors.isEmpty)
        #expect(journal.initial.mapValues(\.description) == ["price": "30", "quantity": "2"])
        #expect(recorder.stop() == journal)
    }

    @Test("an update is recorded as the value that it makes, and nothing after the end")
    func updateAndEnd() {
        let shop = Shop()
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
        let shop = Shop(), other = MutableNode(0), rest = MutableNode(0)
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

    @Test("a set that a listener makes of the node that it hears is no step, although it is queued")
    func queuedInside() {
        let shop = Shop()
        shop.price.listened(by: shop.screen).with { if $0 > 10 { shop.price.value = $0 - 1 } }
        let recorder = shop.record()
        shop.price.value = 13
        #expect(shop.price.current == 10)
        #expect(recorder.stop().description == "price = 13")
    }

    @Test("a set by a listener on a scheduler or on the main actor is no step")
    func listenersElsewhere() async {
        let shop = Shop()
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
        let shop = Shop()
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
        let shop = Shop()
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

    @Test("a set that waits at a busy node is a step, in the order of storing, with its batch")
    func queuedOutside() {
        let shop = Shop(), recorder = shop.record()
        shop.whilePriceIsBusy {
            batch {
                shop.price.value = 2
                shop.quantity.value = 3
            }
            shop.price.value = 4
        }
        let journal = recorder.stop()
        #expect(journal.description == "price = 1\nbatch { price = 2; quantity = 3 }\nprice = 4")
    }

    @Test("a set in the closure of an update that waits is a step, unless a listener has made the update")
    func setInQueuedUpdate() {
        let shop = Shop(), recorder = shop.record()
        shop.whilePriceIsBusy {
            shop.price.update {
                shop.quantity.value = 9
                $0 += 1
            }
            batch {
                shop.price.update {
                    shop.quantity.value = 8
                    $0 += 1
                }
                shop.price.value = 4
            }
        }
        #expect(
            recorder.journal.description == """
                price = 1
                batch { quantity = 9; price = 2 }
                batch { quantity = 8; price = 3; price = 4 }
                """)
        shop.price.listened(by: shop.screen).with { value in
            guard value == 5 else { return }
            shop.price.update {
                shop.quantity.value = 7
                $0 += 1
            }
        }
        shop.price.value = 5
        #expect(shop.price.current == 6 && shop.quantity.current == 7)
        #expect(recorder.stop().description.hasSuffix("price = 4 }\nprice = 5"))
    }

    @Test("a batch is whole though another thread sets its sources meanwhile: those sets come after it")
    func dividedBatch() throws {
        let shop = Shop()
        let recorder = shop.record()
        batch {
            shop.price.value = 1
            Worker { shop.price.value = 2 }.join()
            shop.quantity.value = 3
            shop.price.value = 4
        }
        waitForLate(at: shop.price, shop.quantity)
        batch {
            shop.price.value = 5
            Worker { shop.quantity.clean() }.join()
            shop.price.value = 6
        }
        waitForLate(at: shop.price, shop.quantity)
        let journal = recorder.stop()
        #expect(
            journal.description == """
                batch { price = 1; quantity = 3; price = 4 }
                price = 2
                batch { price = 5; price = 6 }
                quantity was emptied
                """)
        let read = try JSONDecoder().decode(Journal.self, from: JSONEncoder().encode(journal))
        #expect(read == journal && read.description == journal.description)
    }

    @Test("time that passes inside a batch stays inside")
    func waitInBatch() {
        let shop = Shop()
        let recorder = shop.record()
        batch {
            shop.price.value = 1
            shop.clock.advance(by: .seconds(1))
            shop.quantity.value = 2
        }
        #expect(recorder.stop().description == "batch { price = 1; wait 1 s; quantity = 2 }")
    }

    @Test("a value of a redacted source, and of a watched node derived from it, is not shown anywhere")
    func redaction() throws {
        let shop = Shop(), secret = MutableNode("hunter1").named("password").redacted()
        let length = secret.map { "\($0)!" }.named("echo")
        var sources = shop.sources
        sources.add(secret)
        let recorder = JournalRecorder(of: sources, watching: [length, shop.total], now: { .zero })
        secret.value = "hunter2"
        secret.pulse("hunter3")
        shop.price.value = 1
        let journal = recorder.stop()
        #expect(
            journal.description
                == "password = redacted\npassword pulsed redacted\nprice = 1\ntotal was 2")
        let json = String(decoding: try JSONEncoder().encode(journal), as: UTF8.self)
        for text in [json, journal.swiftCode, "\(journal)", "\(recorder.errors)", "\(journal.initial)"] {
            #expect(!text.contains("hunter"))
        }
        #expect(throws: JournalError.redacted(source: "password")) { try journal.replay(into: sources) }
    }

    @Test("a node that was linked to a redacted one stays secret when the link has gone")
    func linkedBefore() throws {
        func graph() -> (MutableNode<String>, MutableNode<String>, [AnyNode], JournalSources) {
            let password = MutableNode("hunter1").named("password").redacted(), linked = MutableNode("").named("linked")
            linked.link(to: password)
            var sources = JournalSources()
            sources.add(password)
            sources.add(linked)
            return (password, linked, [linked, linked.map { $0 + "!" }.named("below"), password], sources)
        }
        let (password, linked, watched, sources) = graph()
        let recorder = JournalRecorder(of: sources, watching: watched, now: { .zero })
        password.value = "hunter2"
        linked.removeUpstreamNodes()
        linked.current += "x"
        #expect(watched[0].valueDescription == "hunter2x")
        linked.pulse("hunter3")
        let journal = recorder.stop()
        #expect(journal.isComplete)
        let json = String(decoding: try JSONEncoder().encode(journal), as: UTF8.self)
        #expect(!json.contains("hunter") && !journal.swiftCode.contains("hunter"))
        // What was redacted is no difference, whatever it holds.
        let (_, _, others, otherSources) = graph()
        let filled = try journal.replacingRedactedValues(of: "password", with: "secret")
            .replacingRedactedValues(of: "linked", with: "other")
        #expect(try filled.replay(into: otherSources, watching: others) == [])
    }

    @Test("a watched node that is redacted later, or only while it was linked to a secret, hides its checks")
    func watchedLater() throws {
        let shop = Shop(), shown = shop.price.map { $0 + 1 }.named("shown")
        let recorder = shop.record(watching: [shown])
        shop.price.value = 41
        #expect(recorder.journal.description == "price = 41\nshown was 42")
        shop.price.redacted()
        #expect(recorder.stop().description == "price = redacted\nshown was redacted")
    }

    @Test("a source that is redacted later hides its earlier steps")
    func redactedLater() {
        let shop = Shop()
        let recorder = shop.record()
        shop.price.value = 5
        shop.price.redacted()
        #expect(recorder.stop().description == "price = redacted")
        #expect(recorder.journal.initial["price"]?.description == "redacted")
    }

    @Test("later steps than the limit are dropped, and the journal is not complete")
    func limit() {
        let shop = Shop()
        let recorder = shop.record(limit: 2)
        for price in 1...3 { shop.price.value = price }
        shop.clock.advance(by: .seconds(1))
        #expect(recorder.stop().description == "price = 1\nprice = 2")
        #expect(!recorder.journal.isComplete)
        #expect(throws: JournalError.incomplete) { try recorder.journal.replay(into: shop.sources) }
    }

    @Test("a value whose encoding throws is told, and its step is left out")
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
        let shop = Shop()
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

    @Test("recorders that are stopped or released while four threads set leave no mark behind")
    func stoppedMeanwhile() {
        for round in 0..<Scale.scaled(200) {
            let shop = Shop(), ready = Latch(4)
            let last = Locked<Journal?>(nil)
            concurrently(5) { thread in
                guard thread == 4 else {
                    ready.arrive()
                    for value in 0..<50 {
                        if thread == 0 {
                            batch {
                                shop.price.value = value; shop.quantity.value = value
                            }
                        }
                        shop.quantity.value = value * 10 + thread
                    }
                    return
                }
                ready.wait()
                let recorder = shop.record(watching: [shop.total, shop.quantity])
                if round.isMultiple(of: 2) { last.withLock { $0 = recorder.stop() } }
            }
            if let journal = last.withLock({ $0 }) { #expect(journal.isComplete) }
            #expect(shop.quantity.listenEdges.isEmpty)
            #expect(!shop.quantity.hasListener)
        }
    }
}
