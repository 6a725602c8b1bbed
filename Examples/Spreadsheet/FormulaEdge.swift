import ReactCore

/// The edge that a formula is: it leads from the combination of the cells that the formula refers to, to the formula's
/// own cell.
///
/// `@unchecked` restates what every `Transform` is; all that is stored here is constant and `Sendable`.
final class FormulaEdge: Transform<[CellValue], CellValue>, @unchecked Sendable {
    private let formula: Formula
    private let address: CellAddress
    private let evaluations: EvaluationLog

    init(_ formula: Formula, at address: CellAddress, loggingTo evaluations: EvaluationLog) {
        self.formula = formula
        self.address = address
        self.evaluations = evaluations
        super.init(name: formula.text)
    }

    override func next(_ inputs: [CellValue], from senders: SenderList, context: NodeContext?) {
        evaluations.append(address)
        send(formula.value(for: inputs), from: senders, context: context)
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
