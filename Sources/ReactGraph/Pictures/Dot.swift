extension GraphSnapshot {
    /// The graph in Graphviz's DOT language, with default options. Any name or value is allowed, and escaped. Write the
    /// text to a file and run `dot -Tsvg`. Safe from any thread.
    ///
    ///     let price = MutableNode(20).named("price")
    ///     print(price.graph.dot.prefix(7))        // digraph
    ///
    /// - Complexity: O(nodes + edges + listeners).
    public var dot: String { dot(DiagramOptions()) }

    /// Returns the graph in Graphviz's DOT language. Any name or value is allowed, and escaped. Safe from any thread.
    ///
    /// Each node is a box with its value, and its name, or its type if it has no name. Each transform is an arrow with
    /// its operator's name.
    ///
    /// | part                          | how it is drawn                      |
    /// |-------------------------------|--------------------------------------|
    /// | mutable node                  | square corners, thick border, yellow |
    /// | immutable node                | round corners, thin border, white    |
    /// | combination                   | hexagon, blue                        |
    /// | empty node                    | dashed border, "(empty)"             |
    /// | ring                          | thick red arrows and red borders     |
    /// | listener                      | ellipse, green, dashed arrow         |
    /// | end that leads nowhere        | a point                              |
    ///
    /// A combination is a node where several edges meet. Node 3 is called `n3`, listener 3 `l3`, and the loose end of
    /// edge 3 `e3`.
    ///
    /// - Complexity: O(nodes + edges + listeners). Text is cut to `options.textLimit`.
    public func dot(_ options: DiagramOptions) -> String {
        Diagram(self, options: options).dot
    }
}

extension Diagram {
    var dot: String {
        var writer = DotWriter()
        writer.write(self)
        return writer.text
    }
}

private struct DotWriter {
    private var output: [UInt8] = []

    var text: String { String(decoding: output, as: UTF8.self) }

    /// The space on both sides of an arrow's label. A vertical arrow has a no-break space, because Graphviz draws the
    /// label close to the line.
    private var arrowPadding = ""

    mutating func write(_ diagram: Diagram) {
        let direction = diagram.options.direction.code
        if diagram.options.direction.isVertical { arrowPadding = "\u{A0}" }
        write(
            """
            digraph {
                graph [rankdir=\(direction), nodesep=0.2, ranksep=0.6, fontname="Helvetica,Arial,sans-serif", fontsize=12]
                node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#333333", \
            fontname="Helvetica,Arial,sans-serif", fontsize=12, margin="0.16,0.08"]
                edge [color="#333333", fontcolor="#444444", fontname="Helvetica,Arial,sans-serif", fontsize=10, \
            arrowsize=0.8]

            """
        )
        for (index, group) in diagram.groups.enumerated() {
            write("    subgraph cluster_\(index) {\n        label=")
            writeQuoted(group.title)
            write("; style=\"rounded,filled\"; color=\"#999999\"; fillcolor=\"#f4f4f4\"\n")
            for box in group.boxes { write(box, indent: "        ") }
            write("    }\n")
        }
        for box in diagram.boxes { write(box, indent: "    ") }
        for end in diagram.looseEnds { write("    \(end) [shape=point, width=0.09, label=\"\"]\n") }
        for arrow in diagram.arrows { write(arrow) }
        for listener in diagram.listeners {
            write("    \(listener.id) [label=")
            writeQuoted(listener.title)
            write(", shape=ellipse, style=filled, fillcolor=\"#e2f3dc\"]\n")
        }
        for listening in diagram.listenings {
            write("    ", listening.from, " -> ", listening.to, " [style=dashed, arrowhead=vee")
            if let label = listening.label {
                write(", label=")
                writeQuoted(arrowPadding + label + arrowPadding)
            }
            write("]\n")
        }
        write("}\n")
    }

    private mutating func write(_ box: Diagram.Box, indent: String) {
        write(indent, box.id, " [label=")
        if let detail = box.detail {
            writeQuoted(box.title, detail)
        } else {
            writeQuoted(box.title)
        }
        if box.isCombination {
            write(", shape=hexagon, margin=\"0.04,0.04\"")
        }
        // One attribute, `style`, holds the corners, the filling and the kind of line.
        let corners = box.isMutable || box.isCombination ? "" : "rounded,"
        let line = box.mark == .gone ? ",dotted" : box.isEmpty ? ",dashed" : ""
        if corners.isEmpty || !line.isEmpty { write(", style=\"\(corners)filled\(line)\"") }
        if box.isMutable {
            write(", fillcolor=\"#ffe9a8\"")
        } else if box.isCombination {
            write(", fillcolor=\"#dbe8ff\"")
        }
        if box.isMutable || box.mark == .new || box.mark == .changed { write(", penwidth=2") }
        writeColor(mark: box.mark, isInRing: box.isInRing)
        if box.mark == .gone || box.isEmpty { write(", fontcolor=\"#6a6a6a\"") }
        write("]\n")
    }

    private mutating func write(_ arrow: Diagram.Arrow) {
        write("    ", arrow.from, " -> ", arrow.to, " [label=")
        writeQuoted(arrow.label.isEmpty ? "" : arrowPadding + arrow.label + arrowPadding)
        if arrow.mark == .gone { write(", style=dotted") }
        if arrow.isInRing || arrow.mark == .new { write(", penwidth=2") }
        writeColor(mark: arrow.mark, isInRing: arrow.isInRing)
        write("]\n")
    }

    /// Writes the colour of a change rather than that of a ring, because readers of a difference look for changes.
    private mutating func writeColor(mark: Diagram.Mark?, isInRing: Bool) {
        switch mark {
        case .new: write(", color=\"#1b7f3b\"")
        case .gone: write(", color=\"#8a8a8a\"")
        case .changed: write(", color=\"#c05800\"")
        case nil: if isInRing { write(", color=\"#c62828\"") }
        }
    }

    private mutating func write(_ pieces: String...) {
        for piece in pieces { output.append(contentsOf: piece.utf8) }
    }

    /// Writes a label of one or more lines. In it, DOT gives a meaning to quotes, to backslashes and, as in HTML, to
    /// ampersands.
    private mutating func writeQuoted(_ lines: String...) {
        output.append(UInt8(ascii: "\""))
        for (index, line) in lines.enumerated() {
            if index > 0 { write("\\n") }
            for byte in line.utf8 {
                switch byte {
                case UInt8(ascii: "\""): write("\\\"")
                case UInt8(ascii: "\\"): write("\\\\")
                case UInt8(ascii: "&"): write("&amp;")
                default: output.append(byte)
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
