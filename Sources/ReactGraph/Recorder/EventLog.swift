import Foundation
import ReactCore

/// All records of a reading: all threads joined in order, each event with its causes, and all serial numbers resolved.
///
/// The order of the records completes each of them. One thread alone delivers a node's values at a time. So an edge
/// brings the value that was stored last in its source on the edge's own thread.
struct EventLog {
    struct Event {
        let kind: Record.Kind
        let detail: UInt8
        let moment: GraphMoment
        /// The thread's position in `threads`, and the record's position there.
        let thread: Int
        let index: Int
        // Positions in the index's `nodes` and `edges`; -1 for none.
        var node = -1
        var source = -1
        var edge = -1
        let aux: UInt
        /// The word that identifies a value that an edge holds until later.
        var hold: UInt = 0
        /// The edge that brings a queued value; 0 for a value that was set.
        var broughtBy: UInt = 0
        /// The empty node that the edge follows since it took the value.
        var followed = -1
        /// Positions in `events`, the newest first.
        var causes: [Int] = []
        /// The kept values of a zip that a store used: positions in `events`. They are no causes, because the sender
        /// list of the result does not name their sources.
        var partners: [Int] = []
        /// True if the event happened no earlier than its moment.
        var isTimed = true
        /// True if the event replaced a value that the recorder did not keep.
        var hasLost = false

        var stores: Bool { kind.stores }
        /// True if a program set or emptied the node.
        var isSet: Bool { kind == .set || kind == .cleaned }
        /// True if the node was emptied.
        var empties: Bool { kind == .cleaned || kind == .emptied }
        /// True if a join has processed its arrivals, with or without a new value.
        var firesOrComputes: Bool {
            kind == .fired || kind == .computed && detail != Record.ComputedEnd.givenUp.rawValue
        }
    }
    /// A call of an edge that was timed.
    struct Timing {
        let edge: Int
        let duration: UInt64
        let moment: GraphMoment
    }

    let threads: [ThreadReading]
    let names: ObjectIndex
    private(set) var events: [Event] = []
    private(set) var timings: [Timing] = []
    /// The ends of transactions, thread by thread.
    private(set) var ends: [GraphMoment] = []
    let marks: MarkLabels

    /// The time of the reading. Ages count from here.
    let readAt: UInt64
    private let keepsValues: Bool
    /// The evicted stores of each node; empty if nothing was evicted.
    private var losses: [Loss] = []
    /// The values at the time of the reading, by place, if they were taken then.
    private var presentValues: [Int: @Sendable () -> String?] = [:]

    /// - Parameters:
    ///   - threads: The records of each thread.
    ///   - marks: The labels of the marks, by number.
    ///   - keepsValues: True if the recorder keeps replaced values.
    ///   - showsSites: True if the recorder wants the places in the program.
    ///   - takesValues: True if the present value of each node on record is kept, so that later sets change no answer.
    init(_ threads: [ThreadReading], marks: MarkLabels, keepsValues: Bool, showsSites: Bool, takesValues: Bool) {
        readAt = Recorders.now
        self.threads = threads
        self.marks = marks
        self.keepsValues = keepsValues
        var serials: Set<UInt> = []
        for thread in threads {
            for record in thread.records { serials.formUnion(record.serials) }
        }
        var names = ObjectIndex(ObjectRegistry.known(serials), showsSites: showsSites)
        var timings: [Timing] = [], ends: [GraphMoment] = []
        for (place, thread) in threads.enumerated() {
            // A record without a time gets the time of the last one that has a time.
            var time = thread.records.lazy.compactMap(\.time).first ?? 0
            // A record before the first one with a time may be older than its moment.
            var isTimed = false
            for (index, record) in thread.records.enumerated() {
                time = max(time, record.time ?? 0)
                isTimed = isTimed || record.time != nil
                let moment = GraphMoment(
                    time: time, thread: thread.number, position: UInt64(thread.evicted + index))
                switch record.kind {
                case .timed:
                    let edge = names.edge(record.edge)
                    timings.append(Timing(edge: edge, duration: UInt64(record.target), moment: moment))
                case .ended: ends.append(moment)
                case .time: break
                default:
                    events.append(Self.event(record, moment, place, index, &names))
                    events[events.count - 1].isTimed = isTimed
                }
            }
        }
        names.decideSecrets()
        self.names = names
        self.timings = timings
        self.ends = ends
        events.sort { $0.moment < $1.moment }
        if hasLost { losses = names.nodes.indices.map(loss) }
        findCauses()
        if takesValues {
            for (place, node) in names.nodes.enumerated() {
                if let node = node.node as? any ValueHolding { presentValues[place] = node.heldValue }
            }
        }
    }

    private static func event(
        _ record: Record, _ moment: GraphMoment, _ thread: Int, _ index: Int, _ names: inout ObjectIndex
    ) -> Event {
        var event = Event(
            kind: record.kind, detail: record.detail, moment: moment, thread: thread, index: index, aux: record.aux)
        func node(_ serial: UInt) -> Int { names.node(serial) }
        func edge(_ serial: UInt) -> Int { names.edge(serial) }
        switch record.kind {
        case .set, .cleaned:
            event.node = node(record.target)
            event.edge = edge(record.first)
            // A join that fired has set the node.
            if event.edge < 0 { event.source = node(record.first) }
        case .heard:
            event.node = node(record.first)
            event.source = event.node
            event.edge = edge(record.edge)
        case .queued where record.edge == 0, .resumed where record.edge == 0:
            event.node = node(record.target)
            event.edge = edge(record.first)
            if event.edge < 0 { event.source = node(record.first) }
        case .mark, .batchBegan, .batchEnded: break
        case .scheduled, .late, .dropped:
            event.edge = edge(record.edge)
            event.source = node(record.first)
            event.hold = record.target
            if event.edge >= 0 { event.node = names.ends[event.edge].target }
        default:
            event.node = node(record.target)
            event.source = node(record.first)
            event.edge = edge(record.edge)
        }
        if record.kind == .queued || record.kind == .resumed { event.broughtBy = record.edge }
        if event.edge >= 0, event.source >= 0, event.kind != .switched {
            names.note(event.edge, from: event.source, to: event.node)
        }
        if event.edge < 0, event.node >= 0, [.stored, .arrived].contains(event.kind) {
            names.noteUnknownEdge(from: event.source, to: event.node)
        }
        return event
    }

    /// Finds the causes of each event.
    private mutating func findCauses() {
        struct Place: Hashable { let thread: Int, object: Int }
        var lastStore: [Place: Int] = [:], lastStoreAnywhere: [Int: Int] = [:]
        var lastBrought: [Place: Int] = [:], lastHeard: [Place: Int] = [:], lastLinked: [Int: Int] = [:]
        // Values of one edge are queued and resumed in the same order. The values of all sets are, too.
        struct QueueKey: Hashable { let node: Int, broughtBy: UInt }
        var arrivals: [Int: [Int]] = [:], queues: [QueueKey: (events: [Int], next: Int)] = [:], held: [UInt: Int] = [:]
        // The values that leave with the next one that the edge sends on the thread.
        var joined: [Place: [Int]] = [:]
        var resumed: [Int: (node: Int, event: Int)] = [:]
        var kept = KeptValues(), lastLinkedTo: [Place: Int] = [:]
        let isWhole = !hasLost

        func lastKnownStore(to node: Int) -> Int? {
            lastStoreAnywhere[node].flatMap { lossEnds(node, after: $0) == nil ? $0 : nil }
        }
        func broughtBy(_ event: Event) -> Int? {
            let brought = lastBrought[Place(thread: event.thread, object: event.edge)]
            let stored = lastStore[Place(thread: event.thread, object: event.source)]
            return [brought, stored].compactMap(\.self).max() ?? lastKnownStore(to: event.source)
        }
        // The node that the edge's operator was linked to since `cause`.
        func followed(_ event: Event, since cause: Int?) -> Int {
            let linked = lastLinkedTo[Place(thread: event.thread, object: event.node)] ?? -1
            return cause.map { linked > $0 && events[linked].edge != event.edge } ?? false ? events[linked].source : -1
        }
        func joinEdge(_ event: Event, _ arrivals: [Int]) -> Int {
            arrivals.first.map { events[$0].edge } ?? names.upstream[event.node]?.first ?? -1
        }
        func setBy(_ event: Event) -> Int? {
            guard event.edge >= 0 else {
                return event.source >= 0 ? lastStore[Place(thread: event.thread, object: event.source)] : nil
            }
            if let heard = lastHeard[Place(thread: event.thread, object: event.edge)] { return heard }
            let source = names.ends[event.edge].source
            return lastStore[Place(thread: event.thread, object: source)]
        }
        for index in events.indices {
            let event = events[index]
            var causes: [Int] = []
            let waited = resumed[event.thread].flatMap { $0.node == event.node ? $0.event : nil }
            switch event.kind {
            case .set, .cleaned:
                causes = [waited ?? setBy(event)].compactMap(\.self)
                // The set that queued the value has returned, and another edge may be called now. So the edge and the
                // source are those of the queued event.
                if let waited {
                    let queued = events[waited].causes.first.map { events[$0] }
                    (events[index].edge, events[index].source) = (queued?.edge ?? -1, queued?.source ?? -1)
                }
            case .stored, .emptied:
                causes = [waited ?? broughtBy(event)].compactMap(\.self)
                if event.kind == .stored, event.edge >= 0 {
                    let name = names.edges[event.edge].name
                    events[index].partners = kept.take(for: event.edge, at: event.node) {
                        names.edges[$0].name == name
                    }
                }
                if event.kind == .emptied { events[index].followed = followed(event, since: causes.first) }
            case .heard, .stopped, .switched:
                causes = [broughtBy(event)].compactMap(\.self)
                guard event.kind == .stopped else { break }
                if event.detail == Record.Refusal.waitsForOthers.rawValue, isWhole, lastLinked[event.edge] != nil {
                    kept.add(index, of: event.edge, at: event.node)
                }
                if event.detail == Record.Refusal.notPassedOn.rawValue {
                    events[index].followed = followed(event, since: causes.first)
                }
            case .arrived:
                causes = [broughtBy(event)].compactMap(\.self)
                arrivals[event.node, default: []].append(index)
            case .fired:
                causes = (arrivals.removeValue(forKey: event.node) ?? []).reversed()
                events[index].edge = joinEdge(event, causes)
            case .queued:
                let isBrought = event.edge >= 0 && event.source >= 0
                causes = [isBrought ? broughtBy(event) : setBy(event)].compactMap(\.self)
                queues[QueueKey(node: event.node, broughtBy: event.broughtBy), default: ([], 0)].events.append(index)
            case .resumed:
                let key = QueueKey(node: event.node, broughtBy: event.broughtBy)
                if let queue = queues[key], queue.next < queue.events.count {
                    causes = [queue.events[queue.next]]
                    queues[key]?.next += 1
                }
            case .replayed:
                causes = [event.detail == 1 ? lastKnownStore(to: event.source) : lastLinked[event.edge]].compactMap(
                    \.self)
            case .scheduled:
                let heard =
                    names.isListening(event.edge)
                    ? lastHeard[Place(thread: event.thread, object: event.edge)] : nil
                // A value that has waited for its work is taken for the second time.
                let number = BufferedValueRecord.number(in: event.hold)
                causes = [held[number] ?? heard ?? broughtBy(event)].compactMap(\.self)
                held[number] = index
            case .late, .dropped:
                let number = BufferedValueRecord.number(in: event.hold)
                let cause = number == 0 ? lastKnownStore(to: event.source) : held.removeValue(forKey: number)
                let isRefused = event.detail == BufferedValueRecord.Drop.wasBusy.rawValue && event.kind == .dropped
                causes = [cause ?? (isRefused ? broughtBy(event) : nil)].compactMap(\.self)
                guard event.kind == .late else { break }
                let place = Place(thread: event.thread, object: event.edge)
                if event.detail == Record.joined {
                    joined[place, default: []].append(index)
                } else {
                    causes += joined.removeValue(forKey: place) ?? []
                }
            case .computed:
                // A body that was given up is called again for the same arrivals.
                let isOver = event.detail != Record.ComputedEnd.givenUp.rawValue
                let came = isOver ? arrivals.removeValue(forKey: event.node) : arrivals[event.node]
                causes = (came ?? []).reversed()
                events[index].edge = joinEdge(event, causes)
            case .linked:
                lastLinked[event.edge] = index
                lastLinkedTo[Place(thread: event.thread, object: event.node)] = index
                kept.forget(event.edge)
            case .cut: kept.forget(event.edge)
            default: break
            }
            events[index].causes = causes
            resumed[event.thread] = event.kind == .resumed ? (event.node, index) : nil
            if event.stores {
                let wasEmpty = lastKnownStore(to: event.node).map { events[$0].empties } ?? false
                events[index].hasLost = !keepsValues && !wasEmpty
                lastStore[Place(thread: event.thread, object: event.node)] = index
                lastStoreAnywhere[event.node] = index
            }
            switch event.kind {
            case .late where names.isListening(event.edge):
                lastHeard[Place(thread: event.thread, object: event.edge)] = index
            case .replayed, .late, .switched: lastBrought[Place(thread: event.thread, object: event.edge)] = index
            case .heard: lastHeard[Place(thread: event.thread, object: event.edge)] = index
            default: break
            }
        }
    }

    /// Returns the position of the first event after a moment.
    func position(after moment: GraphMoment) -> Int { events.firstIndex { $0.moment > moment } ?? events.count }

    // MARK: What is not on record any more

    /// The evicted stores to a node: the latest time at which one may have happened, its thread, and the latest such
    /// time of all other threads.
    private struct Loss {
        var until: UInt64 = 0
        var thread = -1
        var untilOfOthers: UInt64 = 0
    }
    private func loss(of serial: UInt) -> Loss {
        var loss = Loss()
        for (place, thread) in threads.enumerated() where thread.evicted > 0 {
            let time = thread.lastLostStore(to: serial)
            if time > loss.until {
                loss = Loss(until: time, thread: place, untilOfOthers: loss.until)
            } else {
                loss.untilOfOthers = max(loss.untilOfOthers, time)
            }
        }
        return loss
    }
    private func loss(_ node: Int) -> Loss { loss(of: names.nodes[node].serial) }
    /// Returns the latest time at which an evicted record may have stored to the node after the event at `index`; `nil`
    /// if none can have. Evicted records of the event's own thread are older than the event, so they do not count.
    ///
    /// - Parameters:
    ///   - node: The node's place in `names`.
    ///   - index: The event's position; -1 for the beginning of the records.
    /// - Returns: The time.
    func lossEnds(_ node: Int, after index: Int) -> UInt64? {
        losses.isEmpty || node < 0 ? nil : end(of: losses[node], after: index)
    }
    /// Returns the latest time at which an evicted record may have stored to `node`, which need not be on record.
    func lossEnds(of node: AnyNode, after index: Int) -> UInt64? {
        if losses.isEmpty { return nil }
        if let place = names.place(of: node) { return lossEnds(place, after: index) }
        return end(of: loss(of: node.serial), after: index)
    }
    private func end(of loss: Loss, after index: Int) -> UInt64? {
        guard index >= 0 else { return loss.until > 0 ? loss.until : nil }
        let event = events[index], until = event.thread == loss.thread ? loss.untilOfOthers : loss.until
        return until > 0 && (!event.isTimed || event.moment.time <= until) ? until : nil
    }
    /// True if any record was evicted.
    var hasLost: Bool { threads.contains { $0.evicted > 0 } }

    // MARK: Values

    /// Describes the value before a store.
    func old(_ event: Event) -> String? {
        names.describing { threads[event.thread].describedValue(at: event.index) }
    }

    /// The stores of each node: positions of events, in order.
    var stores: [Int: [Int]] {
        var stores: [Int: [Int]] = [:]
        for (index, event) in events.enumerated() where event.stores { stores[event.node, default: []].append(index) }
        return stores
    }
    /// Describes the value of a node after the event at `index`: the value that the next store replaced, or the present
    /// value. Returns `nil` if there was none, or it is not known any more.
    func value(of node: Int, after index: Int, _ stores: [Int: [Int]]) -> String? {
        guard node >= 0, lossEnds(node, after: index) == nil else { return nil }
        let later = stores[node] ?? []
        // The first store after `index`.
        let next = later.endOfPrefix { $0 <= index }
        return next < later.count ? old(events[later[next]]) : present(node)
    }
    /// Describes the value that the node at a place held when the records were read, or holds now, if values were not
    /// taken then. If the value must not be shown, the text says only that there is one.
    func present(_ place: Int) -> String? {
        let isSecret = names.isSecret(place)
        return names.describing {
            if !isSecret, let value = presentValues[place] { return value() }
            return names.nodes[place].node?.valueDescription(isRedacted: isSecret)
        }
    }
}

/// A node whose value can be kept for later.
private protocol ValueHolding: AnyNode {
    /// Describes the value that the node holds now, even if it is called later.
    var heldValue: @Sendable () -> String? { get }
}
extension Node: ValueHolding {
    fileprivate var heldValue: @Sendable () -> String? {
        let value = value
        return { value.map { ValueText.of($0) } }
    }
}
