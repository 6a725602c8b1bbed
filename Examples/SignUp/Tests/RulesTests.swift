import Testing

@testable import signup

@Suite("What may be typed")
struct RulesTests {
    @Test(
        "names",
        arguments: [
            ("ada", nil), ("ada-lovelace", nil), ("ådå", nil), ("", "is missing"), ("ad", "is too short"),
            (String(repeating: "a", count: 21), "is too long"),
            ("a b c", "has characters other than letters, digits and -"),
        ] as [(String, String?)])
    func names(name: String, problem: String?) {
        #expect(Rules.problem(ofName: name) == problem)
    }

    @Test(
        "mail addresses",
        arguments: [
            ("ada@example.org", nil), ("a.b+c@d.e.f", nil), ("", "is missing"), ("ada", "is no mail address"),
            ("@example.org", "is no mail address"), ("ada@", "is no mail address"),
            ("ada@example", "is no mail address"),
            ("ada@example.", "is no mail address"), ("a@b@c.d", "is no mail address"),
            ("a b@c.d", "is no mail address"),
        ] as [(String, String?)])
    func mails(email: String, problem: String?) {
        #expect(Rules.problem(ofEmail: email) == problem)
    }

    @Test(
        "passwords",
        arguments: [("", "is missing"), ("1234567", "is too short"), ("12345678", nil)] as [(String, String?)])
    func passwords(password: String, problem: String?) {
        #expect(Rules.problem(ofPassword: password) == problem)
    }
}
