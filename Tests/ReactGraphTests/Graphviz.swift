import Foundation
import Testing

/// The real `dot`, the judge of what the DOT writer makes.
enum Graphviz {
    /// Where Graphviz is missing its tests are skipped, except in the gate, which installs it.
    static let isAvailable =
        ProcessInfo.processInfo.environment["EASYREACT_GATE"] != nil
        || ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"]
            .contains { FileManager.default.isExecutableFile(atPath: $0) }

    /// What Graphviz understood of one graph.
    struct Reading {
        var nodes: Set<String> = []
        var edges: [Edge] = []
        /// The titles of the frames.
        var clusters: [String] = []
        /// The text as it would be drawn, a line each, by the name of the node.
        var nodeText: [String: [String]] = [:]

        struct Edge: Hashable {
            var from: String
            var to: String
            /// The text as it would be drawn.
            var text: [String]
        }

        func nodes(named prefix: Character) -> [String] { nodes.filter { $0.first == prefix }.sorted() }
    }

    /// What the writer puts round the labels of upright arrows to keep them off the line.
    private static let padding = CharacterSet(charactersIn: "\u{A0}")

    struct Failure: Error { let message: String }

    /// Lays out all of `graphs` in one run.
    static func read(_ graphs: [String]) throws -> [Reading] {
        let output = try run("dot", "-Tjson", input: graphs.joined())
        // One JSON object after the other; only the outermost braces stand at the beginning of a line.
        return try output.split(separator: "\n}\n").map { try reading(of: Data(($0 + "\n}").utf8)) }
    }

    static func read(_ graph: String) throws -> Reading {
        try #require(try read([graph]).first)
    }

    static func render(_ graph: String, format: String) throws -> String {
        try run("dot", "-T\(format)", input: graph)
    }

    /// Files rather than pipes: a pipe that nobody empties stops the process once it is full.
    private static func run(_ arguments: String..., input: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["in", "out", "err"].map { folder.appendingPathComponent($0) }
        try Data(input.utf8).write(to: files[0])
        for file in files[1...] { try Data().write(to: file) }

        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        // Graphviz carries on after an odd attribute, with a warning. Other libraries may complain about missing fonts.
        let complaints = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
            .split(separator: "\n").filter { $0.hasPrefix("Error") || $0.hasPrefix("Warning") }
        guard process.terminationStatus == 0, complaints.isEmpty else {
            throw Failure(message: "dot ended with \(process.terminationStatus): \(complaints)")
        }
        return String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
    }

    private struct File: Decodable {
        struct Object: Decodable {
            let id: Int
            let name: String
            let label: String?
            let labelDrawing: [Draw]?

            enum CodingKeys: String, CodingKey { case id = "_gvid", name, label, labelDrawing = "_ldraw_" }
        }
        struct Edge: Decodable {
            let tail: Int
            let head: Int
            let labelDrawing: [Draw]?

            enum CodingKeys: String, CodingKey { case tail, head, labelDrawing = "_ldraw_" }
        }
        struct Draw: Decodable {
            let op: String
            let text: String?
        }
        let objects: [Object]?
        let edges: [Edge]?
    }

    private static func reading(of json: Data) throws -> Reading {
        let file = try JSONDecoder().decode(File.self, from: json)
        var reading = Reading()
        var names: [Int: String] = [:]
        for object in file.objects ?? [] {
            if object.name.hasPrefix("cluster") {
                reading.clusters.append(object.label ?? "")
                continue
            }
            names[object.id] = object.name
            reading.nodes.insert(object.name)
            reading.nodeText[object.name] = object.labelDrawing?.compactMap(\.text) ?? []
        }
        for edge in file.edges ?? [] {
            reading.edges.append(
                Reading.Edge(
                    from: try #require(names[edge.tail]),
                    to: try #require(names[edge.head]),
                    text: edge.labelDrawing?.compactMap { $0.text?.trimmingCharacters(in: padding) } ?? []
                )
            )
        }
        return reading
    }
}
