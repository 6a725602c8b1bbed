extension GraphSnapshot {
    /// The graph as a Mermaid flowchart, with default options. Safe from any thread.
    ///
    ///     print(MutableNode(20).graph.mermaid.prefix(12))     // flowchart LR
    ///
    /// GitHub draws it in any Markdown file, in a code block marked `mermaid`. By default, Mermaid refuses charts of
    /// more than 500 edges or 50,000 characters.
    public var mermaid: String { mermaid(DiagramOptions()) }

    /// Returns the graph as a Mermaid flowchart. Any name or value is allowed, and escaped. Safe from any thread.
    ///
    /// Mutable nodes are square and yellow, immutable nodes are round, and empty nodes are dashed. Nodes where several
    /// edges meet are hexagons. Arrows of a ring are thick and red. Listeners are green, with dotted arrows.
    ///
    /// - Complexity: O(nodes + edges + listeners).
    public func mermaid(_ options: DiagramOptions) -> String {
        Diagram(self, options: options).text(in: Mermaid(direction: options.direction))
    }
}

/// Mermaid's language.
private struct Mermaid: DiagramLanguage {
    let direction: DiagramOptions.Direction
    let head: [String] = []

    func frame(_ index: Int, _ title: String) -> (begin: [String], end: [String]) {
        (
            ["subgraph g\(index) [\(quoted([title]))]"],
            ["end", "style g\(index) fill:#f4f4f4,stroke:#999999,color:#000000"]
        )
    }
    func box(_ box: Diagram.Box) -> String {
        let (open, close) = box.isCombination ? ("{{", "}}") : box.isMutable ? ("[", "]") : ("(", ")")
        let kind = box.isMutable ? "mutable" : box.isCombination ? "combination" : "immutable"
        return "\(box.id)\(open)\(quoted(box.lines))\(close):::\(kind)"
    }
    func looseEnd(_ id: String) -> String { "\(id)((\" \")):::loose" }
    func arrow(_ arrow: Diagram.Arrow) -> String {
        let label = arrow.label.isEmpty ? "" : "|\(quoted([arrow.label]))|"
        return "\(arrow.from) \(arrow.isInRing ? "==>" : "-->")\(label) \(arrow.to)"
    }
    func listener(_ id: String, _ title: String) -> String { "\(id)([\(quoted([title]))]):::listener" }
    func listening(_ node: String, _ listener: String, _ name: String?) -> String {
        "\(node) -.->\(name.map { "|\(quoted([$0]))|" } ?? "") \(listener)"
    }
    func document(_ statements: String, _ diagram: Diagram) -> String {
        "flowchart \(direction.code)\n\(statements)\(styles(diagram))"
    }
    /// Returns the classes of nodes and arrows. A node may have several classes, but its own line takes only one.
    private func styles(_ diagram: Diagram) -> String {
        let boxes = diagram.boxes.filter { $0.frame != nil } + diagram.boxes.filter { $0.frame == nil }
        let ringed = diagram.arrows.indices.filter { diagram.arrows[$0].isInRing }.map(String.init)
        return list("class", boxes.filter(\.isEmpty).map(\.id), "empty")
            + list("class", boxes.filter(\.isInRing).map(\.id), "ring") + list("linkStyle", ringed, "stroke:#c62828")
                + """
                    classDef mutable fill:#ffe9a8,stroke:#333333,stroke-width:2px,color:#000000
                    classDef immutable fill:#ffffff,stroke:#333333,color:#000000
                    classDef combination fill:#dbe8ff,stroke:#333333,color:#000000
                    classDef listener fill:#e2f3dc,stroke:#333333,color:#000000
                    classDef empty stroke-dasharray:5 3,color:#6a6a6a
                    classDef ring stroke:#c62828
                    classDef loose fill:#333333,stroke:#333333

                """
    }
    /// Returns a statement on some boxes or arrows, if there are any.
    private func list(_ statement: String, _ ids: [String], _ style: String) -> String {
        ids.isEmpty ? "" : "    \(statement) \(ids.joined(separator: ",")) \(style)\n"
    }
}

/// Returns a label of one or more lines. An ASCII character is written by its number if it could have a meaning in
/// Mermaid, or in the Markdown and HTML of its labels.
private func quoted(_ lines: [String]) -> String { "\"\(lines.map(escaped).joined(separator: "<br/>"))\"" }
private func escaped(_ line: String) -> String {
    let bytes = Array(line.utf8)
    func isDigit(_ place: Int) -> Bool { bytes.indices.contains(place) && 0x30...0x39 ~= bytes[place] }
    var output: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
        switch Unicode.Scalar(byte) {
        case "\u{80}"...: output.append(byte)
        // Four spaces at the beginning of a line would make it code.
        case " " where place == 0: output += "#32;".utf8
        // Mermaid takes a line that contains "direction LR" anywhere for that statement.
        case "d" where bytes[place...].starts(with: "direction".utf8): output += "#100;".utf8
        case "a"..."z", "A"..."Z", "0"..."9", " ", ",", "(": output.append(byte)
        // "www.example.com" would be a link, and "1. Payment" or "2) Delivery" a list.
        case "." where isDigit(place - 1) && isDigit(place + 1): output.append(byte)
        case ")" where !(0..<place).allSatisfy(isDigit): output.append(byte)
        // Before an n, Mermaid takes a backslash for a line break even if it is written by its number. A space of no
        // width keeps the two apart.
        case "\\": output += "#92;#8203;".utf8
        default: output += "#\(byte);".utf8
        }
    }
    return String(decoding: output, as: UTF8.self)
}
