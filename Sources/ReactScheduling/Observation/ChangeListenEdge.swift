import Dispatch
import Foundation
import ReactCore

/// Tells the main actor a node's new value, or `nil` if the node was emptied.
///
/// On the main actor it does so before the set returns, and otherwise as soon as the main actor is free. Of several
/// changes that wait, it keeps and tells the last one, also if a pulse brought it.
///
/// - `pending` is filled before a telling is scheduled, so every change is followed by a telling.
/// - Tellings do not nest. A change that comes during a telling, on the main actor, is told after it.
///
/// Unchecked, as its superclass is: its own properties are constant, under a lock, or the main actor's.
final class ChangeListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    private struct Pending {
        var change: Change?
        /// The number of changes so far.
        var count: UInt64 = 0
    }
    private let pending = Lock(Pending())
    private struct Change {
        let value: Value?
        /// The connection by which the change came. If it has ended since, the change is not told.
        let connection: Connection
        /// The number of changes up to this one, itself included.
        var number: UInt64 = 0
    }
    private let tell: @MainActor (Value?, UInt64) -> Void
    @MainActor private var isTelling = false

    /// `tell` receives the value and the number of the change.
    init(_ tell: @escaping @MainActor (Value?, UInt64) -> Void) {
        self.tell = tell
        super.init()
    }
    /// The number of the next change. Read in the node's turn, it is the number of the value that this turn stores.
    var nextNumber: UInt64 { pending.withLock { $0.count + 1 } }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) { changed(to: value) }
    override func empty(from senders: SenderList, context: NodeContext?) { changed(to: nil) }

    private func changed(to value: Value?) {
        var other: Change? = Change(value: value, connection: connectionOfCall)  // released without the lock
        let isCurrent = pending.withLock { pending in
            // A late change of an ended connection must not replace a change of the next connection.
            pending.count += 1
            guard other?.connection == connection else { return false }
            other?.number = pending.count
            swap(&pending.change, &other)
            return true
        }
        guard isCurrent else { return }
        // If a change was pending, another thread has scheduled a telling already. On the main actor, tell at once,
        // because this set must be seen when it returns.
        if other == nil || MainQueue.isCurrent { MainActor.runNowOrSoon { [weak self] in self?.tellIfPending() } }
    }
    @MainActor private func tellIfPending() {
        guard !isTelling else { return }
        isTelling = true
        while let change = pending.withLock({ $0.change.take() }) {
            if change.connection != .none, change.connection == connection { tell(change.value, change.number) }
        }
        isTelling = false
    }
}

private enum MainQueue {
    /// Outside Apple's platforms, `dispatchMain()`, which an `async` main function calls, ends the main thread. Other
    /// threads then run the main queue.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil }

    private static let mark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}
