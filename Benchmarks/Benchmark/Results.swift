import Foundation

/// The files that a run writes and reads.
enum Results {
    /// Writes the whole file, or leaves the old one intact.
    static func write(_ rows: [Row], to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try write(encoder.encode(rows), to: path)
    }

    static func write(_ data: Data, to path: String) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure("\(path): cannot be written: \(error.localizedDescription)")
        }
    }

    /// The rows of an earlier run.
    static func read(_ path: String) throws -> [Row] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Failure("\(path): cannot be read: \(error.localizedDescription)")
        }
        do {
            return try JSONDecoder().decode([Row].self, from: data)
        } catch let error as DecodingError {
            throw Failure("\(path): not a file that --json wrote: \(error.problem)")
        }
    }
}

extension DecodingError {
    /// The error, and its row.
    fileprivate var problem: String {
        switch self {
        case .keyNotFound(let key, let context): "\(place(context))“\(key.stringValue)” is missing"
        case .typeMismatch(let type, let context): "\(place(context))is not of type \(type)"
        case .valueNotFound(let type, let context): "\(place(context))is null, not of type \(type)"
        case .dataCorrupted: "no valid JSON"
        @unknown default: "\(self)"
        }
    }
    private func place(_ context: Context) -> String {
        context.codingPath
            .map { key in key.intValue.map { "row \($0 + 1): " } ?? "“\(key.stringValue)” " }
            .joined()
    }
}
