/// The rules for the fields. Each rule returns the problem, or `nil`.
enum Rules {
    static func problem(ofName name: String) -> String? {
        if name.isEmpty { return "is missing" }
        if name.count < 3 { return "is too short" }
        if name.count > 20 { return "is too long" }
        if !name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) {
            return "has characters other than letters, digits and -"
        }
        return nil
    }
    /// Finds typing errors only. Only a mail that is sent there shows that a mail address exists.
    static func problem(ofEmail email: String) -> String? {
        if email.isEmpty { return "is missing" }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !email.contains(where: \.isWhitespace) else {
            return "is no mail address"
        }
        let domain = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return domain.count >= 2 && domain.allSatisfy { !$0.isEmpty } ? nil : "is no mail address"
    }
    static func problem(ofPassword password: String) -> String? {
        if password.isEmpty { return "is missing" }
        return password.count < 8 ? "is too short" : nil
    }
}
