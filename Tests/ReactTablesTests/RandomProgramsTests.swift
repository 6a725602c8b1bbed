import Foundation
import ReactCore
import ReactTables
import TestSupport
import Testing

/// Random programs, after each step of which every operator must show what a model computes anew.
@Suite("Random programs of table operators")
struct RandomProgramsTests {
    @Test("every operator agrees with a model that computes everything anew")
    func oneThread() {
        var random = SeededGenerator.announced()
        for _ in 0..<Scale.heavy(5_000) { Program(threads: 1, seed: random.next()).run() }
    }
    @Test("every operator agrees with the model after edits by two and four threads")
    func threads() {
        var random = SeededGenerator.announced()
        for number in 0..<Scale.heavy(5_000) { Program(threads: number % 2 == 0 ? 2 : 4, seed: random.next()).run() }
    }
}

/// One program: its nodes, the operators, and what each operator has been told.
private final class Program {
    private struct Listened {
        let op: OperatorUnderTest
        /// Which of the nodes its edges leave from; `nil` for a cut edge.
        var orders: Int?
        var customers: Int?
        /// What came by them last.
        var knownOrders: Orders?
        var knownCustomers: Table<Int, Int>?
        /// Whether a value has come since the edge was cut or re-pointed: a combination is silent until then.
        var hasOrders = false
        var hasCustomers = false
        /// An edge may be re-pointed in a way that passes on an equal value.
        var wasRepointed = false
    }
    private let inputs = Inputs()
    private var listened: [Listened] = []
    private var random: SeededGenerator
    private let seed: UInt64
    private let threads: Int
    private var steps: [String] = []

    init(threads: Int, seed: UInt64) {
        self.threads = threads
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    func run() {
        for number in 0..<13 {
            if number == 0 { listen() } else { step() }
            let problems = look()
            guard problems.isEmpty else {
                Issue.record(
                    "seed \(seed), \(threads) threads: \(steps.joined(separator: "; ")):\n\(problems.joined(separator: "\n"))"
                )
                return
            }
        }
    }

    /// Makes all operators anew, which take over what there is.
    private func listen() {
        let (orders, customers) = (pick(2), pick(2))
        listened += OperatorUnderTest.all(inputs, orders: inputs.orders[orders], customers: inputs.customers[customers])
            .map { Listened(op: $0, orders: orders, customers: customers) }
        steps.append("listen to \(orders) and \(customers)")
        if listened.count > 80 { listened.removeFirst(40) }
    }

    private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func step() {
        switch pick(12) {
        case 0: listen()
        case 1:
            let place = pick(2)
            steps.append("clean \(place)")
            if pick(2) == 0 { inputs.orders[place].clean() } else { inputs.customers[place].clean() }
        case 2, 3: repoint()
        case 4:
            steps.append("clean a part")
            inputs.parts[pick(inputs.parts.count)].clean()
        case 5:
            let table = Orders((0..<pick(8)).map { _ in (pick(9), order()) }), place = pick(2)
            steps.append("set \(place)")
            inputs.orders[place].value = table
        default: editAll()
        }
    }
    private func order() -> Order { Order(customer: pick(5), amount: pick(6)) }

    /// Edits all inputs, on some threads, some edits in batches.
    private func editAll() {
        steps.append("edit")
        let inputs = inputs
        let seeds = (0..<threads).map { _ in random.next() }
        @Sendable func work(_ thread: Int) {
            var random = SeededGenerator(seed: seeds[thread])
            for _ in 0..<3 {
                if random.next() % 2 == 0 {
                    edit(inputs, &random)
                } else {
                    batch { for _ in 0..<3 { edit(inputs, &random) } }
                }
            }
        }
        if threads == 1 { return work(0) }
        concurrently(threads, work)
        waitForLate(at: inputs.all + listened.map(\.op.result))
    }

    /// Cuts an edge of some operator, or has it leave from a node.
    private func repoint() {
        let index = pick(listened.count)
        let op = listened[index].op
        steps.append("repoint \(op.name)")
        guard op.followsOrders else { return }
        let place = pick(3)
        // An edge that is given the node that it has stays as it is.
        if op.other == .customers, pick(2) == 0 {
            guard let edge = op.edges.lazy.compactMap({ $0 as? any FollowsCustomers }).first else { return }
            edge.follow(place == 2 ? nil : inputs.customers[place])
            listened[index].customers = place == 2 ? nil : place
            listened[index].hasCustomers = false
        } else {
            guard let edge = op.edges.lazy.compactMap({ $0 as? any FollowsOrders }).first else { return }
            edge.follow(place == 2 ? nil : inputs.orders[place])
            listened[index].orders = place == 2 ? nil : place
            listened[index].hasOrders = false
        }
        listened[index].wasRepointed = true
    }

    /// Returns how results differ from the model.
    private func look() -> [String] {
        listened.indices.flatMap { look(at: $0) }
    }
    private func look(at index: Int) -> [String] {
        let op = listened[index].op
        if let orders = listened[index].orders, let value = inputs.orders[orders].value {
            listened[index].knownOrders = value
            listened[index].hasOrders = true
        }
        if let customers = listened[index].customers, let value = inputs.customers[customers].value {
            listened[index].knownCustomers = value
            listened[index].hasCustomers = true
        }
        var problems: [String] = []
        let isSilent =
            op.other != .none && !listened[index].hasOrders || op.other == .customers && !listened[index].hasCustomers
        let isEmpty =
            op.followsOrders && listened[index].knownOrders == nil
            || op.other == .customers && listened[index].knownCustomers == nil
        if !isEmpty, isSilent { return [] }
        let known = Known(
            orders: listened[index].knownOrders ?? Table(), customers: listened[index].knownCustomers ?? Table(),
            least: inputs.least.value!, ranks: inputs.ranks.value!, parts: inputs.parts.map(\.value),
            partKeys: inputs.partKeys.value!, orderNumber: inputs.orderNumber.value!, keys: inputs.keys.value!)
        let expected = isEmpty ? nil : op.model(known)
        let shown = op.shown()
        if shown != expected { problems.append("\(op.name): \(shown ?? "empty"), not \(expected ?? "empty")") }
        let repeated = op.problems
        if !listened[index].wasRepointed { problems += repeated.map { "\(op.name): \($0)" } }
        // The first value of a connection is passed on, though it may equal the last one of the connection before.
        if listened[index].hasOrders { listened[index].wasRepointed = false }
        return problems
    }
}

/// Makes one random edit.
private func edit(_ inputs: Inputs, _ random: inout SeededGenerator) {
    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    switch pick(13) {
    case 10:
        let (key, part) = (pick(4), pick(3) == 0 ? nil : pick(inputs.parts.count))
        inputs.partKeys.update { $0[key] = part }
    case 11: inputs.orderNumber.value = pick(4)
    case 12:
        let lower = pick(9)
        inputs.keys.value = lower..<(lower + pick(6))
    case 0: inputs.least.value = pick(6)
    case 1:
        let lower = pick(8) - 2
        inputs.ranks.value = lower..<(lower + pick(5))
    case 2, 3:
        let (place, key, row) = (pick(2), pick(5), pick(3) == 0 ? nil : pick(20))
        inputs.customers[place].update { $0[key] = row }
    case 4: inputs.parts[pick(inputs.parts.count)].value = pick(4)
    default:
        let (place, key) = (pick(2), pick(9))
        let row: Order? = pick(3) == 0 ? nil : Order(customer: pick(5), amount: pick(6))
        inputs.orders[place].update { $0[key] = row }
    }
}

extension OperatorUnderTest {
    /// The edges that lead to the result, and to the pair that it may be made from.
    fileprivate var edges: [AnyTransform] {
        result.upstreamTransforms + result.upstreamTransforms.compactMap(\.source).flatMap(\.upstreamTransforms)
    }
}
