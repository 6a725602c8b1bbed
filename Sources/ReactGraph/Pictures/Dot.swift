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
        Diagram(self, options: options).text(in: Dot(direction: options.direction))
    }
}

/// Graphviz's language.
struct Dot: DiagramLanguage {
    let direction: DiagramOptions.Direction

    var head: [String] {
        let font = "fontname=\"Helvetica,Arial,sans-serif\", fontsize="
        return [
            "graph [rankdir=\(direction.code), nodesep=0.2, ranksep=0.6, \(font)12]",
            "node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", color=\"#333333\", \(font)12, margin=\"0.16,0.08\"]",
            "edge [color=\"#333333\", fontcolor=\"#444444\", \(font)10, arrowsize=0.8]",
        ]
    }
    func frame(_ index: Int, _ title: String) -> (begin: [String], end: [String]) {
        let style = "style=\"rounded,filled\"; color=\"#999999\"; fillcolor=\"#f4f4f4\""
        return (["subgraph cluster_\(index) {", "    label=\(quoted([title])); \(style)"], ["}"])
    }
    func box(_ box: Diagram.Box) -> String {
        var attributes = ["label=\(quoted(box.lines))"]
        if box.isCombination { attributes += ["shape=hexagon", "margin=\"0.04,0.04\""] }
        // One attribute, `style`, holds the corners, the filling and the kind of line.
        let corners = box.isMutable || box.isCombination ? "" : "rounded,"
        let line = box.mark == .gone ? ",dotted" : box.isEmpty ? ",dashed" : ""
        if corners.isEmpty || !line.isEmpty { attributes.append("style=\"\(corners)filled\(line)\"") }
        if box.isMutable || box.isCombination {
            attributes.append("fillcolor=\"\(box.isMutable ? "#ffe9a8" : "#dbe8ff")\"")
        }
        if box.isMutable || box.mark == .new || box.mark == .changed { attributes.append("penwidth=2") }
        attributes += box.mark.color(isInRing: box.isInRing)
        if box.mark == .gone || box.isEmpty { attributes.append("fontcolor=\"#6a6a6a\"") }
        return "\(box.id) [\(attributes.joined(separator: ", "))]"
    }
    func looseEnd(_ id: String) -> String { "\(id) [shape=point, width=0.09, label=\"\"]" }
    func arrow(_ arrow: Diagram.Arrow) -> String {
        var attributes = ["label=\(label(arrow.label))"]
        if arrow.mark == .gone { attributes.append("style=dotted") }
        if arrow.isInRing || arrow.mark == .new { attributes.append("penwidth=2") }
        attributes += arrow.mark.color(isInRing: arrow.isInRing)
        return "\(arrow.from) -> \(arrow.to) [\(attributes.joined(separator: ", "))]"
    }
    func listener(_ id: String, _ title: String) -> String {
        "\(id) [label=\(quoted([title])), shape=ellipse, style=filled, fillcolor=\"#e2f3dc\"]"
    }
    func listening(_ node: String, _ listener: String, _ name: String?) -> String {
        "\(node) -> \(listener) [style=dashed, arrowhead=vee\(name.map { ", label=\(label($0))" } ?? "")]"
    }
    func document(_ statements: String, _ diagram: Diagram) -> String { "digraph {\n\(statements)}\n" }

    /// Returns the label of an arrow. That of a vertical one stands between no-break spaces, because Graphviz draws it
    /// close to the line.
    private func label(_ text: String) -> String {
        let space = direction.isVertical && !text.isEmpty ? "\u{A0}" : ""
        return quoted([space + text + space])
    }
    /// Returns a label of one or more lines. In it, DOT gives a meaning to quotes, to backslashes and, as in HTML, to
    /// ampersands. A character that begins with a prepended mark may contain one of these, so scalars are replaced.
    private func quoted(_ lines: [String]) -> String {
        let escapes: [Unicode.Scalar: String] = ["\"": "\\\"", "\\": "\\\\", "&": "&amp;"]
        let lines = lines.map { $0.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() }
        return "\"\(lines.joined(separator: "\\n"))\""
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
