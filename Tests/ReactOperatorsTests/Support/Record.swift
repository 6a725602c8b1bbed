import ReactCore

/// A list that any thread may append to.
final class Log<Element: Sendable>: Sendable {
    private let elements = Lock<[Element]>([])

    var values: [Element] { elements.withLock { $0 } }
    func append(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// Listens to a node for as long as it lives, and keeps all that it hears.
final class Record<Value: Sendable>: Listener, Sendable {
    let lifetime = Lifetime()
    private let heard = Log<Value>()

    var values: [Value] { heard.values }

    init(of node: Node<Value>) {
        let heard = heard
        listen(to: node).with { heard.append($0) }
    }
}

extension Node {
    func recorded() -> Record<Value> { Record(of: self) }
}
