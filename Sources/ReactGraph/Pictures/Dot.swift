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
        var text = """
            digraph {
                graph [rankdir=\(options.direction.code), nodesep=0.2, ranksep=0.6, fontname="Helvetica,Arial,sans-serif", fontsize=12]
                node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#333333", \
            fontname="Helvetica,Arial,sans-serif", fontsize=12, margin="0.16,0.08"]
                edge [color="#333333", fontcolor="#444444", fontname="Helvetica,Arial,sans-serif", fontsize=10, \
            arrowsize=0.8]

            """
        for (index, group) in groups.enumerated() {
            text += "    subgraph cluster_\(index) {\n        label=\(quoted([group.title])); "
            text += "style=\"rounded,filled\"; color=\"#999999\"; fillcolor=\"#f4f4f4\"\n"
            for box in group.boxes { text += "        \(box.dot)" }
            text += "    }\n"
        }
        for box in boxes { text += "    \(box.dot)" }
        for end in looseEnds { text += "    \(end) [shape=point, width=0.09, label=\"\"]\n" }
        for arrow in arrows { text += "    \(arrow.dot(label: label(arrow.label)))" }
        for listener in listeners {
            text += "    \(listener.id) [label=\(quoted([listener.title])), "
            text += "shape=ellipse, style=filled, fillcolor=\"#e2f3dc\"]\n"
        }
        for listening in listenings {
            let name = listening.label.map { ", label=\(label($0))" } ?? ""
            text += "    \(listening.from) -> \(listening.to) [style=dashed, arrowhead=vee\(name)]\n"
        }
        return text + "}\n"
    }
    /// Returns the label of an arrow. That of a vertical one stands between no-break spaces, because Graphviz draws it
    /// close to the line.
    private func label(_ text: String) -> String {
        let space = options.direction.isVertical && !text.isEmpty ? "\u{A0}" : ""
        return quoted([space + text + space])
    }
}

extension Diagram.Box {
    /// The box with its attributes.
    fileprivate var dot: String {
        var attributes = ["label=\(quoted(lines))"]
        if isCombination { attributes += ["shape=hexagon", "margin=\"0.04,0.04\""] }
        // One attribute, `style`, holds the corners, the filling and the kind of line.
        let corners = isMutable || isCombination ? "" : "rounded,"
        let line = mark == .gone ? ",dotted" : isEmpty ? ",dashed" : ""
        if corners.isEmpty || !line.isEmpty { attributes.append("style=\"\(corners)filled\(line)\"") }
        if isMutable {
            attributes.append("fillcolor=\"#ffe9a8\"")
        } else if isCombination {
            attributes.append("fillcolor=\"#dbe8ff\"")
        }
        if isMutable || mark == .new || mark == .changed { attributes.append("penwidth=2") }
        attributes += mark.color(isInRing: isInRing)
        if mark == .gone || isEmpty { attributes.append("fontcolor=\"#6a6a6a\"") }
        return "\(id) [\(attributes.joined(separator: ", "))]\n"
    }
}

extension Diagram.Arrow {
    /// The arrow with its attributes.
    fileprivate func dot(label: String) -> String {
        var attributes = ["label=\(label)"]
        if mark == .gone { attributes.append("style=dotted") }
        if isInRing || mark == .new { attributes.append("penwidth=2") }
        attributes += mark.color(isInRing: isInRing)
        return "\(from) -> \(to) [\(attributes.joined(separator: ", "))]\n"
    }
}

extension Diagram.Mark? {
    /// The colour of a change, rather than that of a ring, because readers of a difference look for changes.
    fileprivate func color(isInRing: Bool) -> [String] {
        switch self {
        case .new: ["color=\"#1b7f3b\""]
        case .gone: ["color=\"#8a8a8a\""]
        case .changed: ["color=\"#c05800\""]
        case nil: isInRing ? ["color=\"#c62828\""] : []
        }
    }
}

/// Returns a label of one or more lines. In it, DOT gives a meaning to quotes, to backslashes and, as in HTML, to
/// ampersands.
private func quoted(_ lines: [String]) -> String {
    let lines = lines.map { $0.replacingScalars(["\"": "\\\"", "\\": "\\\\", "&": "&amp;"]) }
    return "\"\(lines.joined(separator: "\\n"))\""
}
