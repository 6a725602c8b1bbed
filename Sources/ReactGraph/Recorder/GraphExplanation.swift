/// An answer as text for people, and as data.
///
///     let recorder = GraphRecorder()
///     let node = MutableNode(1).named("node")
///     print(recorder.why(node))       // 'node' holds 1: nothing on record has set it
public struct GraphExplanation: Sendable, CustomStringConvertible {
    /// The text: a line for each step.
    public let description: String
    /// The events that the text names, causes first.
    public let events: [GraphEvent]
}
