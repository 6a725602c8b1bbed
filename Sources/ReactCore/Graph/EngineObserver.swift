import Synchronization

// How something outside the engine observes it, as a flight recorder does. While nothing observes, a transaction asks one flag
// when it begins, and a hop costs nothing.
//
// - A `GraphObserver` is the process's one. It hears of nodes and edges, and makes a `ThreadObserver` for each thread.
// - A `ThreadObserver` hears of one thread's transactions, calls and stores.

/// Observes the calls of edges that one thread makes.
///
/// The run loop is generic over it. Nothing of `NoObserver` is left in the compiled loop.
package protocol CallObserver {
    /// The thread is about to call `edge` with the value of `source`, or to tell it that `source` was emptied. No lock is held.
    ///
    /// - Returns: The call around this one, for `didCall`.
    func willCall(_ edge: AnyEdge, from source: Vertex, isEmptying: Bool) -> ObservedCall
    /// The call has returned. `result` says what became of a value that was neither stored nor queued.
    func didCall(_ edge: AnyEdge, from source: Vertex, inside outer: ObservedCall, result: () -> CallResult)
}

/// Observes nothing.
struct NoObserver: CallObserver {
    @inline(__always) func willCall(_: AnyEdge, from _: Vertex, isEmptying _: Bool) -> ObservedCall { ObservedCall() }
    @inline(__always)
    func didCall(_: AnyEdge, from _: Vertex, inside _: ObservedCall, result _: () -> CallResult) {}
}

/// A call of an edge that is under way, as an observer notes it.
package struct ObservedCall {
    /// The serial numbers of the edge, and of the vertex that it was called from. For a join that fires, its vertex stands for the edge.
    package var caller: UInt = 0
    package var source: UInt = 0
    package var outcome = Outcome.nothing
    /// When the call began, if it is timed; else 0.
    package var began: UInt64 = 0

    package enum Outcome: UInt8 {
        case nothing, stored
        /// Something else was observed of the call, such as that the value was queued.
        case noted
        /// The value had passed the vertex that it was sent to.
        case cameRound
    }
    package init() {}
}

/// What became of a value that an edge was called with, and neither stored nor queued.
package enum CallResult {
    /// The edge was disconnected before it had stored the value.
    case cut
    /// The value had passed the join that the edge leads to.
    case cameRound
    /// A join took the value. It still misses so many others.
    case arrived(missing: Int)
    /// The value waits for its partners.
    case waits
    case notPassedOn
}

/// What stores a value.
@usableFromInline package enum StoreCause {
    /// The program sets or empties a node.
    case set
    /// The edge that is being called.
    case call(Unmanaged<AnyEdge>)
    /// An edge that has taken the vertex's turn before, as it was connected then. The trail was asked then, too.
    case turn(EdgeChoice)
    /// The vertex is a join's, which fires.
    case firing
}

/// Why an edge is called outside of its source's delivery.
package enum SeparateCall {
    /// The edge was connected to a node that has a value.
    case initial
    /// The value came while the edge caught up.
    case buffered
    /// The edge sends a value that came earlier. The number and interval are those of its `RecordedHold`, if it has one.
    case late(UInt)
}

/// What a call of a join's body came to that stored nothing.
package enum FiringResult {
    /// The new value equals the one before.
    case same
    /// An input has no value.
    case waits
    /// The body was not called, because nothing that it read has changed.
    case unchanged
    /// The body is called again later in this transaction.
    case givenUp
}

/// What happens to a value that an edge keeps until later. `word` tells the value from others, and says for how long.
package enum BufferedValueEvent {
    case scheduled
    case heard
    case dropped(Drop)

    /// Why a value goes nowhere.
    package enum Drop: UInt8, Sendable {
        /// A newer one took its place.
        case superseded
        /// The linking by which it came has ended.
        case wasCut
    }
}

/// Observes one thread: its transactions, calls and stores. Every method is called on that thread.
package protocol ThreadObserver: AnyObject, CallObserver {
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

    /// A value is about to be stored in `vertex`, or taken out of it. The vertex's lock is held, and the old value is in place.
    func willStore(in vertex: Vertex, isEmptying: Bool, by cause: StoreCause)
    /// `vertex` is about to be locked and changed. No lock is held.
    func willChange(_ vertex: Vertex)
    /// A value has to wait until `vertex` is idle. `edge` brings it; a set has none. The vertex's lock is held.
    func queued(at vertex: Vertex, by edge: UInt)
    /// The turn has come of what was queued at `vertex`.
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

    /// The join of `vertex` fires. What is set until `didFire` has the join as its cause. Returns the call around it.
    func willFire(_ vertex: Vertex) -> ObservedCall
    func didFire(_ vertex: Vertex, inside outer: ObservedCall)
    /// The join has made no value.
    func firedNothing(_ vertex: Vertex, _ result: FiringResult)
    /// The join was left to another thread.
    func leftToOthers(_ vertex: Vertex)

    func batchBegan()
    func batchEnded()
    /// `edge` keeps a value until later, or no longer. No lock is held.
    func buffered(_ event: BufferedValueEvent, _ word: UInt, at edge: AnyEdge)
    /// Runs `body`, and takes `edge` for the cause of what it sets.
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
    /// `edge` was connected between these ends, or disconnected. The edge's lock is held: what must be let go of goes to `deferred`.
    func noteConnection(
        of edge: AnyEdge, isCut: Bool, _ source: Vertex, _ target: Unmanaged<Vertex>?, _ deferred: inout Deferred)
    /// An observer for a thread, by its number and how many threads had that number before.
    func observer(ofThread thread: UInt64, after formerThreads: Int) -> any ThreadObserver
}

/// The process's graph observer.
package enum Observers {
    private static let observer = Lock<(any GraphObserver)?>(nil)
    private static let flag = Atomic<Bool>(false), keepingFlag = Atomic<Bool>(false)

    /// Whether anything observes now.
    package static var isOn: Bool { flag.load(ordering: .acquiring) }
    /// Whether anything keeps what it has observed, now or earlier: names and secrets of nodes that go are wanted.
    static var isKeeping: Bool { keepingFlag.load(ordering: .acquiring) }
    /// Installs the observer. It stays known when it has ended, because what it has marked still tells it that it goes.
    package static func begin(_ new: any GraphObserver) {
        observer.withLock {
            $0 = new
            keepingFlag.store(true, ordering: .releasing)
            flag.store(true, ordering: .releasing)
        }
    }
    /// Nothing that was observed is kept any more.
    package static func forget() { observer.withLock { _ in keepingFlag.store(false, ordering: .releasing) } }
    package static func end() { observer.withLock { _ in flag.store(false, ordering: .releasing) } }
    /// Precondition: something observes, or has observed.
    static var current: any GraphObserver { observer.withLock { $0 }.unsafelyUnwrapped }
}

/// A value in the place where its vertex has it, for those who copy it under the vertex's lock.
package struct StoredValue {
    /// The place of an optional of the type.
    package let place: UnsafeMutableRawPointer
    package let type: any Holdable.Type
    package let size: Int
    /// Whether the value is plain data that any aligned word may hold.
    package let isPlain: Bool
}
