extension GraphSnapshot.Node {
    /// The name of the node, or the type of its values if it has no name.
    var title: String {
        if let name, !name.isEmpty { name } else { valueType }
    }
}

extension String {
    /// The text in the quotation marks of a sentence, cut.
    var quoted: String { "“\(caption(limit: 40))”" }
    /// Returns the text for a diagram: one line of at most `limit` characters and an ellipsis. Scalars are replaced if
    /// they are invisible, disturb the text after them, or are forbidden in the XML of drawn diagrams.
    func caption(limit: Int) -> String {
        if utf8.count <= limit && utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return self }
        var caption = ""
        var characters = 0
        // One character may consist of any number of combining marks.
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
    /// The scalar itself, or a sign in its place if it has no shape of its own.
    fileprivate var visible: Unicode.Scalar {
        switch value {
        case 0x0A, 0x0D, 0x2028, 0x2029: "↵"
        // Unicode has a block of pictures of the control characters, in their order.
        case 0x00...0x1F: Unicode.Scalar(0x2400 + value) ?? "�"
        case 0x7F: "␡"
        // C1 controls, non-characters, and controls of writing direction (embeddings, overrides, isolates), whose
        // effect would reach beyond the label.
        case 0x80...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF: "�"
        case _ where value & 0xFFFE == 0xFFFE: "�"
        default: self
        }
    }
}

extension Duration {
    /// The duration such as `0.3 s`, cut to a number of decimals, without zeros at its end.
    func inSeconds(decimals count: Int) -> String {
        // Does not use `components`, which ends the process for a very long duration.
        let second: UInt128 = 1_000_000_000_000_000_000
        let (seconds, rest) = attoseconds.magnitude.quotientAndRemainder(dividingBy: second)
        var decimals = "\(second + rest)".dropFirst().prefix(count)
        while decimals.last == "0" { decimals.removeLast() }
        return "\(self < .zero ? "-" : "")\(seconds)\(decimals.isEmpty ? "" : ".\(decimals)") s"
    }
}

extension [String] {
    /// The texts in a sentence: `a`; `a and b`; `a, b and c`.
    var list: String {
        guard count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + self[count - 1]
    }
}
