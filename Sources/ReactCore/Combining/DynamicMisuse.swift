// The messages for mistakes in a body.

extension DynamicJoin {
    func refuseRing(_ vertices: [Vertex]) -> Never {
        let names = (vertices + [vertices[0]]).map(\.nameInMessages).joined(separator: " → ")
        misuse(
            "what is computed reads itself: \(names) (each is made of the one after it); leave one of these reads out, or make it untracked"
        )
    }
    func refuseRound() -> Never {
        let read = (0..<next).compactMap { inputs[$0]?.takeUnretainedValue().source?.description }
        let last = (0..<count).compactMap { inputs[$0]?.takeUnretainedValue().source?.description }
        misuse(
            "\(effect ?? "an effect") has set itself off \(DynamicJoin.mostRounds) times in one set. It read \((read.isEmpty ? last : read).joined(separator: ", ")): do not set what the effect reads, or only where that changes it"
        )
    }
}

extension Vertex {
    /// The name of the node in messages.
    final var nameInMessages: String { locking { rare?.name }.map { "“\($0)”" } ?? "a node without a name" }
}
