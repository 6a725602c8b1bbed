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
        Diagram(self, options: options).mermaid
    }
}

extension Diagram {
    var mermaid: String {
        var text = "flowchart \(options.direction.code)\n"
        for (index, group) in groups.enumerated() {
            text += "    subgraph g\(index) [\(quoted([group.title]))]\n"
            for box in group.boxes { text += "        \(box.mermaid)" }
            text += "    end\n    style g\(index) fill:#f4f4f4,stroke:#999999,color:#000000\n"
        }
        for box in boxes { text += "    \(box.mermaid)" }
        for end in looseEnds { text += "    \(end)((\" \")):::loose\n" }
        for arrow in arrows {
            let label = arrow.label.isEmpty ? "" : "|\(quoted([arrow.label]))|"
            text += "    \(arrow.from) \(arrow.isInRing ? "==>" : "-->")\(label) \(arrow.to)\n"
        }
        for listener in listeners { text += "    \(listener.id)([\(quoted([listener.title]))]):::listener\n" }
        for listening in listenings {
            let label = listening.label.map { "|\(quoted([$0]))|" } ?? ""
            text += "    \(listening.from) -.->\(label) \(listening.to)\n"
        }
        return text + styles
    }
    /// The classes of nodes and arrows. A node may have several classes, but its own line takes only one.
    private var styles: String {
        let boxes = groups.flatMap(\.boxes) + boxes
        let ringed = arrows.indices.filter { arrows[$0].isInRing }.map(String.init)
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

extension Diagram.Box {
    fileprivate var mermaid: String {
        let (open, close) = isCombination ? ("{{", "}}") : isMutable ? ("[", "]") : ("(", ")")
        let kind = isMutable ? "mutable" : isCombination ? "combination" : "immutable"
        return "\(id)\(open)\(quoted(lines))\(close):::\(kind)\n"
    }
}

/// Returns a label of one or more lines. An ASCII character is written by its number if it could have a meaning in
/// Mermaid, or in the Markdown and HTML of its labels.
private func quoted(_ lines: [String]) -> String {
    "\"\(lines.map(escaped).joined(separator: "<br/>"))\""
}
private func escaped(_ line: String) -> String {
    let bytes = Array(line.utf8)
    var output: [UInt8] = []
    func isDigit(_ place: Int) -> Bool {
        bytes.indices.contains(place) && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
    }
    for (place, byte) in bytes.enumerated() {
        switch byte {
        // Four spaces at the beginning of a line would make it code.
        case UInt8(ascii: " ") where place == 0: output += "#32;".utf8
        // Mermaid takes a line that contains "direction LR" anywhere for that statement.
        case UInt8(ascii: "d") where bytes[place...].starts(with: "direction".utf8): output += "#100;".utf8
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), 0x80...:
            output.append(byte)
        case UInt8(ascii: ","), UInt8(ascii: "("): output.append(byte)
        // "www.example.com" would be a link, and "1. Payment" or "2) Delivery" a list.
        case UInt8(ascii: ".") where isDigit(place - 1) && isDigit(place + 1): output.append(byte)
        case UInt8(ascii: ")") where !(0..<place).allSatisfy(isDigit): output.append(byte)
        // Before an n, Mermaid takes a backslash for a line break even if it is written by its number. A space of no
        // width keeps the two apart.
        case UInt8(ascii: "\\"): output += "#92;#8203;".utf8
        default: output += "#\(byte);".utf8
        }
    }
    return String(decoding: output, as: UTF8.self)
}
