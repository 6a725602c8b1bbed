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
    private let pending = Lock<Change?>(nil)
    private struct Change {
        let value: Value?
        /// The linking by which it came: one that has ended since is not told.
        let linking: Linking
    }
    private let tell: @MainActor (Value?) -> Void
    @MainActor private var isTelling = false

    init(_ tell: @escaping @MainActor (Value?) -> Void) {
        self.tell = tell
        super.init()
    }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) { changed(to: value) }
    override func empty(from senders: SenderList, context: NodeContext?) { changed(to: nil) }

    private func changed(to value: Value?) {
        var other: Change? = Change(value: value, linking: linkingOfCall)  // let go of when no lock is held
        let isCurrent = pending.withLock { pending in
            // What comes late takes no place of what has come by the linking after its own.
            guard other?.linking == linking else { return false }
            swap(&pending, &other)
            return true
        }
        guard isCurrent else { return }
        // On the main actor, what another thread has left to it cannot wait: this set has to be seen when it returns.
        if other == nil || MainQueue.isCurrent { MainActor.runNowOrSoon { [weak self] in self?.tellIfPending() } }
    }
    @MainActor private func tellIfPending() {
        guard !isTelling else { return }
        isTelling = true
        while let change = pending.withLock({ $0.take() }) {
            if change.linking != .none, change.linking == linking { tell(change.value) }
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
