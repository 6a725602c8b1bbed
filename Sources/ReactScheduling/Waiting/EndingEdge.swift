import ReactCore

/// An edge that calls a closure when it is cut, or released. Its owner sends values through it.
///
/// Unchecked, as its superclass is: its own property is constant.
final class EndingEdge<Output: Sendable>: Transform<Never, Output>, ConnectionKeeper, @unchecked Sendable {
    private let end: @Sendable () -> Void

    init(name: String, _ end: @escaping @Sendable () -> Void) {
        self.end = end
        super.init(name: name)
    }
    deinit { end() }
    func discard(_ ended: Connection) {
        if connection == .none { end() }
    }
}
