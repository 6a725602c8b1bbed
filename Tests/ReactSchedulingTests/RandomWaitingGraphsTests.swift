import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

/// Random graphs of waiting operators and others, on a virtual clock. The model of an edge that waits counts the values
/// that its source has delivered and those that have come out of it.
@Suite("Random graphs that wait")
struct RandomWaitingGraphsTests {
    @Test("at every step, each answer is that of a model that counts the values set and arrived")
    func randomGraphs() {
        let seed = UInt64(ProcessInfo.processInfo.environment["EASYREACT_SEED"] ?? "") ?? .random(in: 0..<1_000_000)
        for graph in 0..<UInt64(Scale.isSmall ? 1_000 : 10_000) {
            var program = Program(SeededGenerator(seed: seed &+ graph))
            if let difference = program.run() {
                Issue.record("seed \(seed &+ graph): \(difference)")
                return
            }
        }
    }
}

/// Counts the values that wait at an edge.
private final class Tap: Sendable {
    enum Kind { case each, newest }
    private let kind: Kind
    private let waiting = Locked(0)
    private let ears = Locked<[Lifetime]>([])

    init(_ kind: Kind) { self.kind = kind }
    var isWaiting: Bool { waiting.value > 0 }
    /// Listens to the edge's source from now on, or to nothing.
    func listen(to source: Node<Int>?) {
        waiting.value = 0
        let ear = Lifetime()
        ears.value = [ear]
        source?.listened(by: ear).with { [waiting] _ in waiting.increment() }
    }
    func hasCome() {
        switch kind {
        case .each: waiting.value -= 1
        case .newest: waiting.value = 0
        }
    }
}

/// Unchecked, because a program runs on one thread.
private final class Item: @unchecked Sendable {
    let name: String
    let node: Node<Int>
    /// The items upstream, each with the tap of the edge that leads here, if that waits.
    var inputs: [(Item, Tap?)]
    /// The item upstream that the outer item's value chooses.
    var chosen: (() -> Item?)?
    var repoint: ((Item?) -> Void)?
    let answer: Node<Bool>
    /// The firings of the combination of node and answer that showed `true` beside an old value.
    let mistakes = Locked<[String]>([])
    private let ear = Lifetime()

    init(_ name: String, _ node: Node<Int>, _ inputs: [(Item, Tap?)] = []) {
        (self.name, self.node, self.inputs) = (name, node, inputs)
        answer = node.upToDate()
        combine(node, answer).listened(by: ear).with { [unowned self] value, isUpToDate in
            // A combination keeps the last value of a node that has become empty.
            if isUpToDate, !self.isUpToDate || value != node.value ?? value {
                mistakes.value.append(
                    "\(name) showed \(value) beside true, and \(self.isUpToDate ? "its node holds \(node.value ?? value)" : "is not up to date")"
                )
            }
        }
    }
    var isUpToDate: Bool {
        inputs.allSatisfy { item, tap in !(tap?.isWaiting ?? false) && item.isUpToDate }
            && chosen.map { $0()?.isUpToDate ?? true } ?? true
    }
}

private struct Program {
    private var random: SeededGenerator
    private let clock = VirtualScheduler(), lifetime = Lifetime()
    private var items: [Item] = [], sources: [MutableNode<Int>] = []
    private var steps: [String] = []

    init(_ random: SeededGenerator) { self.random = random }

    /// Runs a random program. Returns the first difference from the model.
    mutating func run() -> String? {
        for index in 0..<2 {
            let source = Int.random(in: 0..<3, using: &random) == 0 ? MutableNode<Int>() : MutableNode(index)
            sources.append(source)
            items.append(Item("source \(index)", source))
        }
        for _ in 0..<Int.random(in: 2...6, using: &random) { addOperator() }
        for step in 1...15 {
            takeStep(step)
            if let difference { return "\(steps.joined(separator: "\n"))\n\(difference)" }
        }
        clock.run()
        return difference
    }
    private var difference: String? {
        for item in items {
            if let mistake = item.mistakes.value.first { return mistake }
            let model = item.isUpToDate
            if item.answer.value != model || item.node.isUpToDate != model {
                return
                    "\(item.name) is\(model ? "" : " not") up to date by the model, its answer is \(item.answer.current), isUpToDate is \(item.node.isUpToDate)"
            }
        }
        return nil
    }
    private mutating func takeStep(_ step: Int) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            let index = Int.random(in: 0..<sources.count, using: &random)
            steps.append("set source \(index) to \(step)")
            sources[index].value = step
        case 4..<8:
            let seconds = Int.random(in: 0...3, using: &random)
            steps.append("advance by \(seconds)")
            clock.advance(by: .seconds(seconds))
        case 8:
            let index = Int.random(in: 0..<items.count, using: &random)
            guard let repoint = items[index].repoint else { return }
            let other = Int.random(in: 0..<index, using: &random)
            steps.append("point \(items[index].name) at \(items[other].name)")
            repoint(items[other])
        default:
            let index = Int.random(in: 0..<items.count, using: &random)
            guard let repoint = items[index].repoint else { return }
            steps.append("cut \(items[index].name)")
            repoint(nil)
        }
    }
    private mutating func addOperator() {
        let input = items.randomElement(using: &random)!, other = items.randomElement(using: &random)!
        let seconds = Int.random(in: 1...3, using: &random), name = "\(items.count)"
        let clock = clock
        let work: @Sendable (Int) async throws -> Int = { value in
            try await Task.sleep(for: .seconds(seconds), clock: clock.clock)
            return value
        }
        switch Int.random(in: 0..<9, using: &random) {
        case 0: waiting("\(name) debounce \(input.name)", input, .newest) { $0.debounce(.seconds(seconds), on: clock) }
        case 1: waiting("\(name) delay \(input.name)", input, .each) { $0.delay(.seconds(seconds), on: clock) }
        case 2: waiting("\(name) deliver \(input.name)", input, .each) { $0.deliver(on: clock) }
        case 3:
            waiting("\(name) sample \(input.name)", input, .newest) { $0.sample(every: .seconds(seconds), on: clock) }
        case 4:
            let phases = input.node.mapLatest(executorPreference: clock, work)
            working("\(name) mapLatest \(input.name)", input, .newest, phases)
        case 5:
            let phases = input.node.mapInOrder(
                maxConcurrent: Int.random(in: 1...2, using: &random), executorPreference: clock, work)
            working("\(name) mapInOrder \(input.name)", input, .each, phases)
        case 6:
            let node = combine(input.node, other.node).mapEach { $0 + $1 }
            items.append(Item("\(name) combine \(input.name), \(other.name)", node, [(input, nil), (other, nil)]))
        case 7:
            let (left, right) = (input.node, other.node)
            let body = computed { read in try read(left).isMultiple(of: 2) ? read(right) : 0 }
            let item = Item("\(name) computed \(input.name), \(other.name)", body, [(input, nil)])
            item.chosen = { left.value.map { $0.isMultiple(of: 2) } ?? false ? other : nil }
            items.append(item)
        default:
            let inner = [other, items.randomElement(using: &random)!], nodes = inner.map(\.node), outer = input.node
            let node = outer.flattenMap { nodes[abs($0) % 2] }
            let item = Item(
                "\(name) flattenMap \(input.name), \(inner[0].name), \(inner[1].name)", node, [(input, nil)])
            item.chosen = { outer.value.map { inner[abs($0) % 2] } }
            items.append(item)
        }
    }
    private mutating func waiting(_ name: String, _ input: Item, _ kind: Tap.Kind, _ make: (Node<Int>) -> Node<Int>) {
        let tap = Tap(kind)
        tap.listen(to: input.node)
        let node = make(input.node)
        node.listened(by: lifetime).with { _ in tap.hasCome() }
        add(Item(name, node, [(input, tap)]), tap, by: node.upstreamTransforms[0] as! Transform<Int, Int>)
    }
    private mutating func working(_ name: String, _ input: Item, _ kind: Tap.Kind, _ phases: Node<TaskPhase<Int>>) {
        let tap = Tap(kind)
        tap.listen(to: input.node)
        phases.listened(by: lifetime).with { if case .finished = $0 { tap.hasCome() } }
        let item = Item(name, phases.successes(), [(input, tap)])
        add(item, tap, by: phases.upstreamTransforms[0] as! Transform<Int, TaskPhase<Int>>)
    }
    private mutating func add<Output>(_ item: Item, _ tap: Tap, by edge: Transform<Int, Output>) {
        item.repoint = { [unowned item] source in
            // A node that the edge leaves from already is left as it is.
            if edge.from === source?.node { return }
            tap.listen(to: source?.node)
            item.inputs = source.map { [($0, tap)] } ?? []
            edge.from = source?.node
        }
        items.append(item)
    }
}
