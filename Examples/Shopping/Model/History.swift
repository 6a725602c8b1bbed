/// The versions of a document: those before the present one, and those that were undone.
nonisolated struct History: Equatable, Sendable {
    private(set) var present: Document
    private var past: [Document] = []
    private var future: [Document] = []

    init(_ present: Document) { self.present = present }

    var canUndo: Bool { !past.isEmpty }
    var canRedo: Bool { !future.isEmpty }

    /// Makes `document` the present version, if it differs.
    mutating func record(_ document: Document) {
        guard document != present else { return }
        past.append(present)
        present = document
        future = []
    }
    /// Goes one version back or forward, if there is one.
    mutating func go(_ step: Step) {
        switch step {
        case .undo:
            guard let version = past.popLast() else { return }
            future.append(present)
            present = version
        case .redo:
            guard let version = future.popLast() else { return }
            past.append(present)
            present = version
        }
    }
    enum Step: String, Codable, Sendable { case undo, redo }
}
