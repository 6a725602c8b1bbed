import ReactCore

/// How a graph is drawn, in DOT and in Mermaid.
///
///     let node = MutableNode(1)
///     let options = DiagramOptions(direction: .topToBottom, showsValues: false)
///     print(node.graph.mermaid(options).prefix(12))       // flowchart TB
public struct DiagramOptions: Sendable, Equatable {
    /// Which way values flow.
    public enum Direction: Sendable {
        /// Values flow to the right.
        case leftToRight
        /// Values flow down.
        case topToBottom
        /// Values flow to the left.
        case rightToLeft
        /// Values flow up.
        case bottomToTop
    }

    /// Which way values flow.
    public var direction: Direction
    /// Whether nodes tell their values.
    public var showsValues: Bool
    /// Whether the objects that listen are drawn.
    public var showsListeners: Bool
    /// Whether nodes whose names share a prefix before the first dot are framed together:
    /// `login.user` and `login.password` as "login".
    public var groupsByPrefix: Bool
    /// Whether a node without a name where several edges of one operator meet is drawn as that operator: with its name
    /// in place of the type and the value, and no labels on the edges that lead there.
    public var foldsCombinations: Bool
    /// How many characters of a name or a value are shown. What is longer is cut, and ends in an ellipsis.
    public var textLimit: Int

    /// Options, of which those that are left out are as `dot` and `mermaid` have them.
    ///
    /// - Precondition: `textLimit > 0`.
    public init(
        direction: Direction = .leftToRight,
        showsValues: Bool = true,
        showsListeners: Bool = true,
        groupsByPrefix: Bool = false,
        foldsCombinations: Bool = false,
        textLimit: Int = 40
    ) {
        require(textLimit > 0, "A label needs room for one character at least: make textLimit 1 or more.")
        self.direction = direction
        self.showsValues = showsValues
        self.showsListeners = showsListeners
        self.groupsByPrefix = groupsByPrefix
        self.foldsCombinations = foldsCombinations
        self.textLimit = textLimit
    }
}

extension DiagramOptions.Direction {
    /// What DOT and Mermaid both call it.
    var code: String {
        switch self {
        case .leftToRight: "LR"
        case .topToBottom: "TB"
        case .rightToLeft: "RL"
        case .bottomToTop: "BT"
        }
    }

    var isVertical: Bool { self == .topToBottom || self == .bottomToTop }
}
