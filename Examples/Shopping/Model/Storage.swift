import Foundation

/// The place where a document is kept.
nonisolated public struct Storage: Sendable {
    /// Returns the document, or `nil` if there is none yet.
    public var load: @Sendable () throws -> Document?
    var save: @Sendable (Document) async throws -> Void

    /// Keeps nothing.
    public static let none = Storage(load: { nil }, save: { _ in })

    /// Keeps the document in a file, as JSON.
    public static func file(_ path: String) -> Storage {
        Storage(
            load: {
                guard FileManager.default.fileExists(atPath: path) else { return nil }
                guard let data = FileManager.default.contents(atPath: path) else {
                    throw Failure("\(path): it cannot be read")
                }
                do { return try JSONDecoder().decode(Document.self, from: data) } catch {
                    throw Failure("\(path): \(reason(for: error))")
                }
            },
            save: { try await write($0, to: path) })
    }
    /// Replaces the file as a whole, so that a failure leaves the old one.
    @concurrent private static func write(_ document: Document, to path: String) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(document).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure("\(path): it cannot be written")
        }
    }
    private static func reason(for error: any Error) -> String {
        switch error as? DecodingError {
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            place(context.codingPath) + context.debugDescription
        case .keyNotFound(let key, let context): place(context.codingPath) + "there is no “\(key.stringValue)”"
        default: "\(error)"
        }
    }
    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "" : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") + ": "
    }

    /// A file that cannot be read or written.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
