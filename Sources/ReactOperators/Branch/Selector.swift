import ReactCore

extension Node where Value: Hashable {
    /// "Selector": tells for each key if this node holds it. A change sets the nodes of two keys, the old and the new
    /// one, however many keys there are.
    ///
    /// Use it for the selection of a list. With `selection.map { $0 == key }` for each row, a change calls a closure
    /// for every row.
    ///
    ///     let selection = MutableNode<Int?>(1), screen = Lifetime()
    ///     let isSelected = selection.selector()
    ///     for key in 1...3 { isSelected(key).listened(by: screen).with { print(key, $0) } }   // 1 true
    ///                                                                                         // 2 false
    ///                                                                                         // 3 false
    ///     selection.value = 3                                                                 // 1 false
    ///                                                                                         // 3 true
    ///
    /// **Emptiness.** While this node is empty from the beginning, no key is selected. Emptying it later changes
    /// nothing.
    ///
    /// **Order.** First the old key's node is set, then the new one's, on the thread that sets this node, with its
    /// context. Their combinations fire at the end of the set or batch. A set to an equal value sets no node, and a
    /// pulse counts as a set.
    ///
    /// - Returns: A function from keys to nodes. It holds this node.
    /// - Complexity: O(1) for each value.
    public func selector() -> NodeSelector<Value> {
        let keys = SelectedKeys<Value>()
        return NodeSelector(newest: following("Selector", state: keys) { keys.pass(EdgeCall($0)) }, keys: keys)
    }
}

/// Tells for each key if a node holds it: see `selector()`.
public struct NodeSelector<Key: Hashable & Sendable>: Sendable {
    /// The newest key, behind the edge "Selector".
    fileprivate let newest: Node<Key>
    fileprivate let keys: SelectedKeys<Key>

    /// Returns a new node that holds true while the selection is `key`, and false otherwise.
    ///
    ///     let tab = MutableNode("home")
    ///     let isHome = tab.selector()("home")
    ///     tab.value = "help"
    ///     print(isHome.current)       // false
    ///
    /// The node holds the selection. It is not linked to it: `upToDate()` and walks do not look through. Safe from any
    /// thread, also while the selection is set.
    ///
    /// - Complexity: O(1).
    public func callAsFunction(_ key: Key) -> Node<Bool> {
        let hash = key.hashValue
        while true {
            let (selected, change) = keys.now
            let node = MutableNode(selected == key)
            // If the selection has changed meanwhile, the value of the node may be old.
            guard let watch = keys.watch(key, hash, by: node, ifStill: change, holding: newest) else { continue }
            _ = node.vertex.holdByHandle(watch)
            if newest.isRedacted { node.redacted() }
            return node
        }
    }
}

/// The keys that somebody asks about, by their hashes. Comparing and hashing keys runs user code, so no lock is held
/// meanwhile.
private final class SelectedKeys<Key: Hashable & Sendable>: OperatorState {
    /// A node that tells about a key. The watch takes it off the list.
    struct Watched: Sendable {
        let key: Key
        let watch: ObjectIdentifier
        weak var node: MutableNode<Bool>?
    }
    private struct State: Sendable {
        var selected: Key?
        /// The number of changes of `selected`.
        var change: UInt64 = 0
        var watched: [Int: [Watched]] = [:]
    }
    private let state = Lock(State())

    /// The selected key, and the number of its change.
    var now: (selected: Key?, change: UInt64) { state.withLock { ($0.selected, $0.change) } }

    /// Has `node` be told about `key`, if no change has come since `change`.
    func watch(
        _ key: Key, _ hash: Int, by node: MutableNode<Bool>, ifStill change: UInt64, holding newest: Node<Key>
    ) -> AnyObject? {
        let watch = Watch(keys: self, hash: hash, newest: newest)
        let watched = Watched(key: key, watch: ObjectIdentifier(watch), node: node)
        return state.withLock { state in
            guard state.change == change else { return false }
            state.watched[hash, default: []].append(watched)
            return true
        } ? watch : nil
    }
    /// Takes a node that goes off the list. Its key is released when no lock is held.
    func remove(_ watch: ObjectIdentifier, of hash: Int) {
        let gone = state.withLock { state -> Watched? in
            guard let index = state.watched[hash]?.firstIndex(where: { $0.watch == watch }) else { return nil }
            let gone = state.watched[hash]?.remove(at: index)
            if state.watched[hash]?.isEmpty == true { state.watched[hash] = nil }
            return gone
        }
        withExtendedLifetime(gone) {}
    }

    /// Sets the nodes of the key that was selected before, and of the new one.
    func pass(_ delivery: EdgeCall<Key, Key>) -> NextEdge {
        let key = delivery.value
        guard delivery.isStillConnected else { return .nothing }
        let old = state.withLock { state in
            state.change += 1
            defer { state.selected = key }
            return state.selected
        }
        if old != key {
            if let old { set(false, old, delivery) }
            set(true, key, delivery)
        }
        return delivery.send(key)
    }
    private func set(_ isSelected: Bool, _ key: Key, _ delivery: EdgeCall<Key, Key>) {
        let hash = key.hashValue
        for watched in state.withLock({ $0.watched[hash] ?? [] }) where watched.key == key {
            guard delivery.isStillConnected else { return }
            guard let node = watched.node, node.value != isSelected else { continue }
            node.setValue(isSelected, context: delivery.context)
        }
    }
}

/// Held by the node of a key: holds the selection, and takes the node off the list when it goes.
private final class Watch<Key: Hashable & Sendable>: Sendable {
    let keys: SelectedKeys<Key>
    let hash: Int
    let newest: Node<Key>

    init(keys: SelectedKeys<Key>, hash: Int, newest: Node<Key>) {
        (self.keys, self.hash, self.newest) = (keys, hash, newest)
    }
    deinit { keys.remove(ObjectIdentifier(self), of: hash) }
}
