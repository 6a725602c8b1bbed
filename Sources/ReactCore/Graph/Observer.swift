import Synchronization

// The interface by which a module outside the engine observes it, as a flight recorder does. While nothing observes, a
// transaction tests one flag when it begins, and a hop takes no longer.
//
// - The process has one `GraphObserver`. It hears of nodes and edges, and makes a `ThreadObserver` for each thread.
// - A `ThreadObserver` hears of one thread's transactions, calls and stores.

/// Observes the calls of edges that one thread makes.
///
/// The run loop is generic over it, and compiled twice: for `NoObserver`, of which nothing is left in the loop, and for
/// `ObserverReports`.
protocol CallObserver {
    /// See `ThreadObserver`.
    func willCall(_ edge: AnyEdge, from source: Vertex, isEmptying: Bool)
    func didCall(_ edge: AnyEdge, from source: Vertex)
}

/// Observes nothing.
struct NoObserver: CallObserver {
    @inline(__always) func willCall(_: AnyEdge, from _: Vertex, isEmptying _: Bool) {}
    @inline(__always) func didCall(_: AnyEdge, from _: Vertex) {}
}

/// Reports the calls to the thread's observer. The engine refers to this object without retaining it for each report.
final class ObserverReports: CallObserver {
    let observer: any ThreadObserver

    init(to observer: any ThreadObserver) { self.observer = observer }
    @inline(__always) func willCall(_ edge: AnyEdge, from source: Vertex, isEmptying: Bool) {
        if !edge.isMark { observer.willCall(edge, from: source, isEmptying: isEmptying) }
    }
    @inline(__always) func didCall(_ edge: AnyEdge, from source: Vertex) {
        if !edge.isMark { observer.didCall(edge, from: source) }
    }
}

/// Observes one thread: its transactions, calls and stores. Every method is called on that thread.
package protocol ThreadObserver: AnyObject {
    /// The thread begins a transaction, or a part of one that nothing observed until now.
    func open()
    /// A part of an open transaction begins.
    func followObservers()
    /// Lets go of values that are no longer kept. User code may run, and set nodes.
    func letGoOfValues()
    /// The transaction is over, or the part of it that was opened.
    func close(isOutermost: Bool)
    /// The thread has ended. Another one may have its number.
    func threadHasEnded()

    /// The thread is about to call `edge` with the value of `source`, or to tell it that `source` was emptied. No lock
    /// is held. Calls are nested: another call may begin and return before `didCall`.
    func willCall(_ edge: AnyEdge, from source: Vertex, isEmptying: Bool)
    /// The call has returned. The engine's `result(of:)` is the fate of a value that was neither stored nor queued, and
    /// reached no listener.
    func didCall(_ edge: AnyEdge, from source: Vertex)
    /// A value is about to be stored in `vertex`, or taken out of it. The old value is in place.
    func willStore(in vertex: Vertex, isEmptying: Bool, by cause: StoreCause)
    /// `vertex` is about to be changed.
    func willChange(_ vertex: Vertex)
    /// A value has to wait until `vertex` is idle. `edge` brings it; a set has none.
    func queued(at vertex: Vertex, by edge: UInt)
    /// The thread has waited for the region of `vertex`. No lock is held.
    func waited(at vertex: Vertex, _ wait: ObservedWait)
    /// The turn of a value that was queued at `vertex` has come.
    func resumed(at vertex: Vertex, by edge: UInt, from source: UInt)
    /// The serial number of the vertex that the called edge leaves from.
    var sourceOfCall: UInt { get }
    /// The called edge's value has the turn of `vertex`.
    func tookTurn(of vertex: Vertex)
    /// The called edge's value had passed the vertex that it was sent to.
    func cameRound()
    /// The called edge passes on the value of `vertex` from now on.
    func switched(to vertex: Vertex)
    /// The next call is made outside of the delivery of `source`.
    func willCallSeparately(_ edge: AnyEdge, from source: Vertex, _ kind: SeparateCall)

    /// The join of `vertex` fires, as a call that ends with `didFire`. The join is the cause of each set.
    func willFire(_ vertex: Vertex)
    func didFire()
    /// The join has made no value.
    func firedNothing(_ vertex: Vertex, _ result: FiringResult)

    func batchBegan()
    func batchEnded()
    /// `edge` keeps a value until later, or no longer. No lock is held.
    func buffered(_ event: BufferedValueEvent, _ word: UInt, at edge: AnyEdge)
    /// Runs `body`. The cause of each of its sets is `edge`.
    func calling(_ edge: AnyEdge, _ body: () -> Void)
}

/// Observes nodes and edges, on every thread.
///
/// An observer marks those that it knows (`Vertex.isKnown`, `AnyEdge.knownTo`), and hears of these alone when they go.
package protocol GraphObserver: Sendable {
    /// A node is being made. No lock is held.
    func made(_ vertex: Vertex)
    /// The handle of a known vertex has gone.
    func gone(_ vertex: Vertex, named name: String?, isRedacted: Bool)
    /// A known edge goes.
    func gone(_ edge: AnyEdge, named name: String)
    /// `edge` was connected between these ends, or disconnected. The edge's lock is held, so references are released by
    /// `deferred`.
    func noteConnection(
        of edge: AnyEdge, isCut: Bool, _ source: Vertex, _ target: Unmanaged<Vertex>?,
        _ deferred: inout DeferredReleases)
    /// An observer for a thread, by its number and how many threads had that number before.
    func observer(ofThread thread: UInt64, after formerThreads: Int) -> any ThreadObserver
}

/// The process's graph observer.
package enum Observers {
    private static let observer = Lock<(any GraphObserver)?>(nil)
    private static let flag = Atomic<Bool>(false), keepingFlag = Atomic<Bool>(false)

    /// True if anything observes now.
    package static var isOn: Bool { flag.load(ordering: .acquiring) }
    /// True if anything keeps its observations, of now or earlier. Then it needs the names of nodes that go, and
    /// whether they are redacted.
    static var isKeeping: Bool { keepingFlag.load(ordering: .acquiring) }
    /// Installs the observer. It stays known after the observing has ended, because nodes and edges that it has marked
    /// still report their end to it.
    package static func begin(_ new: any GraphObserver) {
        observer.withLock {
            $0 = new
            keepingFlag.store(true, ordering: .releasing)
            flag.store(true, ordering: .releasing)
        }
    }
    /// Notes that no observations are kept any more.
    package static func forget() { observer.withLock { _ in keepingFlag.store(false, ordering: .releasing) } }
    package static func end() { observer.withLock { _ in flag.store(false, ordering: .releasing) } }
    /// Precondition: something observes, or has observed.
    static var current: any GraphObserver { observer.withLock { $0 }.unsafelyUnwrapped }
}

/// The numbers by which records name nodes and edges. No number is given twice, so a record never comes to name another
/// object.
///
/// A vertex or an edge gets its number when it is first asked for. While nothing records, most never get one.
@usableFromInline enum SerialNumber {
    private static let last = Atomic<UInt>(0)

    /// Returns the number in `slot`, after giving one if there is none yet.
    @inlinable @inline(__always) static func number(in slot: borrowing Atomic<UInt>) -> UInt {
        let known = slot.load(ordering: .relaxed)
        return known != 0 ? known : give(slot)
    }
    @usableFromInline @inline(never) static func give(_ slot: borrowing Atomic<UInt>) -> UInt {
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        let (exchanged, original) = slot.compareExchange(expected: 0, desired: number, ordering: .relaxed)
        return exchanged ? number : original
    }
}

/// The fate of a value that an edge keeps until later. `word` identifies the value, and says how long it is kept.
package enum BufferedValueEvent {
    case scheduled
    case heard
    /// The value leaves as a part of another, which the edge sends next.
    case joined
    case dropped(Drop)

    /// Why a value goes nowhere.
    package enum Drop: UInt8, Sendable {
        /// A newer one took its place.
        case superseded
        /// The connection by which it came has ended.
        case wasCut
        /// The edge was at work on an earlier one.
        case wasBusy
    }
}
