/// The remote store of accounts. A request takes time and may fail.
struct Directory: Sendable {
    var isTaken: @Sendable (_ name: String) async throws -> Bool
    var register: @Sendable (Account) async throws -> Void

    /// The directory did not answer.
    struct Unreachable: Error {}

    /// One to try the form with: knows a few names, takes 400 ms for an answer, and gives none for names that begin with
    /// `down`; for those that begin with `flaky` it does at the third time.
    static func sample(_ clock: any Clock<Duration>) -> Directory {
        let calls = Calls()
        @Sendable func answer(_ name: String) async throws {
            try await clock.sleep(for: .milliseconds(400))
            if name.hasPrefix("down") { throw Unreachable() }
            if name.hasPrefix("flaky"), await calls.count(name) < 3 { throw Unreachable() }
        }
        return Directory(
            isTaken: { name in
                try await answer(name)
                return ["ada", "alan", "grace"].contains(name)
            },
            register: { try await answer($0.name) })
    }
    private actor Calls {
        private var counts: [String: Int] = [:]

        func count(_ name: String) -> Int {
            counts[name, default: 0] += 1
            return counts[name, default: 0]
        }
    }
}
