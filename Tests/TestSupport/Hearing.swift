import ReactCore

extension Node {
    /// Records what `listener` hears from this node, beginning with the present value.
    public func heard(by listener: some AnyObject) -> Recorder<Value> {
        let recorder = Recorder<Value>()
        listened(by: listener).with { recorder.record($0) }
        return recorder
    }
    /// The same with a listener that is the record itself.
    public func recorded() -> Record<Value> { Record(of: self) }
}

/// Listens to a node for as long as it lives, and keeps all that it hears.
public final class Record<Value: Sendable>: Listener, Sendable {
    public let lifetime = Lifetime()
    private let heard: Recorder<Value>

    public init(of node: Node<Value>) {
        let heard = Recorder<Value>()
        self.heard = heard
        listen(to: node).with { heard.record($0) }
    }

    public var events: [Value] { heard.events }
}
