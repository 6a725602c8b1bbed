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
        var writer = MermaidWriter()
        writer.write(self)
        return writer.text
    }
}

private struct MermaidWriter {
    private var output: [UInt8] = []

    var text: String { String(decoding: output, as: UTF8.self) }

    mutating func write(_ diagram: Diagram) {
        write("flowchart \(diagram.options.direction.code)\n")
        for (index, group) in diagram.groups.enumerated() {
            write("    subgraph g\(index) [")
            writeQuoted(group.title)
            write("]\n")
            for box in group.boxes { write(box, indent: "        ") }
            write("    end\n    style g\(index) fill:#f4f4f4,stroke:#999999,color:#000000\n")
        }
        for box in diagram.boxes { write(box, indent: "    ") }
        for end in diagram.looseEnds { write("    \(end)((\" \")):::loose\n") }
        for arrow in diagram.arrows {
            write("    ", arrow.from, arrow.isInRing ? " ==>" : " -->")
            if !arrow.label.isEmpty {
                write("|")
                writeQuoted(arrow.label)
                write("|")
            }
            write(" ", arrow.to, "\n")
        }
        for listener in diagram.listeners {
            write("    \(listener.id)([")
            writeQuoted(listener.title)
            write("]):::listener\n")
        }
        for listening in diagram.listenings {
            write("    ", listening.from, " -.->")
            if let label = listening.label {
                write("|")
                writeQuoted(label)
                write("|")
            }
            write(" ", listening.to, "\n")
        }
        writeStyles(diagram)
    }

    private mutating func write(_ box: Diagram.Box, indent: String) {
        let (open, close) = box.isCombination ? ("{{", "}}") : box.isMutable ? ("[", "]") : ("(", ")")
        write(indent, box.id, open)
        if let detail = box.detail {
            writeQuoted(box.title, detail)
        } else {
            writeQuoted(box.title)
        }
        let kind = box.isMutable ? "mutable" : box.isCombination ? "combination" : "immutable"
        write(close, ":::", kind, "\n")
    }

    /// Writes the classes of nodes and arrows. A node may have several classes, but its own line takes only one.
    private mutating func writeStyles(_ diagram: Diagram) {
        let boxes = diagram.groups.flatMap(\.boxes) + diagram.boxes
        writeClass("empty", boxes.filter(\.isEmpty))
        writeClass("ring", boxes.filter(\.isInRing))
        let ringed = diagram.arrows.indices.filter { diagram.arrows[$0].isInRing }.map(String.init)
        if !ringed.isEmpty { write("    linkStyle \(ringed.joined(separator: ",")) stroke:#c62828\n") }
        write(
            """
                classDef mutable fill:#ffe9a8,stroke:#333333,stroke-width:2px,color:#000000
                classDef immutable fill:#ffffff,stroke:#333333,color:#000000
                classDef combination fill:#dbe8ff,stroke:#333333,color:#000000
                classDef listener fill:#e2f3dc,stroke:#333333,color:#000000
                classDef empty stroke-dasharray:5 3,color:#6a6a6a
                classDef ring stroke:#c62828
                classDef loose fill:#333333,stroke:#333333

            """
        )
    }

    private mutating func writeClass(_ name: String, _ boxes: [Diagram.Box]) {
        guard !boxes.isEmpty else { return }
        write("    class \(boxes.map(\.id).joined(separator: ",")) \(name)\n")
    }

    private mutating func write(_ pieces: String...) {
        for piece in pieces { output.append(contentsOf: piece.utf8) }
    }

    private func isDigit(_ bytes: [UInt8], _ place: Int) -> Bool {
        bytes.indices.contains(place) && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place])
    }

    /// Writes a label of one or more lines. An ASCII character is written by its number if it could have a meaning in
    /// Mermaid, or in the Markdown and HTML of its labels.
    private mutating func writeQuoted(_ lines: String...) {
        output.append(UInt8(ascii: "\""))
        for (index, line) in lines.enumerated() {
            if index > 0 { write("<br/>") }
            let bytes = Array(line.utf8)
            for (place, byte) in bytes.enumerated() {
                switch byte {
                // Four spaces at the beginning of a line would make it code.
                case UInt8(ascii: " ") where place == 0: write("#32;")
                // Mermaid takes a line that contains "direction LR" anywhere for that statement.
                case UInt8(ascii: "d") where bytes[place...].starts(with: "direction".utf8): write("#100;")
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), 0x80...:
                    output.append(byte)
                case UInt8(ascii: ","), UInt8(ascii: "("): output.append(byte)
                // "www.example.com" would be a link, and "1. Payment" or "2) Delivery" a list.
                case UInt8(ascii: ".") where isDigit(bytes, place - 1) && isDigit(bytes, place + 1): output.append(byte)
                case UInt8(ascii: ")") where !(0..<place).allSatisfy { isDigit(bytes, $0) }: output.append(byte)
                case UInt8(ascii: "\\"):
                    // Before an n, Mermaid takes a backslash for a line break even if it is written by its number. A
                    // space of no width keeps the two apart.
                    write("#92;#8203;")
                default:
                    write("#\(byte);")
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
