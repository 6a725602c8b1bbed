import ReactCore

/// The sum of the sinks. Each has a cache line of its own, so that two threads that add to different sums do not meet.
///
/// A raw pointer in a `Sendable` wrapper, because a captured `var` would cost an exclusivity check per delivery, and an
/// atomic more than the delivery. The floors' sinks add in this way too. If two threads set one node, the library
/// promises that only one of them delivers at a time, and the cases check that.
struct Sum: @unchecked Sendable {
    /// Never freed: a sum lives as long as the process.
    let pointer: UnsafeMutablePointer<Int>

    init() {
        pointer = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128).bindMemory(to: Int.self, capacity: 1)
        pointer.pointee = 0
    }
    func add(_ value: Int) { pointer.pointee &+= value }
}

/// Holds a graph by its ends, and adds up their values.
final class Probe: Listener {
    let lifetime = Lifetime()
    let sum = Sum()

    func hear(_ node: Node<Int>) {
        let sum = sum
        listen(to: node).with { sum.add($0) }
    }
    func hear(_ node: Node<(Int, Int)>) {
        let sum = sum
        listen(to: node).with { sum.add($0.0 &+ $0.1) }
    }
    /// Adds one for every value.
    func count(_ node: Node<Int>) {
        let sum = sum
        listen(to: node).with { _ in sum.add(1) }
    }

    /// A sample that times `body` and checks the sum of the values heard meanwhile. Keeps the graph.
    func timed(
        per count: Int,
        in unit: TimeUnit = .nanoseconds,
        expecting expected: Int,
        _ body: @escaping () -> Void
    ) -> Sample {
        benchmark.timed(per: count, in: unit, sum, expecting: expected) {
            withExtendedLifetime(self, body)
        }
    }

    /// A sample that is the sum of the values heard during `body`, per `count`. Keeps the graph.
    func summed(per count: Int, _ body: @escaping () -> Void) -> Sample {
        Sample(of: count) {
            self.sum.pointer.pointee = 0
            body()
            return Double(self.sum.pointer.pointee)
        }
    }
}
