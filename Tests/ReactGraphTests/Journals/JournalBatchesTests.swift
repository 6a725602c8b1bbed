import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

@Suite("Batches and queued sets in a journal")
struct JournalBatchesTests {
    @Test("a set that a listener makes of the node that it hears is no step, although it is queued")
    func queuedInside() {
        let shop = JournaledShop()
        shop.price.listened(by: shop.screen).with { if $0 > 10 { shop.price.value = $0 - 1 } }
        let recorder = shop.record()
        shop.price.value = 13
        #expect(shop.price.current == 10)
        #expect(recorder.stop().description == "price = 13")
    }

    @Test("a set that waits at a busy node is a step, in the order of storing, with its batch")
    func queuedOutside() {
        let shop = JournaledShop(), recorder = shop.record()
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
        let shop = JournaledShop(), recorder = shop.record()
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
        let shop = JournaledShop()
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
        let shop = JournaledShop()
        let recorder = shop.record()
        batch {
            shop.price.value = 1
            shop.clock.advance(by: .seconds(1))
            shop.quantity.value = 2
        }
        #expect(recorder.stop().description == "batch { price = 1; wait 1 s; quantity = 2 }")
    }

    @Test("recorders that are stopped or released while four threads set leave no mark behind")
    func stoppedMeanwhile() {
        for round in 0..<Scale.scaled(200) {
            let shop = JournaledShop(), ready = Latch(4)
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
