import Foundation

/// What the sources of the package declare, read from the files.
package enum Declared {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources")

    /// The files of a module, or of a folder in it, with the extension `kind`. A file of other libraries' names declares
    /// nothing that can be called.
    package static func files(_ kind: String = "swift", in folder: String) -> [URL] {
        let found = FileManager.default.enumerator(
            at: sources.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter {
            $0.pathExtension == kind && $0.lastPathComponent != "NamesElsewhere.swift"
        }.sorted { $0.path < $1.path }
    }
    package static func text(of file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    /// The names of the operators: every public function of ReactOperators.
    package static let operators = Set(files(in: "ReactOperators").flatMap { functions(in: text(of: $0)) })
        // How a function that was given to an operator reads and sends, and what makes no node, is no operator.
        .subtracting(["callAsFunction", "ifAny", "untracked", "effect"])
    /// The names of the operators that pass values on later: the public functions on `Node` of ReactScheduling that make
    /// a node, and `combine`. What is short for an operator on the main queue counts as that operator. What comes from
    /// Observation is left out: the main actor says when, and no scheduler.
    package static let timeOperators: Set<String> = {
        let texts = files(in: "ReactScheduling").filter { !$0.path.contains("/Observation/") }.map(text)
        let onNodes = texts.flatMap { text in
            text.split(separator: /\nextension Node (?:where [^{]*)?{\n/).dropFirst().flatMap {
                functions(in: String($0.prefix(upTo: $0.firstRange(of: "\n}")!.lowerBound)), making: "Node<")
            }
        }
        let free = texts.flatMap { text in
            text.matches(of: /\npublic func (\w+)([^{]*)/).filter { $0.2.contains("-> Node<") }.map { String($0.1) }
        }
        return Set((onNodes + free).map { $0.replacing("OnMainQueue", with: "") })
    }()
    private static func functions(in text: String, making result: String = "") -> [String] {
        let all = text.matches(of: /public (?:static )?func `?(\w+)([^{]*)/)
        return all.filter { result.isEmpty || $0.2.contains("-> \(result)") }.map { String($0.1) }
    }
}
