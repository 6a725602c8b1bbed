import ReactCore

/// The call of `computed` or `effect` that made a body. The message of a trap begins with its file and line.
@usableFromInline struct BodySite: Sendable {
    let file: StaticString
    let isEffect: Bool
    let line: UInt32

    @usableFromInline init(isEffect: Bool, _ file: StaticString, _ line: UInt) {
        self.file = file
        self.isEffect = isEffect
        self.line = UInt32(truncatingIfNeeded: line)
    }
}

extension ComputedCore {
    /// The name of the edges.
    @usableFromInline var edgeName: String { site.isEffect ? "Effect" : "Computed" }
    /// The node in messages. An effect is named by its listener, as in `an effect of Screen`.
    var nameInMessages: String {
        guard site.isEffect else { return vertex.nameInMessages }
        let listener = vertex.handle?.listenEdges.first?.destination
        return "an effect" + (listener.map { " of \(($0 as? Lifetime)?.description ?? "\(type(of: $0))")" } ?? "")
    }
    /// Says that the body, which has read the node `name` by `value` or `current`, follows no node. Does nothing if the
    /// body has read a node by its reader, or will be called again.
    func hasRead(pastReader name: String) {
        guard next == 0, !state.isRepeated else { return }
        vertex.noteUnfollowedRead(of: name)
        let kind = site.isEffect ? "effect" : "computed", place = "\(site.file):\(site.line)"
        SilentMistake.tell(
            at: place,
            "\(place): the body of this \(kind) read \(name) by `value` or `current`, and no node by its argument, so it is "
                + "never called again. Write `try read(node)`, or `read.untracked(node)` if it shall not follow")
    }
    /// Ends the process with a message that begins with the place where the body was made.
    func refuse(_ message: String) -> Never { misuse(message, file: site.file, line: UInt(site.line)) }
}
