extension String {
    /// How many columns of a terminal the text takes, with two for the wide characters of East Asia and for emoji.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

    /// The text on one line: the picture of each control character in its place.
    var withControlPictures: String {
        guard unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0..<0x20: text.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value)!)
            case 0x7F: text.unicodeScalars.append("\u{2421}")
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Character {
    fileprivate var displayWidth: Int {
        let first = unicodeScalars.first!
        switch first.value {
        case ..<0x300: return 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}") ? 2 : 1
        }
    }
}
