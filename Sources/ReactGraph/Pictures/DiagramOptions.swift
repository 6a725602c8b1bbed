import ReactCore

/// The appearance of a graph in DOT and in Mermaid.
///
///     let node = MutableNode(1)
///     let options = DiagramOptions(direction: .topToBottom, showsValues: false)
///     print(node.graph.mermaid(options).prefix(12))       // flowchart TB
public struct DiagramOptions: Sendable, Equatable {
    /// The direction in which values flow.
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

    /// The direction in which values flow.
    public var direction: Direction
    /// If true, nodes show their values.
    public var showsValues: Bool
    /// If true, listeners are drawn.
    public var showsListeners: Bool
    /// If true, nodes whose names share a prefix before the first dot are framed together: `login.user` and
    /// `login.password` as "login".
    public var groupsByPrefix: Bool
    /// If true, an unnamed node where several edges of one operator meet is drawn as that operator. It shows the
    /// operator's name instead of type and value, and its incoming edges have no labels.
    public var foldsCombinations: Bool
    /// The greatest number of characters of a name or a value. A longer text is cut and ends in an ellipsis.
    public var textLimit: Int

    /// Creates options. A parameter that is left out has the default of `dot` and `mermaid`. Safe from any thread.
    ///
    /// - Precondition: `textLimit > 0`. The message names the caller's `file` and `line`.
    public init(
        direction: Direction = .leftToRight, showsValues: Bool = true, showsListeners: Bool = true,
        groupsByPrefix: Bool = false, foldsCombinations: Bool = false, textLimit: Int = 40,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        require(
            textLimit > 0,
            "DiagramOptions(textLimit: \(textLimit)): a label needs room for one character at least. Make textLimit 1 or more.",
            file: file, line: line)
        (self.direction, self.showsValues, self.showsListeners) = (direction, showsValues, showsListeners)
        (self.groupsByPrefix, self.foldsCombinations) = (groupsByPrefix, foldsCombinations)
        self.textLimit = textLimit
    }
}

extension DiagramOptions.Direction {
    /// The name of the direction in DOT and Mermaid.
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
