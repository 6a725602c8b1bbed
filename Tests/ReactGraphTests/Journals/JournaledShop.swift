import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport

@testable import ReactGraph

/// A price, a quantity, and their total, with a recorder on a virtual clock.
struct JournaledShop {
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
