/// The remote store of accounts. A request takes time and may fail.
struct Directory: Sendable {
    var isTaken: @Sendable (_ name: String) async throws -> Bool
    var register: @Sendable (Account) async throws -> Void

    /// The directory did not answer.
    struct Unreachable: Error {}

    /// A directory to try the form with. It knows a few names, and answers after 400 milliseconds. It does not answer
    /// for names that begin with `down`. For names that begin with `flaky`, it answers at the third request.
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
