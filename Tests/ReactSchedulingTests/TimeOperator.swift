import ReactCore
import ReactScheduling

/// The operators of this module as data, so that one test can ask them all.
enum TimeOperator: CustomStringConvertible, Sendable {
    case deliver
    /// By so many seconds.
    case delay(Int)
    /// By so many seconds.
    case throttle(Int)

    /// One of each; those that wait wait for one second.
    static let all: [TimeOperator] = [.deliver, .delay(1), .throttle(1)]

    func apply<Value>(to node: Node<Value>, on scheduler: some Scheduler) -> Node<Value> {
        switch self {
        case .deliver: node.deliver(on: scheduler)
        case .delay(let seconds): node.delay(.seconds(seconds), on: scheduler)
        case .throttle(let seconds): node.throttle(.seconds(seconds), on: scheduler)
        }
    }

    /// The name that its transform bears.
    var name: String {
        switch self {
        case .deliver: "Deliver"
        case .delay: "Delay"
        case .throttle: "Throttle"
        }
    }

    var description: String {
        switch self {
        case .deliver: "deliver"
        case .delay(let seconds): "delay \(seconds)"
        case .throttle(let seconds): "throttle \(seconds)"
        }
    }
}
