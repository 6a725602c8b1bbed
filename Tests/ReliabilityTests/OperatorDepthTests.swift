import ReactCore
import ReactOperators
import TestSupport
import Testing

#if os(macOS) || os(Linux)
/// Every test here runs on a stack of 512 KB, in a process of its own: what recursed would overflow it after a few thousand
/// stages.
@Suite("Depth of operators", .serialized) struct OperatorDepthTests {
    /// The operators, each as a stage of a row that passes values on.
    enum Stage: String, CaseIterable, Codable {
        case map, mapReplace, filter, ignore, select, compactMap, fork, skip, take, scan, distinctUntilChanged, then
        case combine, combineArray, zip, merge, sync, flatten, flattenMap, custom
        case switchCase, switchDefault, ifThen, ifElse

        func added(to end: Node<Int>) -> Node<Int> {
            switch self {
            case .map: end.map { $0 }
            case .mapReplace: end.mapReplace(7)
            case .filter: end.filter { _ in true }
            case .ignore: end.ignore(-1)
            case .select: end.select(7)
            case .compactMap: end.compactMap { $0 }
            case .fork: end.fork()
            case .skip: end.skip(0)
            case .take: end.take(2)
            case .scan: end.scan(0) { $1 }
            case .distinctUntilChanged: end.distinctUntilChanged()
            case .then: end.then { _ in }.fork()
            case .combine: ReactOperators.combine(end, end).mapEach { left, _ in left }
            case .combineArray: Node.combine([end]).map { $0[0] }
            case .zip: end.zip(end).map { $0.0 }
            case .merge: end.merge()
            case .sync: synced(with: end)
            case .flatten: end.map { Node($0) }.flatten()
            case .flattenMap: end.flattenMap { Node($0) }
            case .custom: passed(on: end)
            case .switchCase: end.switch { $0 > 0 }.case(true)
            case .switchDefault: end.switch { _ in Int?.none }.default()
            case .ifThen: end.if { $0 > 0 }.thenNode
            case .ifElse: end.if { $0 < 0 }.elseNode
            }
        }
        private func synced(with end: Node<Int>) -> Node<Int> {
            let node = MutableNode<Int>()
            node.sync(with: end)
            return node
        }
        private func passed(on end: Node<Int>) -> Node<Int> {
            let node = Node<Int>()
            node.link(to: end, transform: Pass())
            return node
        }
        /// Builds a row, sets what it begins with, and lets it go.
        func run(_ count: Int) throws {
            let isHere = try runOnSmallStack {
                let source = MutableNode<Int>()
                let end = (0..<count).reduce(source as Node<Int>) { end, _ in added(to: end) }
                // A switch's branches are there from the first value on; the second goes straight down them.
                source.value = 7
                source.value = 7
                let isHere = end.value == 7
                if self == .sync { end.removeUpstreamNodes() }
                return isHere
            }
            precondition(isHere, "the value has not come to the end of the row")
        }
    }

    @Test(
        "a row of 100,000 of any operator is built, passes a value on, and is let go",
        arguments: Stage.allCases)
    func row(of stage: Stage) async {
        await #expect(processExitsWith: .success) { [stage] in try stage.run(Scale.heavy(100_000)) }
    }
}
#endif

/// Passes every value on.
private final class Pass: Transform<Int, Int>, @unchecked Sendable {
    override func next(_ value: Int, from senders: SenderList, context: NodeContext?) {
        send(value, from: senders, context: context)
    }
}
