extension GraphSnapshot.Node {
    /// The name, or the type of a node that has none.
    var title: String {
        if let name, !name.isEmpty { name } else { valueType }
    }
}

extension String {
    /// The text as it is shown in a diagram: one line, no more than `limit` characters and an ellipsis, and nothing
    /// in it that cannot be seen, disturbs the text after it or is forbidden in the XML that diagrams end up as.
    func caption(limit: Int) -> String {
        if utf8.count <= limit && utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return self }
        var caption = ""
        var characters = 0
        // One character may be any number of combining marks on top of each other.
        var scalars = 0
        for character in self {
            characters += 1
            if characters > limit { return caption + "…" }
            for scalar in character.unicodeScalars {
                if scalars / 4 >= limit { return caption + "…" }
                scalars += 1
                caption.unicodeScalars.append(scalar.visible)
            }
        }
        return caption
    }
}

extension Unicode.Scalar {
    /// Itself, or the sign that stands for it if it has no shape of its own.
    fileprivate var visible: Unicode.Scalar {
        switch value {
        case 0x0A, 0x0D, 0x2028, 0x2029: "↵"
        // Unicode has a block of pictures of the control characters, in their order.
        case 0x00...0x1F: Unicode.Scalar(0x2400 + value) ?? "�"
        case 0x7F: "␡"
        // C1 controls; embeddings, overrides and isolates of writing direction, which would reach beyond the label;
        // non-characters.
        case 0x80...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF: "�"
        case _ where value & 0xFFFE == 0xFFFE: "�"
        default: self
        }
    }
}
