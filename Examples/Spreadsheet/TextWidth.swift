extension String {
    /// The number of terminal columns that the text takes. Wide characters of East Asia and emoji take two.
    var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
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
