import ReactCore

extension LiveGraph {
    /// The nodes that show the text of a node on which `redacted()` was called, by position. O(texts of the values) if
    /// there is such a node.
    var copiedSecrets: [(secret: Int, copy: Int)] {
        let secrets = nodes.indices.filter { nodes[$0].isMarkedRedacted }
        guard !secrets.isEmpty, let walk = RedactionWalk(among: nodes) else { return [] }
        func text(_ place: Int) -> String? { nodes[place].valueDescription(isRedacted: false) }
        let search = SecretSearch(secrets.compactMap { place in text(place).map { (place, $0) } })
        return nodes.indices.compactMap { copy in
            guard !walk.isRedacted(nodes[copy]), let text = text(copy) else { return nil }
            return search.secret(in: text).map { (secret: $0, copy: copy) }
        }
    }
}

/// Finds secrets in texts. It is a tree: the way from its root to a place spells the beginning of a secret.
private struct SecretSearch {
    /// Shorter texts, such as 0, stand in many others by chance.
    private static let shortest = 4
    /// The places to which each byte leads from each place. The root is 0.
    private var next: [Step: Int] = [:]
    /// The secrets that end at places.
    private var ends: [Int: Int] = [:]

    private struct Step: Hashable {
        let place: Int
        let byte: UInt8
    }

    init(_ secrets: [(node: Int, text: String)]) {
        for (node, text) in secrets where text.count >= Self.shortest && text != "true" && text != "false" {
            var place = 0
            for byte in text.utf8 {
                let step = Step(place: place, byte: byte)
                place = next[step] ?? next.count + 1
                next[step] = place
            }
            ends[place] = ends[place] ?? node
        }
    }
    /// Returns the node of a secret that the text contains.
    func secret(in text: String) -> Int? {
        guard !ends.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        for start in bytes.indices {
            var place = 0
            for byte in bytes[start...] {
                guard let following = next[Step(place: place, byte: byte)] else { break }
                place = following
                if let node = ends[place] { return node }
            }
        }
        return nil
    }
}
