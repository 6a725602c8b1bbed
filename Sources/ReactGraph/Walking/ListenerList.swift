import ReactCore

/// Collects the listeners of a snapshot, each once, and their listenings.
struct ListenerList {
    private(set) var listeners: [GraphSnapshot.Listener] = []
    private(set) var listenings: [GraphSnapshot.Listening] = []

    /// Identifies a listener by its address and its type. The type is there because another listener may get the
    /// address of one that dies during the snapshot. Listeners are not retained, because the last release of some would
    /// then run on this thread.
    private struct Key: Hashable {
        let object: ObjectIdentifier
        let type: ObjectIdentifier
    }
    private var ids: [Key: Int] = [:]

    /// Adds a listening by a listener of a type; `listener` is `nil` if it has gone.
    mutating func add(_ listener: AnyObject?, ofType typeName: String, by edgeName: String, to node: Int) {
        let key = listener.map { Key(object: ObjectIdentifier($0), type: ObjectIdentifier(type(of: $0))) }
        let id = key.flatMap { ids[$0] } ?? listeners.count
        if id == listeners.count {
            if let key { ids[key] = id }
            let name = (listener as? any Listener)?.lifetime.name
            listeners.append(GraphSnapshot.Listener(id: id, type: typeName, name: name))
        }
        let name = edgeName == "Listen" ? nil : edgeName
        listenings.append(GraphSnapshot.Listening(name: name, node: node, listener: id))
    }
}
