import ReactCore
import ReactOperators

// A program's own function with the name of another library is called, and not the unavailable one.
extension Node {
    func sink(receiveValue: @escaping @Sendable (Value) -> Void) -> any Cancelable {
        listened(by: Lifetime()).with(receiveValue)
    }
    func removeDuplicates() -> Node<Value> where Value: Equatable { distinctUntilChanged() }
    func share() -> Node<Value> { fork() }
}
extension MutableNode {
    func send(_ value: Value) { self.value = value }
}

func ownNames(_ node: MutableNode<Int>) {
    _ = node.removeDuplicates().share().sink { print($0) }
    node.send(2)
}
