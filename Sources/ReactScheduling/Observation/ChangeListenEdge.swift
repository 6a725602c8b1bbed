import Dispatch
import Foundation
import ReactCore

/// Tells the main actor a node's new value, or `nil` if the node was emptied. On the main actor it does so before the
/// set returns, and otherwise as soon as the main actor is free. It tells the last of several changes, a pulse
/// included, and keeps no other.
///
/// - `pending` is filled before somebody is to tell. So after a change there is a telling.
/// - Tellings do not nest: a change that comes in one, on the main actor, is told after it.
final class ChangeListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    private struct Pending {
        var change: Change?
        /// How many changes have come.
        var count: UInt64 = 0
    }
    private let pending = Lock(Pending())
    private struct Change {
        let value: Value?
        /// The linking by which it came: one that has ended since is not told.
        let linking: Linking
        /// How many changes had come then, itself included.
        var number: UInt64 = 0
    }
    private let tell: @MainActor (Value?, UInt64) -> Void
    @MainActor private var isTelling = false

    /// `tell` is given the value, and the number of the change.
    init(_ tell: @escaping @MainActor (Value?, UInt64) -> Void) {
        self.tell = tell
        super.init()
    }
    /// The number of the next change. Asked in the turn of the node, it is that of the value that is stored in this turn.
    var nextNumber: UInt64 { pending.withLock { $0.count + 1 } }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) { changed(to: value) }
    override func empty(from senders: SenderList, context: NodeContext?) { changed(to: nil) }

    private func changed(to value: Value?) {
        var other: Change? = Change(value: value, linking: linkingOfCall)  // let go of when no lock is held
        let isCurrent = pending.withLock { pending in
            // What comes late takes no place of what has come by the linking after its own.
            pending.count += 1
            guard other?.linking == linking else { return false }
            other?.number = pending.count
            swap(&pending.change, &other)
            return true
        }
        guard isCurrent else { return }
        // On the main actor, what another thread has left to it cannot wait: this set has to be seen when it returns.
        if other == nil || MainQueue.isCurrent { MainActor.runNowOrSoon { [weak self] in self?.tellIfPending() } }
    }
    @MainActor private func tellIfPending() {
        guard !isTelling else { return }
        isTelling = true
        while let change = pending.withLock({ $0.change.take() }) {
            if change.linking != .none, change.linking == linking { tell(change.value, change.number) }
        }
        isTelling = false
    }
}

private enum MainQueue {
    #if canImport(Darwin)

    static var isCurrent: Bool { Thread.isMainThread }

    #else

    /// Elsewhere `dispatchMain()`, as an `async` main function calls it, ends the main thread, and the others run the queue.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mark) != nil }

    private static let mark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    #endif
}
