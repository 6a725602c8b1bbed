import ReactCore

/// A thread that keeps a graph busy by a batch, from the making of this object until `end()`.
public final class BusyGraph: Sendable {
    private let mayEnd = Latch()
    private let worker: Worker
    private let node: AnyNode

    /// Returns when the batch has set `node` to `value`. `rest` is the end of the batch.
    public init<Value>(
        of node: MutableNode<Value>, setting value: Value, then rest: @escaping @Sendable () -> Void = {}
    ) {
        let isInside = Latch()
        worker = Worker { [mayEnd] in
            batch {
                node.value = value
                isInside.arrive()
                mayEnd.wait()
                rest()
            }
        }
        self.node = node
        isInside.wait()
    }
    /// Returns when the batch is over, and what is late in the graph is done.
    public func end() {
        mayEnd.arrive()
        worker.join()
        waitForLate(at: node)
    }
    /// Does the same on a thread of its own, as soon as a thread has waited for the graph. Returns that thread.
    public func endOnceWaitedFor() -> Worker {
        Worker { [self] in
            _ = eventually { node.vertex.hasBeenWaitedFor }
            end()
        }
    }
}
