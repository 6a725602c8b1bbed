import ReactCore
import ReactScheduling

/// The operators of this module as data, so that one test can ask them all.
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

    /// One of each; those that wait wait for one second.
    static let all: [TimeOperator] = [.deliver, .delay(1), .throttle(1), .debounce(1), .sample(1)]

    func apply<Value>(to node: Node<Value>, on scheduler: some Scheduler) -> Node<Value> {
        apply(to: node, on: scheduler, interval: .seconds(seconds))
    }
    /// The same with another interval.
    func apply<Value>(to node: Node<Value>, on scheduler: some Scheduler, interval: Duration) -> Node<Value> {
        switch self {
        case .deliver: node.deliver(on: scheduler)
        case .delay: node.delay(interval, on: scheduler)
        case .throttle: node.throttle(interval, on: scheduler)
        case .debounce: node.debounce(interval, on: scheduler)
        case .sample: node.sample(every: interval, on: scheduler)
        }
    }

    private var seconds: Int {
        switch self {
        case .deliver: 0
        case .delay(let seconds), .throttle(let seconds), .debounce(let seconds), .sample(let seconds): seconds
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
        }
    }

    /// Whether it holds back the newest value alone, rather than pass on each.
    var isHolding: Bool {
        switch self {
        case .deliver, .delay: false
        case .throttle, .debounce, .sample: true
        }
    }

    /// Whether a value that finds nothing before it is passed on at once, on the thread that sets it.
    var passesFirstAtOnce: Bool { name == "Sample" }

    var description: String { self.seconds == 0 ? name.lowercased() : "\(name.lowercased()) \(seconds)" }
}
