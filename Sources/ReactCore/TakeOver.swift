import Synchronization

/// How a newly linked edge gets its source's present value: at once, and before any later one.
///
/// The linking thread delivers a copy, to this edge alone, and takes no turn of the source: who sets that meanwhile is
/// not held up, and finds no set of its own delivered by someone else. What it has for the new edge it leaves in a
/// mailbox, until the edge has caught up.
struct TakeOver {
    let source: Vertex
    /// A vertex apart from the graph that holds the value.
    let value: Vertex
    /// Held for as long as the value is on its way there.
    let target: Vertex?
    /// The edge's link, with the mark that it is taking over.
    let link: UInt64

    func perform(_ edge: AnyEdge) {
        let propagation = Propagation.current
        let outer = propagation.begin()
        let run = propagation.beginRun(context: nil, senders: propagation.record(source))
        propagation.deliver(value, isCleaning: false, through: edge, link, to: target, in: run)
        propagation.catchUp(edge, at: source, link)
        propagation.end(outer)
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
    /// Leaves a value for an edge; not where the edge has caught up, or was cut.
    final func leave(_ entry: Mailbox.Entry, for edge: AnyEdge, _ link: UInt64) -> Bool {
        locking {
            guard edge.link.load(ordering: .relaxed) == link else { return false }
            if mailbox(of: edge) == nil { rareLocked.mailboxes.append(Mailbox(for: edge)) }
            mailbox(of: edge)?.entries.append(entry)
            return true
        }
    }
    /// What was left for an edge. If nothing was, the edge has caught up: from now on it is called like any other.
    final func takeFromMailbox(of edge: AnyEdge, _ link: UInt64) -> Mailbox.Entry? {
        locking {
            guard hasMail(for: edge, link) else { return nil }
            return mailbox(of: edge)?.entries.popFirst()
        }
    }
    /// Whether something is left for an edge. If not, the edge has caught up. The lock is held.
    fileprivate final func hasMail(for edge: AnyEdge, _ link: UInt64) -> Bool {
        guard edge.link.load(ordering: .relaxed) == link else { return false }
        if let mailbox = mailbox(of: edge), !mailbox.entries.isEmpty { return true }
        edge.link.store(link & ~Link.takingOver, ordering: .releasing)
        rare?.mailboxes.removeAll { $0.edge == ObjectIdentifier(edge) }
        return false
    }
}

extension Propagation {
    /// Delivers through one edge, from outside its source's delivery, as the run `run`.
    fileprivate func deliver(
        _ value: Vertex, isCleaning: Bool, through edge: AnyEdge, _ link: UInt64, to target: Vertex?, in run: Int
    ) {
        enterCall(link: link)
        let delivery = RawDelivery(
            propagation: .passUnretained(self), edge: .passUnretained(edge), source: .passUnretained(value),
            target: target.map { .passUnretained($0) })
        if isCleaning { edge.forwardEmpty(delivery) } else { edge.forward(delivery) }
        drive(run)
    }
    /// Has the edge catch up with what came while it took over: in a turn of the source, so that no more comes meanwhile,
    /// and by whoever delivers there, so that a thread that attaches is not held up by one that sets without end.
    fileprivate func catchUp(_ edge: AnyEdge, at source: Vertex, _ link: UInt64) {
        let hasMail = source.locking { source.hasMail(for: edge, link) }
        guard hasMail else { return }
        let take: (Vertex, Propagation) -> Bool = { source, propagation in
            while let entry = source.takeFromMailbox(of: edge, link) {
                // The source is busy: a target that is replaced is kept for this turn.
                let target = edge.target.load(ordering: .acquiring)?.takeUnretainedValue()
                let run = propagation.beginRun(context: entry.context, senders: entry.senders)
                propagation.deliver(
                    entry.value, isCleaning: entry.isCleaning, through: edge, link, to: target, in: run)
            }
            return false
        }
        let turn = Turn(context: nil, senders: SenderList(), take: take)
        guard case .entered = source.enter(orQueue: turn, if: { _ in source.hasMail(for: edge, link) }) else { return }
        source.unlock(Vertex.busy)
        let run = beginRun(context: nil, senders: Senders.none)
        _ = take(source, self)
        takeTurns(at: .passUnretained(source))
        drive(run)
    }
    /// Leaves the value under delivery for the thread that is taking over an earlier one.
    @inline(never) func leaveInMailbox(_ edge: AnyEdge, _ link: UInt64, at vertex: Vertex, isCleaning: Bool) -> Bool {
        enterCall(link: link)
        return vertex.leave(
            Mailbox.Entry(
                value: vertex.locking { vertex.copyOfValue() }, isCleaning: isCleaning, context: context,
                senders: senderList),
            for: edge, link)
    }
}
