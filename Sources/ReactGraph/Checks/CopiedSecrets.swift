import ReactCore

extension LiveGraph {
    /// The nodes that show the text of a node on which `redacted()` was called, by position. Takes time as the secrets
    /// times the texts of the values.
    var copiedSecrets: [(secret: Int, copy: Int)] {
        func text(_ place: Int) -> String? { nodes[place].valueDescription(isRedacted: false) }
        let secrets = nodes.indices.filter { nodes[$0].isItselfRedacted }.compactMap { place in
            // Shorter texts, such as 0, stand in many others by chance.
            text(place).flatMap { $0.count < 4 || $0 == "true" || $0 == "false" ? nil : (place: place, text: $0.utf8) }
        }
        guard !secrets.isEmpty, let walk = RedactionWalk(among: nodes) else { return [] }
        return nodes.indices.compactMap { copy in
            guard !walk.isRedacted(nodes[copy]), let text = text(copy) else { return nil }
            return secrets.first { text.utf8.contains($0.text) }.map { (secret: $0.place, copy: copy) }
        }
    }
}
