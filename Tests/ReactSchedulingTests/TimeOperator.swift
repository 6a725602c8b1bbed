import ReactCore
import ReactOperators
import ReactScheduling

/// The operators of this module that follow a node, as data, so that one test can ask them all.
/// `DeclaredOperatorsTests` compares them with the sources.
enum TimeOperator: CustomStringConvertible, Sendable {
    case deliver
    /// By so many seconds.
    case delay(Int)
    /// By so many seconds.
    case throttle(Int)
    /// By so many seconds.
    case debounce(Int)
    /// At most one in so many seconds.
    case sample(Int)
    case collect, combineSampled, timeout
    case mapLatest, mapFirst, mapInOrder

    /// Those that pass each value on as it is, or drop it. Those that wait wait for one second.
    static let plain: [TimeOperator] = [.deliver, .delay(1), .throttle(1), .debounce(1), .sample(1)]
    /// Those that pass values on as parts of others. Each has an interval of one second, and work takes a second.
    static let wrapping: [TimeOperator] = [.collect, .combineSampled, .timeout, .mapLatest, .mapFirst, .mapInOrder]
    static let all = plain + wrapping

    /// The newest of the values that the operator passes on. Behind `wrapping`, they are taken out of the others.
    func apply<Value>(to node: Node<Value>, on scheduler: some Scheduler) -> Node<Value> {
        apply(to: node, on: scheduler, interval: .seconds(seconds))
    }
    /// The same with another interval.
    func apply<Value>(to node: Node<Value>, on scheduler: some Scheduler, interval: Duration) -> Node<Value> {
        let executor = scheduler as? VirtualScheduler
        let work: @Sendable (Value) async throws -> Value = { [clock = executor?.clock] value in
            if let clock { try await Task.sleep(for: interval, clock: clock) }
            return value
        }
        return switch self {
        case .deliver: node.deliver(on: scheduler)
        case .delay: node.delay(interval, on: scheduler)
        case .throttle: node.throttle(interval, on: scheduler)
        case .debounce: node.debounce(interval, on: scheduler)
        case .sample: node.sample(every: interval, on: scheduler)
        case .collect: node.collect(every: interval, on: scheduler).map { $0[$0.count - 1] }
        case .combineSampled: combine([node], sampledEvery: interval, on: scheduler).map { $0[0] }
        case .timeout: node.timeout(interval, on: scheduler).successes()
        case .mapLatest: node.mapLatest(executorPreference: executor, work).successes()
        case .mapFirst: node.mapFirst(executorPreference: executor, work).successes()
        case .mapInOrder: node.mapInOrder(executorPreference: executor, work).successes()
        }
    }
    /// The operator's own edge, which leads to the node `result` that `apply` has returned, or to the node before.
    func edge(to result: AnyNode) -> AnyTransform? {
        let last = result.upstreamTransforms.first
        guard TimeOperator.wrapping.contains(where: { $0.name == name }) else { return last }
        return (last?.source)?.upstreamTransforms.first
    }

    private var seconds: Int {
        switch self {
        case .deliver: 0
        case .delay(let seconds), .throttle(let seconds), .debounce(let seconds), .sample(let seconds): seconds
        default: 1
        }
    }

    /// The name that its transform bears.
    var name: String {
        switch self {
        case .deliver: "Deliver"
        case .delay: "Delay"
        case .throttle: "Throttle"
        case .debounce: "Debounce"
        case .sample: "Sample"
        case .collect: "Collect"
        case .combineSampled: "CombineSampled"
        case .timeout: "Timeout"
        case .mapLatest: "MapLatest"
        case .mapFirst: "MapFirst"
        case .mapInOrder: "MapInOrder"
        }
    }
    /// The name of the function that makes it.
    var function: String {
        if case .combineSampled = self { "combine" } else { name.prefix(1).lowercased() + name.dropFirst() }
    }
    /// The name of its policy's file, without "Policy.swift". `combine(_:sampledEvery:on:)` has none: it takes no
    /// values, and reads its nodes.
    var policy: String? {
        switch self {
        case .deliver, .delay: "Each"
        case .throttle, .debounce: "Debounce"
        case .sample: "Sample"
        case .collect: "Collect"
        case .combineSampled: nil
        case .timeout: "Timeout"
        case .mapLatest, .mapFirst, .mapInOrder: "Work"
        }
    }

    /// Whether it holds back the newest value alone, rather than pass on each.
    var keepsNewest: Bool {
        switch self {
        case .deliver, .delay, .timeout, .mapInOrder: false
        default: true
        }
    }
    /// Whether it does work for each value, in a task that holds the value until it ends.
    var isWork: Bool { policy == "Work" }
    /// Whether its timer runs without a value.
    var alwaysWaits: Bool { if case .timeout = self { true } else { false } }

    /// Whether a value that finds nothing before it is passed on at once, on the thread that sets it.
    var passesFirstAtOnce: Bool { ["Sample", "CombineSampled", "Timeout"].contains(name) }

    var description: String { self.seconds == 0 ? name.lowercased() : "\(name.lowercased()) \(seconds)" }
}
