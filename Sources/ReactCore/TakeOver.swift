import Synchronization

/// How a newly linked edge gets its source's present value: at once, and before any later one.
///
/// Where the source is idle, the linking thread takes its turn and delivers to the new edge alone; sets meanwhile queue.
/// Where the source is busy, this thread or another is delivering, and the new edge must not wait for it: it is given a
/// copy of the value, and a mailbox, in which the delivering thread leaves what else comes until the edge has caught up.
enum TakeOver {
    case entered(Vertex)
    case copied(Vertex, Mailbox)

    func perform(_ edge: AnyEdge) {
        let propagation = Propagation.current
        let outer = propagation.begin()
        switch self {
        case .entered(let vertex):
            propagation.beginRun(context: nil)
            let only = UInt(bitPattern: Unmanaged.passUnretained(edge).toOpaque())
            propagation.push(vertex, next: only, after: 0)
            propagation.drive()
        case .copied(let copy, let mailbox):
            let senders = SenderList(path: SenderPath(mailbox.source, after: nil), since: 0)
            propagation.deliver(
                Mailbox.Entry(value: copy, isCleaning: false, context: nil, senders: senders), through: edge, mailbox)
            propagation.catchUp(edge, mailbox)
        }
        propagation.end(outer)
    }
}

/// Values that reach an edge while it takes over an earlier one. Guarded by the source's lock.
final class Mailbox {
    struct Entry {
        /// A vertex apart from the graph that holds the value.
        let value: Vertex
        let isCleaning: Bool
        let context: ContextBox?
        let senders: SenderList
    }
    let edge: ObjectIdentifier
    let link: UInt64
    let source: Vertex
    /// Held for as long as values are on their way there.
    let target: Vertex?
    @exclusivity(unchecked) private var entries = Queue<Entry>()

    init(edge: ObjectIdentifier, link: UInt64, source: Vertex, target: Vertex?) {
        self.edge = edge
        self.link = link
        self.source = source
        self.target = target
    }
    func append(_ entry: Entry) { entries.append(entry) }

    /// What came meanwhile; or `nil`, when the edge has caught up, and from now on is called like any other, or was cut.
    func next(for edge: AnyEdge) -> Entry? {
        let bits = source.lock()
        defer { source.unlock(bits) }
        return nextLocked(for: edge)
    }
    private func nextLocked(for edge: AnyEdge) -> Entry? {
        guard edge.link.load(ordering: .relaxed) == link else { return nil }
        if let entry = entries.popFirst() { return entry }
        edge.link.store(link & ~Link.takingOver, ordering: .releasing)
        source.rare?.mailboxes.removeAll { $0 === self }
        return nil
    }
    /// Whether something waits; if not, the edge has caught up. The source's lock is held.
    func isWaiting(for edge: AnyEdge) -> Bool {
        if entries.isEmpty { _ = nextLocked(for: edge) }
        return !entries.isEmpty && edge.link.load(ordering: .relaxed) == link
    }
}

extension Propagation {
    /// Delivers through one edge, from outside its source's delivery.
    fileprivate func deliver(_ entry: Mailbox.Entry, through edge: AnyEdge, _ mailbox: Mailbox) {
        let run = beginRun(context: entry.context, senders: entry.senders)
        enterCall(link: mailbox.link)
        let delivery = RawDelivery(
            propagation: .passUnretained(self), edge: .passUnretained(edge), source: .passUnretained(entry.value),
            target: mailbox.target.map { .passUnretained($0) })
        if entry.isCleaning { edge.forwardEmpty(delivery) } else { edge.forward(delivery) }
        drive(run)
    }
    /// Has the edge catch up with what came while it took over: in a turn of the source, so that no more comes meanwhile,
    /// and by whoever delivers there, so that a thread that attaches is not held up by one that sets without end.
    fileprivate func catchUp(_ edge: AnyEdge, _ mailbox: Mailbox) {
        let take: (Vertex, Propagation) -> Bool = { _, propagation in
            while let entry = mailbox.next(for: edge) { propagation.deliver(entry, through: edge, mailbox) }
            return false
        }
        let source = mailbox.source
        let turn = Turn(context: nil, senders: SenderList(), take: take)
        guard case .entered = source.enter(orQueue: turn, if: { _ in mailbox.isWaiting(for: edge) }) else { return }
        source.unlock(Vertex.busy)
        let run = beginRun(context: nil, senders: Senders.none)
        _ = take(source, self)
        takeTurns(at: .passUnretained(source))
        drive(run)
    }
    /// Leaves the value under delivery for the thread that is taking over an earlier one.
    @inline(never) func leaveInMailbox(_ edge: AnyEdge, _ link: UInt64, at vertex: Vertex, isCleaning: Bool) -> Bool {
        enterCall(link: link)
        let senders = senderList
        let bits = vertex.lock()
        defer { vertex.unlock(bits) }
        guard edge.link.load(ordering: .relaxed) == link,
            let mailbox = vertex.rare?.mailboxes.first(where: { $0.edge == ObjectIdentifier(edge) })
        else { return false }
        mailbox.append(
            Mailbox.Entry(
                value: vertex.copyOfValue(), isCleaning: isCleaning, context: context, senders: senders))
        return true
    }
}
