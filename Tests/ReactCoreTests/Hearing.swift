import ReactCore
import TestSupport

extension Node {
    /// Writes `name` and the value to `log`, for the order of events over several nodes.
    @discardableResult
    func log(_ name: String, to log: Recorder<String>, by listener: some AnyObject) -> any Cancelable {
        listened(by: listener).with { log.record("\(name)\($0)") }
    }
}

/// A transform that passes everything on and logs what it is asked to do: `p.next(1)`, `p.empty`, `p.reset`.
final class Probe<Value: Sendable>: Transform<Value, Value>, @unchecked Sendable {
    let log: Recorder<String>

    init(_ name: String = "Probe", log: Recorder<String> = Recorder()) {
        self.log = log
        super.init(name: name)
    }

    convenience init(_ name: String = "Probe", log: Recorder<String> = Recorder(), from: Node<Value>, to: Node<Value>) {
        self.init(name, log: log)
        self.to = to
        self.from = from
    }

    override func next(_ value: Value, from senders: SenderList, context: NodeContext?) {
        log.record("\(name).next(\(value))")
        send(value, from: senders, context: context)
    }

    override func empty(from senders: SenderList, context: NodeContext?) {
        log.record("\(name).empty")
        sendEmpty(from: senders, context: context)
    }

    override func reset() { log.record("\(name).reset") }
}

/// An object with nothing but an identity: the plainest listener.
final class PlainListener: Sendable {}

/// A class that became a listener by one stored property.
final class Screen: Listener, Sendable {
    let lifetime = Lifetime()
    let heard = Recorder<String>()

    func refresh() { heard.record("refresh") }
    func show(_ value: Int) { heard.record("show \(value)") }
    func show(_ value: Int, because context: NodeContext?) { heard.record("show \(value) because \(context ?? "?")") }
}

/// Fills memory that has just been given back, so that whoever still looks at it fails.
func reuseMemory() {
    let blocks = (0..<2_000).map { [UInt64](repeating: 0x5555_5555_5555_5550, count: $0 % 40) }
    withExtendedLifetime(blocks) {}
}
