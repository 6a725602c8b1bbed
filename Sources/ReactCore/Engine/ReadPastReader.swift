/// The first node that a body has read by `value` or `current`, and not by its reader. Noted in debug builds.
package struct ReadPastReader {
    /// The depth of the thread's engine in the body.
    fileprivate var depth = -1
    fileprivate var vertex: Vertex?

    package init() {}
}

extension Engine {
    /// Begins to note the reads of a body, and returns those of the body around it.
    package func beginReads() -> ReadPastReader {
        defer {
            pastReader = ReadPastReader()
            pastReader.depth = depth
        }
        return pastReader
    }
    /// Ends that, and returns the name of the first node that the body has read in this way.
    package func endReads(backTo outer: ReadPastReader) -> String? {
        defer { pastReader = outer }
        return pastReader.vertex?.nameOrType
    }
    /// Notes that the value of a vertex is read. Does nothing in a listener or a batch that the body calls.
    static func noteRead(of vertex: Vertex) {
        guard let engine = known?.takeUnretainedValue(), engine.bodyLevel > 0, engine.pastReader.depth == engine.depth,
            engine.pastReader.vertex == nil
        else { return }
        engine.pastReader.vertex = vertex
    }
}

extension Vertex {
    /// The name of the node, or the type of its values.
    final var nameOrType: String { locking { coldState?.name }.map { "“\($0)”" } ?? "a node of \(valueType)" }
}
