extension String {
    /// The text on one line. The picture of each control character stands in its place. So does a sign for each line
    /// separator, and for each character that changes the writing direction. So the text of a file cannot steer a
    /// terminal.
    package var withControlPictures: String {
        guard !utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { return self }
        var text = ""
        for scalar in unicodeScalars { text.unicodeScalars.append(scalar.controlPicture ?? scalar) }
        return text
    }
    /// The text with its line ends, and with pictures in the place of all other control characters.
    package var linesWithControlPictures: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).withControlPictures }
            .joined(separator: "\n")
    }
}

extension Unicode.Scalar {
    fileprivate var controlPicture: Unicode.Scalar? {
        switch value {
        case 0..<0x20: Unicode.Scalar(0x2400 + value)
        case 0x7F: "\u{2421}"
        case 0x80...0x9F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: nil
        }
    }
}
