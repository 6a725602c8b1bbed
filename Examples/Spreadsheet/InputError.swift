/// What somebody gave the command and it cannot use: a file, an option, an edit. The message is one line.
struct InputError: Error, Equatable {
    let message: String
}

extension String {
    /// The text between quotes, on one line whatever it holds, and no longer than `limit` characters.
    func quoted(cutAt limit: Int = .max) -> String {
        let end = index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
        return end < endIndex ? "\(self[..<end])…".debugDescription : debugDescription
    }
}
