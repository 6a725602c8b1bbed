import ReactGraph
import Testing

typealias Snapshot = GraphSnapshot

/// A graph with a name to print, instead of the whole of it.
struct Sample: CustomTestStringConvertible {
    let testDescription: String
    let graph: Snapshot
}

/// Graphs written down by hand.
enum Samples {
    static let all = [
        Sample(testDescription: "chain", graph: chain),
        Sample(testDescription: "diamond", graph: diamond),
        Sample(testDescription: "ring", graph: ring),
        Sample(testDescription: "loose ends", graph: looseEnds),
        Sample(testDescription: "form", graph: form),
        Sample(testDescription: "hostile text", graph: hostile),
        Sample(testDescription: "nothing", graph: Snapshot(nodes: [])),
    ]

    static let chain = Snapshot(
        nodes: [
            node(0, "price", "20", isMutable: true),
            node(1, nil, "24", depth: 1),
            node(2, "label", "24 €", type: "String", depth: 2),
        ],
        edges: [edge("Map", 0, 1), edge("Map", 1, 2)]
    )

    static let diamond = Snapshot(
        nodes: [
            node(0, "width", "3", isMutable: true),
            node(1, "double", "6", depth: 1),
            node(2, "square", "9", depth: 1),
            node(3, nil, "(6, 9)", type: "(Int, Int)", depth: 2),
            node(4, "sum", "15", depth: 3, listeners: 2),
        ],
        edges: [
            edge("Map", 0, 1), edge("Map", 0, 2), edge("Combine", 1, 3), edge("Combine", 2, 3), edge("Map", 3, 4),
        ],
        listeners: [.init(id: 0, type: "Screen"), .init(id: 1, type: "Logger")],
        listenings: [.init(node: 4, listener: 0), .init(name: "audit", node: 4, listener: 1)]
    )

    /// Three nodes that sync, and one that comes from them.
    static let ring = Snapshot(
        nodes: [
            node(0, "celsius", "20.0", type: "Double", isMutable: true),
            node(1, "kelvin", "293.15", type: "Double", isMutable: true, depth: 1),
            node(2, "fahrenheit", "68.0", type: "Double", isMutable: true, depth: -1),
            node(3, "text", "68 °F", type: "String", depth: 0),
        ],
        edges: [edge("Map", 0, 1), edge("Map", 1, 2), edge("Map", 2, 0), edge("Map", 2, 3)]
    )

    static let looseEnds = Snapshot(
        nodes: [
            node(0, "input", nil, type: "Data", isMutable: true),
            node(1, "output", nil, type: "Data", depth: 1),
        ],
        edges: [
            edge("Link", 0, 1), edge("Link", 0, 1), edge("Decode", nil, 0), edge("Encode", 1, nil),
            .init(name: "Zip", from: 0, to: 1, waitingCount: 12),
        ]
    )

    static let form = Snapshot(
        nodes: [
            node(0, "login.user", "ada", type: "String", isMutable: true),
            node(1, "login.password", nil, type: "String", isMutable: true),
            node(2, "login.valid", "false", type: "Bool", depth: 1),
            node(3, "page.title", "Log in", type: "String", isMutable: true),
            node(4, "page.text", "Log in: ada", type: "String", depth: 1),
            node(5, "button", "false", type: "Bool", depth: 2),
        ],
        edges: [
            edge("Combine", 0, 2), edge("Combine", 1, 2), edge("Combine", 3, 4), edge("Combine", 0, 4),
            edge("Fork", 2, 5),
        ]
    )

    static let hostile = Snapshot(
        nodes: hostileTexts.enumerated().map { index, text in node(index, text.text, text.text, type: text.text) },
        edges: hostileTexts.indices.map { edge(hostileTexts[$0].text, $0, ($0 + 1) % hostileTexts.count) },
        listeners: hostileTexts.enumerated().map { .init(id: $0, type: $1.text) },
        listenings: hostileTexts.enumerated().map { .init(name: $1.text, node: $0, listener: $0) }
    )

    /// Texts that break writers, and how each has to look in a label of 40 characters.
    static let hostileTexts: [(text: String, shown: String)] = [
        ("say \"hi\"", "say \"hi\""),
        ("C:\\new\\", "C:\\new\\"),
        ("\\N \\G \\l \\\"", "\\N \\G \\l \\\""),
        ("two\nlines\r\nor\u{2028}more", "two↵lines↵↵or↵more"),
        ("<b>bold</b> & <br/>", "<b>bold</b> & <br/>"),
        ("&amp; &lt; &#65; &nonsense;", "&amp; &lt; &#65; &nonsense;"),
        ("<", "<"),
        ("\u{0}\u{1}\t\u{1B}[31m\u{7F}\u{85}", "␀␁␉␛[31m␡�"),
        ("\u{202E}gnihtyreve\u{2066}", "�gnihtyreve�"),
        ("\u{FFFE}\u{FFFF}\u{1FFFE}", "���"),
        ("👩‍👩‍👧‍👦 🇫🇷 é 你好", "👩‍👩‍👧‍👦 🇫🇷 é 你好"),
        ("}; digraph { /* // #", "}; digraph { /* // #"),
        ("a -> b [label=x]", "a -> b [label=x]"),
        ("%%{init: {}}%% `end` *x* #quot; #35;", "%%{init: {}}%% `end` *x* #quot; #35;"),
        ("end", "end"),
        (" ", " "),
        (String(repeating: "x", count: 40), String(repeating: "x", count: 40)),
        (String(repeating: "x", count: 41), String(repeating: "x", count: 40) + "…"),
        (String(repeating: "\"\\", count: 5_000), String(repeating: "\"\\", count: 20) + "…"),
        (String(repeating: "🧨", count: 2_500), String(repeating: "🧨", count: 40) + "…"),
        ("e" + String(repeating: "\u{301}", count: 10_000), "e" + String(repeating: "\u{301}", count: 159) + "…"),
    ]

    static func node(
        _ id: Int,
        _ name: String?,
        _ value: String?,
        type: String = "Int",
        isMutable: Bool = false,
        depth: Int = 0,
        listeners: Int = 0
    ) -> Snapshot.Node {
        Snapshot.Node(
            id: id,
            name: name,
            valueType: type,
            value: value,
            isMutable: isMutable,
            depth: depth,
            listenerCount: listeners
        )
    }

    static func edge(_ name: String, _ from: Int?, _ to: Int?) -> Snapshot.Edge {
        Snapshot.Edge(name: name, from: from, to: to)
    }
}
