// Work beside setting: listening and stopping, re-pointing an edge, changing a value in place, sending a context.

import ReactCore
import ReactOperators

private let times = 1_000

/// The goals in hops were taken from earlier figures, on a machine where a hop of the loop took 18 ns.
let linkCases = [
    Case(
        name: "listen+cancel", size: "1", metric: .nanoseconds(per: "time"), baseline: .loop(), goal: .ratio(19.6)
    ) {
        let sum = Sum()
        let source = MutableNode(1)
        let lifetime = Lifetime()
        return timed(per: times, sum, expecting: times) {
            for _ in 0..<times { source.listened(by: lifetime).with { sum.add($0) }.cancel() }
        }
    },
    Case(
        name: "Lifetime+listen", size: "1", metric: .nanoseconds(per: "time"), baseline: .loop(), goal: .ratio(17.4)
    ) {
        let sum = Sum()
        let source = MutableNode(1)
        return timed(per: times, sum, expecting: times) {
            for _ in 0..<times {
                let lifetime = Lifetime()
                source.listened(by: lifetime).with { sum.add($0) }
                withExtendedLifetime(lifetime) {}
            }
        }
    },
    Case(
        name: "re-pointed edge", size: "1", metric: .nanoseconds(per: "time"), baseline: .loop(), goal: .ratio(5.6)
    ) {
        let probe = Probe()
        let sources = (MutableNode(1), MutableNode(2))
        let target = Node<Int>()
        let link = LinkTransform<Int>()
        target.link(to: sources.0, transform: link)
        probe.hear(target)
        return probe.timed(per: 2 * times, expecting: 3 * times) {
            for _ in 0..<times {
                link.from = sources.1
                link.from = sources.0
            }
        }
    },
    Case(name: "update", size: "1", metric: .nanoseconds(per: "set"), baseline: setting, goal: .ratio(2.5)) {
        let probe = Probe()
        let source = MutableNode(0)
        probe.hear(source)
        return probe.timed(per: times, expecting: times * (times + 1) / 2) {
            source.value = 0
            for _ in 0..<times { source.update { $0 &+= 1 } }
        }
    },
    Case(name: "set with context", size: "1", metric: .nanoseconds(per: "set"), baseline: setting, goal: .ratio(2)) {
        let probe = Probe()
        let source = MutableNode(0)
        probe.hear(source)
        let context: NodeContext? = 7
        return probe.timed(per: times, expecting: times * (times + 1) / 2) {
            for value in 1...times { source.setValue(value, context: context) }
        }
    },
]

private let setting = Baseline(name: "set") {
    let probe = Probe()
    let source = MutableNode(0)
    probe.hear(source)
    return probe.timed(per: times, expecting: times * (times + 1) / 2) {
        for value in 1...times { source.value = value }
    }
}
