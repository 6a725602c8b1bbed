import Foundation
import ReactCore

/// All records of a reading: all threads joined in order, each event with its causes, and all serial numbers resolved.
///
/// A record does not name its cause: the order of the records tells it. One thread at a time delivers a node's values.
/// So the cause of an edge's call is the last store in its source on the same thread.
struct EventLog {
    /// A call of an edge that was timed.
    typealias Timing = (edge: Int, duration: UInt64, moment: GraphMoment)

    let threads: [ThreadReading]
    let names: ObjectIndex
    private(set) var events: [Event] = []
    /// The stores of each node: positions of events, in order.
    private(set) var stores: [Int: [Int]] = [:]
    /// The events that each event led to, in order.
    private(set) var effects: [[Int]] = []
    /// The sets by programs, the events that linked or cut an edge, and those that stopped on the way to each node.
    private(set) var sets: [Int] = [], changes: [Int] = []
    private(set) var stops: [Int: [Int]] = [:]
    /// The wait of each set that had to wait for its graph.
    private(set) var waitOfSet: [Int: Int] = [:]
    /// The newest wait for the graph of each node that no set has followed. If it was in vain, its set is late.
    private(set) var openWaits: [Int?: Int] = [:]
    /// The last event before each wait on the thread that kept the graph busy. A later thread may have its number.
    private(set) var ownerOfWait: [Int: Int] = [:]
    private(set) var timings: [Timing] = []
    /// The ends of transactions, thread by thread.
    private(set) var ends: [GraphMoment] = []
    let marks: MarkLabels

    /// The time of the reading. Ages count from here.
    let readAt: UInt64
    private let keepsValues: Bool
    /// True if any record was evicted.
    let hasLost: Bool
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
        hasLost = threads.contains { $0.evicted > 0 }
        self.marks = marks
        self.keepsValues = keepsValues
        var serials: Set<UInt> = []
        for thread in threads {
            for record in thread.records { serials.formUnion(record.serials) }
        }
        var names = ObjectIndex(ObjectRegistry.known(serials), showsSites: showsSites)
        for (place, thread) in threads.enumerated() {
            // A record without a time gets the time of the last one that has a time.
            var time = thread.records.lazy.compactMap(\.time).first ?? 0
            // A record before the first one with a time may be older than its moment.
            var isTimed = false
            for (index, record) in thread.records.enumerated() {
                time = max(time, record.time ?? 0)
                isTimed = isTimed || record.time != nil
                let moment = GraphMoment(time: time, thread: thread.number, position: UInt64(thread.evicted + index))
                if let kind = record.kind {
                    let event = Event(kind, record, moment, place, index, isTimed: isTimed, names)
                    names.note(event)
                    events.append(event)
                } else if record.detail == .timed, let edge = names.edge(record.edge) {
                    timings.append((edge, UInt64(record.target), moment))
                } else if record.detail == .transactionEnded {
                    ends.append(moment)
                }
            }
        }
        names.decideSecrets()
        self.names = names
        events.sort { $0.moment < $1.moment }
        findCauses()
        if takesValues {
            for (place, node) in names.nodes.enumerated() {
                if let node = node.node as? any ValueHolding { presentValues[place] = node.heldValue }
            }
        }
    }

    /// Finds the causes of each event.
    private mutating func findCauses() {
        struct Place: Hashable { let thread: Int, object: Int? }
        var lastStore: [Place: Int] = [:], lastBrought: [Place: Int] = [:], lastHeard: [Place: Int] = [:]
        var lastLinkedTo: [Place: Int] = [:], lastLinked: [Int?: Int] = [:]
        // Values of one edge are queued and resumed in the same order. The values of all sets are, too.
        struct QueueKey: Hashable { let node: Int?, bringer: UInt }
        var arrivals: [Int?: [Int]] = [:], queues: [QueueKey: Queue<Int>] = [:]
        var buffered: [UInt: Int] = [:]
        // The values that leave with the next one that the edge sends on the thread.
        var joined: [Place: [Int]] = [:]
        var resumed: [Int: (node: Int?, event: Int)] = [:]
        // The newest event of each number of a thread.
        var newest: [UInt64: Int] = [:]
        var kept = KeptValues()
        let isWhole = !hasLost

        func lastKnownStore(to node: Int?) -> Int? {
            node.flatMap { stores[$0]?.last }.flatMap { lossEnds(node, after: $0) == nil ? $0 : nil }
        }
        effects = Array(repeating: [], count: events.count)
        for index in events.indices {
            let event = events[index], edge = event.edge, isListening = names.isListening(edge)
            func onThread(_ object: Int?) -> Place { Place(thread: event.thread, object: object) }
            func broughtBy() -> Int? {
                let known = [lastBrought[onThread(edge)], lastStore[onThread(event.source)]]
                return known.compactMap(\.self).max() ?? lastKnownStore(to: event.source)
            }
            func setBy() -> Int? {
                guard let edge else { return event.source.flatMap { lastStore[onThread($0)] } }
                return lastHeard[onThread(edge)] ?? lastStore[onThread(names.ends[edge].source)]
            }
            let queue = QueueKey(node: event.node, bringer: event.record.edge)
            let waited = resumed[event.thread].flatMap { $0.node == event.node ? $0.event : nil }
            var causes: [Int?] = []
            switch event.kind {
            case .set, .cleaned:
                causes = [waited ?? setBy()]
                // The set that queued the value has returned, and another edge may be called now. So the edge and the
                // source are those of the queued event.
                if let waited {
                    let queued = events[waited].causes.first.map { events[$0] }
                    (events[index].edge, events[index].source) = (queued?.edge, queued?.source)
                }
            case .stored, .emptied:
                causes = [waited ?? broughtBy()]
                if event.kind == .stored, let edge, let node = event.node {
                    let name = names.edges[edge].name
                    events[index].partners = kept.take(for: edge, at: node) { names.edges[$0].name == name }
                }
            case .heard, .stopped, .switched:
                causes = [broughtBy()]
                if event.detail == .waitsForOthers, isWhole, lastLinked[edge] != nil, let edge, let node = event.node {
                    kept.add(index, of: edge, at: node)
                }
            case .arrived:
                causes = [broughtBy()]
                arrivals[event.node, default: []].append(index)
            case .fired, .computed:
                // A body that was given up is called again for the same arrivals.
                let came = event.firesOrComputes ? arrivals.removeValue(forKey: event.node) : arrivals[event.node]
                causes = (came ?? []).reversed()
                let known = came?.last.map { events[$0].edge }
                events[index].edge = known ?? event.node.flatMap { names.upstream[$0]?.first }
            case .queued:
                causes = [edge != nil && event.source != nil ? broughtBy() : setBy()]
                queues[queue, default: Queue()].append(index)
            case .resumed: causes = [queues[queue]?.popFirst()]
            case .replayed:
                causes = [event.detail == .cameMeanwhile ? lastKnownStore(to: event.source) : lastLinked[edge]]
            case .scheduled:
                let heard = isListening ? lastHeard[onThread(edge)] : nil
                // A value that has waited for its work is taken for the second time.
                causes = [event.bufferedNumber.flatMap { buffered[$0] } ?? heard ?? broughtBy()]
                if let number = event.bufferedNumber { buffered[number] = index }
            case .late, .dropped:
                let taken = event.bufferedNumber.map { buffered.removeValue(forKey: $0) }
                let brought = event.detail == .wasBusy ? broughtBy() : nil
                causes = [(taken ?? lastKnownStore(to: event.source)) ?? brought]
                if event.detail == .joined {
                    joined[onThread(edge), default: []].append(index)
                } else if event.kind == .late {
                    causes += joined.removeValue(forKey: onThread(edge)) ?? []
                }
            case .linked, .cut:
                changes.append(index)
                if let edge { kept.forget(edge) }
                guard event.kind == .linked else { break }
                lastLinked[edge] = index
                lastLinkedTo[onThread(event.node)] = index
            case .waited:
                openWaits[event.node] = index
                ownerOfWait[index] = newest[RecordedWait(word: event.record.first).owner]
            case .batchBegan, .batchEnded, .mark: break
            }
            events[index].causes = causes.compactMap(\.self)
            for cause in events[index].causes + events[index].partners { effects[cause].append(index) }
            // The node that the edge's operator was linked to since the cause.
            if event.kind == .emptied || event.detail == .notPassedOn, let cause = events[index].causes.first,
                let linked = lastLinkedTo[onThread(event.node)], linked > cause, events[linked].edge != edge
            {
                events[index].followed = events[linked].source
            }
            if event.isSet {
                sets.append(index)
                // Another thread does late work.
                if let wait = openWaits[event.node],
                    (events[wait].detail == .late) == (events[wait].thread != event.thread)
                {
                    openWaits[event.node] = nil
                    waitOfSet[index] = wait
                }
            }
            if event.kind == .stopped, let node = event.node { stops[node, default: []].append(index) }
            resumed[event.thread] = event.kind == .resumed ? (event.node, index) : nil
            newest[threads[event.thread].number] = index
            if event.stores {
                let wasEmpty = lastKnownStore(to: event.node).map { events[$0].empties } ?? false
                events[index].hasLost = !keepsValues && !wasEmpty
                lastStore[onThread(event.node)] = index
                if let node = event.node { stores[node, default: []].append(index) }
            }
            switch event.kind {
            case .late where isListening, .heard: lastHeard[onThread(edge)] = index
            case .replayed, .late, .switched: lastBrought[onThread(edge)] = index
            default: break
            }
        }
    }

    /// Returns the position of the first event after a moment.
    func position(after moment: GraphMoment) -> Int { events.firstIndex { $0.moment > moment } ?? events.count }

    // MARK: What is not on record any more

    /// Returns the latest time at which an evicted record may have stored to the node after the event at `index`; `nil`
    /// if none can have. Evicted records of the event's own thread are older than the event, so they do not count.
    ///
    /// - Parameters:
    ///   - node: The node's place in `names`.
    ///   - index: The event's position; `nil` for the beginning of the records.
    /// - Returns: The time.
    func lossEnds(_ node: Int?, after index: Int?) -> UInt64? {
        node.flatMap { lossEnds(ofSerial: names.nodes[$0].serial, after: index) }
    }
    /// Returns the latest time at which an evicted record may have stored to `node`, which need not be on record.
    func lossEnds(of node: AnyNode, after index: Int?) -> UInt64? { lossEnds(ofSerial: node.serial, after: index) }
    private func lossEnds(ofSerial serial: UInt, after index: Int?) -> UInt64? {
        guard hasLost else { return nil }
        let event = index.map { events[$0] }
        var until: UInt64 = 0
        for thread in threads.indices where threads[thread].evicted > 0 && thread != event?.thread {
            until = max(until, threads[thread].lost[serial])
        }
        return until > 0 && event.map { !$0.isTimed || $0.moment.time <= until } ?? true ? until : nil
    }

    // MARK: Values

    /// Describes the value before a store.
    func old(_ event: Event) -> String? { names.describing { threads[event.thread].describedValue(at: event.index) } }

    /// Describes the value of a node after the event at `index`: the value that the next store replaced, or the present
    /// value. Returns `nil` if there was none, or it is not known any more.
    func value(of node: Int?, after index: Int) -> String? {
        guard let node, lossEnds(node, after: index) == nil else { return nil }
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
