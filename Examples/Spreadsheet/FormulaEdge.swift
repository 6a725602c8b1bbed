import ReactCore

/// The edge that a formula is: it leads from the combination of what the formula refers to, to the formula's own cell.
///
/// `@unchecked` restates what every `Transform` is; all that is stored here is constant and `Sendable`.
final class FormulaEdge<Inputs: Sendable>: Transform<Inputs, CellValue>, @unchecked Sendable {
    private let value: @Sendable (Inputs) -> CellValue
    private let address: CellAddress
    private let evaluations: EvaluationLog

    /// `value` is the formula's, for what it refers to.
    init(
        _ formula: Formula,
        at address: CellAddress,
        loggingTo evaluations: EvaluationLog,
        value: @escaping @Sendable (Inputs) -> CellValue
    ) {
        self.value = value
        self.address = address
        self.evaluations = evaluations
        super.init(name: formula.text)
    }

    override func next(_ inputs: Inputs, from senders: SenderList, context: NodeContext?) {
        evaluations.append(address)
        send(value(inputs), from: senders, context: context)
    }
}

/// Which formulas were evaluated, in order, each as often as it was.
final class EvaluationLog: Sendable {
    private let addresses = Lock<[CellAddress]>([])

    func append(_ address: CellAddress) {
        addresses.withLock { $0.append(address) }
    }

    /// Returns what was logged since the last call.
    func drain() -> [CellAddress] {
        addresses.withLock { log in
            defer { log = [] }
            return log
        }
    }
}
