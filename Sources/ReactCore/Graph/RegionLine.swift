/// The requests for a region, in order, and its late work. A thread that is not in line may overtake it until a request
/// in it is ordered.
struct RegionLine {
    private(set) var requests: [Request] = []
    /// Work that could not wait for the region any longer, in order.
    private(set) var late: [LateStep] = []
    /// The request for the late work, until it is granted.
    private(set) var requestOfLate: Request?
    /// True once a thread has waited for the region.
    private(set) var wasUsed = false
    /// The removals of nodes and edges that went while another thread owned the region, in order. The owner does them
    /// when it leaves.
    private(set) var removals: [Removal] = []

    /// A step of late work. It gets the engine of the thread that does it.
    typealias LateStep = (AnyObject) -> Void
    /// The removal of a node or an edge from the graph, with a vertex of the region.
    typealias Removal = (vertex: Vertex, work: LateStep)
    /// The number of late changes that are not done, with those under way.
    private(set) var openChanges = 0
    /// The number of changes in `late`.
    private var lateChanges = 0

    /// True if a part of a batch waits, or a late change: then the region must not be linked.
    var blocksLinks: Bool { requests.contains { $0.blocksLinks && ($0 !== requestOfLate || lateChanges > 0) } }

    mutating func append(_ request: Request) {
        requests.append(request)
        wasUsed = true
    }
    mutating func remove(_ request: Request) { requests.removeAll { $0 === request } }
    /// Puts late work into the place of `request`, which has waited in vain. `makeRequest` makes the request of the
    /// late work, if there is none. Work that comes while earlier work is being done has a request of its own, so
    /// nobody who came later overtakes it.
    mutating func replace(_ request: Request, by work: @escaping LateStep, _ makeRequest: () -> Request) {
        let place = requests.firstIndex { $0 === request } ?? requests.endIndex
        remove(request)
        add(work, at: place) {
            let made = makeRequest()
            #if DEBUG
            made.since = request.since
            #endif
            return made
        }
    }
    /// Adds late work. If `isChange` is false, the work changes nothing in the graph.
    mutating func add(
        _ work: @escaping LateStep, isChange: Bool = true, at place: Int? = nil, _ makeRequest: () -> Request
    ) {
        late.append(work)
        if isChange { (openChanges, lateChanges) = (openChanges + 1, lateChanges + 1) }
        guard requestOfLate == nil else { return }
        let request = makeRequest()
        requestOfLate = request
        requests.insert(request, at: place ?? requests.endIndex)
    }
    /// Takes out the late work, whose request has been granted, with the number of changes in it.
    mutating func takeLate() -> (work: [LateStep], changes: Int) {
        defer { (late, lateChanges, requestOfLate) = ([], 0, nil) }
        return (late, lateChanges)
    }
    mutating func add(_ removal: Removal) { removals.append(removal) }
    mutating func takeRemovals() -> [Removal] {
        defer { removals = [] }
        return removals
    }
    /// Notes that late changes have been done.
    mutating func noteDone(_ changes: Int) { openChanges -= changes }
    /// Takes in the line of another region. Returns a request that is in line no longer: its release may run user code.
    mutating func merge(_ other: inout RegionLine) -> Request? {
        var replaced: Request?
        requests += other.requests
        late += other.late
        removals += other.removals
        openChanges += other.openChanges
        lateChanges += other.lateChanges
        wasUsed = wasUsed || other.wasUsed
        // Two requests for late work become one, which is granted once.
        if let known = requestOfLate, let second = other.requestOfLate {
            remove(second)
            replaced = second
            requestOfLate = known
        } else {
            requestOfLate = requestOfLate ?? other.requestOfLate
        }
        other = RegionLine()
        return replaced
    }

    /// The way in which the region is handed over to the first in line.
    enum Handover: Equatable { case nothing, wakes, grants }

    /// Returns the state after a change of the line, and the handover that is due. `state` is the one before: it is
    /// free if the owner has left. Pure: `apply` does it.
    func settled(_ state: RegionState) -> (state: RegionState, handover: Handover) {
        switch state {
        case .merged: return (.merged, .nothing)
        case .owned(let owner, _): return (.owned(by: owner, described(requests[...])), .nothing)
        case .free:
            // Whoever takes the region looks at the line when leaving it, while there are removals.
            guard let first = requests.first else { return (.free(removals.isEmpty ? .isEmpty : .sleeps), .nothing) }
            if requests.contains(where: \.isOrdered) {
                return (.owned(by: first.owner, described(requests.dropFirst())), .grants)
            }
            return (.free(removals.isEmpty ? .isAwake : .sleeps), first.progress == .waits ? .wakes : .nothing)
        }
    }
    private func described(_ requests: ArraySlice<Request>) -> RegionState.Line {
        if requests.contains(where: \.isOrdered) { return .isOrdered }
        // Who leaves has to look at the line for them, too.
        if !removals.isEmpty { return .sleeps }
        guard let first = requests.first else { return .isEmpty }
        return first.progress == .waits ? .sleeps : .isAwake
    }
    /// Does the handover that `settled` has returned. Returns the request to be notified, when no lock is held.
    mutating func apply(_ handover: Handover) -> Request? {
        switch handover {
        case .nothing: return nil
        case .wakes:
            requests[0].become(.isWoken)
            return requests[0]
        case .grants:
            let first = requests.removeFirst()
            first.become(.isGranted)
            return first
        }
    }
}
