import Synchronization

/// How a newly linked edge gets its source's present value: at once, and before any later one.
///
/// The linking thread delivers a copy, to this edge alone, and takes no turn of the source: who sets that meanwhile is
/// not held up, and finds no set of its own delivered by someone else. What it has for the new edge it leaves in a
/// mailbox, until the edge has caught up. (Who sets faster than that is slowed down: see `Propagation.pause`.)
struct TakeOver {
    let source: Vertex
    /// A vertex apart from the graph that holds the value.
    let value: Vertex
    /// Held for as long as the value is on its way there.
    let target: Vertex?
    /// The edge's link, with the mark that it is taking over.
    let link: UInt64

    func perform(_ edge: AnyEdge) {
        ScheduleFaults.pause(at: .takeOverBegins)
        Propagation.currentUnretained._withUnsafeGuaranteedRef { propagation in
            propagation.begin()
            let run = propagation.beginRun(context: nil, senders: propagation.record(source))
            propagation.deliver(value, isCleaning: false, through: edge, link, to: target, in: run)
            while let entry = source.takeFromMailbox(of: edge, link) {
                let run = propagation.beginRun(context: entry.context, senders: entry.senders)
                propagation.deliver(entry.value, isCleaning: entry.isCleaning, through: edge, link, to: target, in: run)
            }
            propagation.end()
        }
    }
}

/// Values that reach an edge while it takes over an earlier one. Guarded by the source's lock.
final class Mailbox {
    struct Entry {
        let value: Vertex
        let isCleaning: Bool
        let context: ContextBox?
        let senders: SenderList
    }
    let edge: ObjectIdentifier
    @exclusivity(unchecked) var entries = Queue<Entry>()

    init(for edge: AnyEdge) { self.edge = ObjectIdentifier(edge) }
}

extension Vertex {
    private func mailbox(of edge: AnyEdge) -> Mailbox? {
        rare?.mailboxes.first { $0.edge == ObjectIdentifier(edge) }
    }
    /// Leaves a value for an edge, and returns how many wait there now; `nil` where the edge has caught up, or was cut.
    final func leave(_ entry: Mailbox.Entry, for edge: AnyEdge, _ link: UInt64) -> Int? {
        locking {
            guard edge.link.load(ordering: .relaxed) == link else { return nil }
            if mailbox(of: edge) == nil { rareLocked.mailboxes.append(Mailbox(for: edge)) }
            let mailbox = mailbox(of: edge).unsafelyUnwrapped
            mailbox.entries.append(entry)
            return mailbox.entries.count
        }
    }
    /// What was left for an edge. If nothing was, the edge has caught up: from now on it is called like any other.
    final func takeFromMailbox(of edge: AnyEdge, _ link: UInt64) -> Mailbox.Entry? {
        ScheduleFaults.pause(at: .mailboxIsToBeRead)
        return locking {
            guard edge.link.load(ordering: .relaxed) == link else { return nil }
            if let entry = mailbox(of: edge)?.entries.popFirst() { return entry }
            edge.clear(Link.takingOver, in: link)
            rare?.mailboxes.removeAll { $0.edge == ObjectIdentifier(edge) }
            return nil
        }
    }
}

extension Propagation {
    /// Delivers through one edge, from outside its source's delivery, as the run `run`.
    fileprivate func deliver(
        _ value: Vertex, isCleaning: Bool, through edge: AnyEdge, _ link: UInt64, to target: Vertex?, in run: Int
    ) {
        if link & Link.asks != 0, edge.currentDestination == nil { return drive(run) }
        enterCall(link: link)
        let delivery = RawDelivery(
            propagation: .passUnretained(self), edge: .passUnretained(edge), source: .passUnretained(value),
            target: target.map { .passUnretained($0) })
        drive(run, isCleaning ? edge.forwardEmpty(delivery) : edge.forward(delivery))
    }
    /// Leaves the value under delivery for the thread that is taking over an earlier one.
    @inline(never) func leaveInMailbox(_ edge: AnyEdge, _ link: UInt64, at vertex: Vertex, isCleaning: Bool) -> Bool {
        enterCall(link: link)
        let entry = Mailbox.Entry(
            value: vertex.locking { vertex.copyOfValue() }, isCleaning: isCleaning, context: context,
            senders: senderList)
        ScheduleFaults.pause(at: .mailboxIsToBeFilled)
        guard let waiting = vertex.leave(entry, for: edge, link) else { return false }
        pause(after: waiting)
        return true
    }
}
