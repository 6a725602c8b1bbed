import Dispatch
import ReactCore
import ReactScheduling
import Testing

/// The examples of the documentation, with what they say they print.
@Suite("Examples in the documentation")
struct DocumentationTests {
    @Test("VirtualScheduler")
    func virtualScheduler() {
        let scheduler = VirtualScheduler()
        let search = MutableNode("")
        let settled = search.throttle(.milliseconds(300), on: scheduler)
        search.value = "gra"
        search.value = "graph"
        scheduler.advance(by: .milliseconds(299))
        #expect((settled.value ?? "-") == "-")
        scheduler.advance(by: .milliseconds(1))
        #expect((settled.value ?? "-") == "graph")
    }

    @Test("deliver")
    func deliver() {
        let scheduler = VirtualScheduler()
        let delivered = MutableNode(1).deliver(on: scheduler)
        #expect((delivered.value ?? 0) == 0)
        scheduler.advance()
        #expect((delivered.value ?? 0) == 1)
    }

    @Test("delay")
    func delay() {
        let scheduler = VirtualScheduler()
        let source = MutableNode(1)
        let later = source.delay(.seconds(2), on: scheduler)
        scheduler.advance(by: .seconds(1))
        source.value = 2
        scheduler.advance(by: .seconds(1))
        #expect((later.value ?? 0) == 1)
        scheduler.advance(by: .seconds(1))
        #expect((later.value ?? 0) == 2)
    }

    @Test("throttle")
    func throttle() {
        let scheduler = VirtualScheduler()
        let search = MutableNode("")
        let settled = search.throttle(.milliseconds(300), on: scheduler)
        search.value = "gra"
        scheduler.advance(by: .milliseconds(200))
        search.value = "graph"
        scheduler.advance(by: .milliseconds(299))
        #expect((settled.value ?? "-") == "-")
        scheduler.advance(by: .milliseconds(1))
        #expect((settled.value ?? "-") == "graph")
    }

    @Test("listening on a scheduler")
    func listening() {
        let printed = Log<String>()
        let lifetime = Lifetime(), total = MutableNode(1)
        let queue = DispatchQueue(label: "log")
        lifetime.listen(to: total).with(on: queue) { printed.add("total: \($0)") }
        total.value = 2
        queue.sync {}
        #expect(printed.entries == ["total: 1", "total: 2"])
    }

    @Test("listening on the main actor")
    @MainActor func mainActor() {
        let printed = Log<String>()
        let lifetime = Lifetime(), total = MutableNode(1)
        lifetime.listen(to: total).withOnMainActor { printed.add("total: \($0)") }
        #expect(printed.entries == ["total: 1"])
    }

    @Test("a scheduler of one's own")
    func ownScheduler() {
        struct Inline: Scheduler {
            func schedule(_ work: @escaping @Sendable () -> Void) { work() }
            func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
                DispatchQueue.main.schedule(after: interval, work)
            }
        }
        #expect(Node(1).deliver(on: Inline()).value == 1)
    }
}
