import TestSupport

/// Picks the steps of one random run. What may follow depends on the graph as it stands, so it looks at the model.
struct RandomProgram {
    private var random: SeededGenerator
    private let world: ModelWorld
    private var stepsTaken = 0

    init(seed: UInt64, world: ModelWorld) {
        random = SeededGenerator(seed: seed)
        self.world = world
    }

    /// Enough nodes to be interesting, few enough that a ring's paths can be counted.
    private static let nodeLimit = 14
    private static let buildingSteps = 14

    mutating func nextAction() -> Action {
        stepsTaken += 1
        if stepsTaken <= 3 { return .source(Bool.random(using: &random) ? number() : nil) }
        if stepsTaken.isMultiple(of: 4) { return .listen(to: node()) }
        while true {
            let isBuilding = stepsTaken <= Self.buildingSteps && world.nodes.count < Self.nodeLimit
            if let action = isBuilding || oneIn(8) ? operation() : oneIn(3) ? rewiring() : use() { return action }
        }
    }

    // MARK: - Kinds of steps; `nil` where what was drawn does not fit the graph

    private mutating func operation() -> Action? {
        guard world.nodes.count < Self.nodeLimit else { return nil }
        switch below(16) {
        case 0..<6: return .unary(unary(), of: node())
        case 6..<8: return .combine(inputs())
        case 8: return .zip(inputs())
        case 9: return .merge(inputs())
        case 10: return .makeSwitch(of: node())
        case 11, 12:
            guard !world.switches.isEmpty else { return nil }
            return .makeCase(ofSwitch: below(world.switches.count), [0, 1, nil][below(3)])
        case 13: return .makeIf(of: node())
        case 14: return followed().map { .flattenMap($0, by: node()) }
        default: return followed().map { .flatten($0, by: node()) }
        }
    }

    private mutating func rewiring() -> Action? {
        let (a, b) = (node(), node())
        switch below(12) {
        case 0..<3: return world.allowsEdge(from: a, to: b) ? .link(b, to: a) : nil
        case 3, 4:
            guard world.allowsEdge(from: a, to: b), world.allowsEdge(from: b, to: a) else { return nil }
            return oneIn(2) ? .sync(a, with: b) : .syncWithFunctions(a, with: b)
        case 5..<8:
            let edge = self.edge()
            return edge.flatMap { world.allowsPointing(edge: $0, at: a) ? .repoint(edge: $0, at: a) : nil }
        case 8: return edge().map { .cut(edge: $0) }
        case 9: return world.listeners.isEmpty ? nil : .stopListening(below(world.listeners.count))
        case 10: return .listenAndSet(to: a, sets: b, adding: below(3), times: 1 + below(3))
        default: return edge().map { .listenAndCut(to: a, edge: $0) }
        }
    }

    private mutating func use() -> Action {
        switch below(11) {
        case 0..<8: return .set(node(), number(), context: oneIn(2) ? stepsTaken : nil)
        case 8: return .clean(node())
        default: return .batch((0..<2 + below(3)).map { _ in (node(), number()) })
        }
    }

    private mutating func unary() -> Action.Unary {
        switch below(13) {
        case 0: .fork
        case 1: .map
        case 2: .mapReplace(number())
        case 3: .compactMap
        case 4: .filter(below(5))
        case 5: .ignore(number())
        case 6: .select(number())
        case 7: .skip(below(4))
        case 8: .take(below(5))
        case 9: .distinct
        case 10: .distinctBy
        case 11: .scan
        default: .scanWithIndex
        }
    }

    // MARK: - What they draw from

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    private mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
    private mutating func number() -> Int { below(10) }
    private mutating func node() -> Int { below(world.nodes.count) }
    private mutating func inputs() -> [Int] { (0..<2 + below(2)).map { _ in node() } }
    private mutating func edge() -> Int? { world.edges.isEmpty ? nil : below(world.edges.count) }
    private mutating func followed() -> [Int]? {
        let nodes = (0..<2 + below(2)).map { _ in node() }
        return nodes.allSatisfy { world.allowsFollowing($0) } ? nodes : nil
    }
}
