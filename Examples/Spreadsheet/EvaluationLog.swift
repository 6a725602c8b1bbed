import ReactCore

/// The evaluated formulas, in order, each as often as it was evaluated.
final class EvaluationLog: Sendable {
    private let addresses = Lock<[CellAddress]>([])

    func append(_ address: CellAddress) {
        addresses.withLock { $0.append(address) }
    }

    /// Returns the entries since the last call.
    func drain() -> [CellAddress] {
        addresses.withLock { log in
            defer { log = [] }
            return log
        }
    }
}
