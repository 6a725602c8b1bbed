import ReactCore
import ReactOperators
import ReactScheduling
import Testing

/// An operator, and what it makes of the values that it sees.
struct ExploredOperator: Sendable, CustomTestStringConvertible {
    let name: String
    let attach: @Sendable (Node<Int>) -> Node<Int>
    /// All values that it sends for all that it has seen.
    let outputs: @Sendable ([Int]) -> [Int]
    /// Whether sets that meet may come out as one.
    let merges: Bool

    var testDescription: String { name }

    init(
        _ name: String, _ attach: @escaping @Sendable (Node<Int>) -> Node<Int>,
        _ outputs: @escaping @Sendable ([Int]) -> [Int] = { $0 }, merges: Bool = false
    ) {
        self.name = name
        self.attach = attach
        self.outputs = outputs
        self.merges = merges
    }

    static let all: [ExploredOperator] =
        simple + [
            ExploredOperator("combine", { $0.combine(ten).mapEach { $0 + $1 } }, { $0.map { $0 + 10 } }, merges: true),
            ExploredOperator("merge", { $0.merge(Node()) }),
            ExploredOperator("flattenMap", { $0.flattenMap { Node($0 + 10) } }, { $0.map { $0 + 10 } }),
            ExploredOperator("switch, case", { $0.switch { _ in 0 }.case(0) }),
            ExploredOperator("if, then", { $0.if { $0 > 0 }.thenNode }),
            ExploredOperator("deliver", { $0.deliver(on: Inline()) }),
        ]
    /// Those that have one edge.
    static let simple = [
        ExploredOperator("fork", { $0.fork() }),
        ExploredOperator("map", { $0.map { $0 + 10 } }, { $0.map { $0 + 10 } }),
        ExploredOperator("filter", { $0.filter { $0 != 2 } }, { $0.filter { $0 != 2 } }),
        ExploredOperator("skip", { $0.skip(1) }, { Array($0.dropFirst()) }),
        ExploredOperator("take", { $0.take(1) }, { Array($0.prefix(1)) }),
        ExploredOperator(
            "distinctUntilChanged", { $0.distinctUntilChanged { $0 / 2 == $1 / 2 } },
            { $0.reduce(into: []) { if $0.last.map({ $0 / 2 }) != $1 / 2 { $0.append($1) } } }),
        ExploredOperator(
            "scan", { $0.scan(0) { $0 * 10 + $1 } }, { $0.reduce(into: []) { $0.append(($0.last ?? 0) * 10 + $1) } }),
    ]
    private static let ten = MutableNode(10)
}

/// Runs its work at once.
struct Inline: Scheduler {
    func schedule(_ work: @escaping @Sendable () -> Void) { work() }
    func schedule(after interval: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancelable {
        work()
        return BlockCancelable {}
    }
}
