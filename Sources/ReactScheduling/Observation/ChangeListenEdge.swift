import Dispatch
import Foundation
import ReactCore
import Synchronization

/// Says on the main actor that a node has changed: before the set returns where the node is set there, else as soon as the
/// main actor is free. However many changes come meanwhile, it says so once.
///
/// It keeps no values: what it tells is what the node holds then, `nil` where that is empty. So the last one is never missed,
/// and nothing grows.
///
/// - `isPending` turns `true` before somebody is to tell, and `false` before the node is read. So after a change there is a
///   reading, whatever the order of the two.
/// - Tellings do not nest: a change that comes in one, on the main actor, is told after it.
final class ChangeListenEdge<Value: Sendable>: ListenEdge<Value>, @unchecked Sendable {
    private let isPending = Atomic(false)
    private let tell: @MainActor (Value?) -> Void
    @MainActor private var isTelling = false

    init(_ tell: @escaping @MainActor (Value?) -> Void) {
        self.tell = tell
        super.init()
    }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) { changed() }
    override func empty(from senders: SenderList, context: NodeContext?) { changed() }

    private func changed() {
        let isToBeTold = isPending.exchange(true, ordering: .sequentiallyConsistent)
        // On the main actor, what another thread has left to it cannot wait: this set has to be seen when it returns.
        if !isToBeTold || MainQueue.isCurrent { MainActor.runNowOrSoon { [weak self] in self?.tellIfPending() } }
    }
    @MainActor private func tellIfPending() {
        guard !isTelling else { return }
        isTelling = true
        while isPending.exchange(false, ordering: .sequentiallyConsistent) {
            if let from { tell(from.value) }
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
