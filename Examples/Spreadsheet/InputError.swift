/// An unusable input of the command: a file, an option, an edit. The message is one line.
struct InputError: Error, Equatable {
    let message: String
}

extension String {
    /// The text in quotes, on one line and with at most `limit` characters.
    func quoted(cutAt limit: Int = .max) -> String {
        let end = index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
        return end < endIndex ? "\(self[..<end])…".debugDescription : debugDescription
    }
}
