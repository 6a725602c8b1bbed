extension String {
    /// The text on one line. A visible sign replaces each control character, line separator, and character that changes
    /// the writing direction.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0..<0x20: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
            case 0x7F: text.unicodeScalars.append("\u{2421}")
            case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x2069: text.unicodeScalars.append("\u{FFFD}")
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
