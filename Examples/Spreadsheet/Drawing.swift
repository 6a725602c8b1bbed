import Foundation
import ReactGraph

/// A picture of the sheet's graph that is asked for: in which language, and where it goes.
struct Drawing: Equatable {
    enum Language { case dot, mermaid }

    let language: Language
    /// A path, or `-`.
    let file: String

    var goesToStandardOutput: Bool { file == "-" }

    func text(of sheet: Sheet) -> String {
        switch language {
        case .dot: sheet.dependencies.dot
        case .mermaid: sheet.dependencies.mermaid
        }
    }

    /// Writes the picture whole, or leaves what was there before.
    func write(_ sheet: Sheet, toStandardOutput write: (String) -> Void) throws(InputError) {
        let text = text(of: sheet)
        guard !goesToStandardOutput else { return write(text) }
        do {
            // What is no regular file, such as a pipe, cannot be replaced as a whole.
            let type = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
            let isReplaceable = type == nil || type == .typeRegular
            try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: isReplaceable ? .atomic : [])
        } catch {
            throw InputError(message: "cannot write \(file.quoted()): \(error.reason)")
        }
    }
}

extension Error {
    /// Why something failed, on one line.
    fileprivate var reason: String {
        let error = self as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        return (underlying ?? error).localizedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension Sheet {
    /// Which cell is made from which, as a picture of the sheet should show it: the graph without the combinations
    /// that stand between the cells, and each formula with its cell.
    ///
    /// Hundreds of arrows from one cell, or to one, would cover everything else, and keep Graphviz busy for minutes. A cell that
    /// very many formulas refer to is drawn again beside each of them, and very many inputs of a formula as one box.
    var dependencies: GraphSnapshot {
        let crowd = 24
        let graph = self.graph
        let inputs = Dictionary(grouping: graph.edges, by: \.to).mapValues { $0.compactMap(\.from) }
        let formulas = Dictionary(graph.edges.compactMap { edge in edge.to.map { ($0, edge) } }) { first, _ in first }
        let dependants = Dictionary(grouping: graph.edges, by: \.from).mapValues(\.count)

        var nodes: [GraphSnapshot.Node] = []
        var edges: [GraphSnapshot.Edge] = []
        var nextID = graph.nodes.count
        for cell in graph.nodes {
            guard let name = cell.name else { continue }
            guard let formula = formulas[cell.id], let combination = formula.from else {
                nodes.append(cell)
                continue
            }
            nodes.append(cell.named("\(name) \(formula.name)", id: cell.id, isMutable: false))
            let sources = (inputs[combination] ?? []).map { graph.nodes[$0] }
            if sources.count > crowd, let first = sources.first?.name, let last = sources.last?.name {
                nodes.append(
                    .init(id: nextID, name: "\(first) … \(last)", valueType: "", value: "\(sources.count) cells"))
                edges.append(.init(name: "", from: nextID, to: cell.id))
                nextID += 1
                continue
            }
            for source in sources {
                guard dependants[source.id, default: 0] > crowd else {
                    edges.append(.init(name: "", from: source.id, to: cell.id))
                    continue
                }
                nodes.append(source.named(source.name, id: nextID, isMutable: source.isMutable))
                edges.append(.init(name: "", from: nextID, to: cell.id))
                nextID += 1
            }
        }
        return GraphSnapshot(nodes: nodes, edges: edges)
    }
}

extension GraphSnapshot.Node {
    fileprivate func named(_ name: String?, id: Int, isMutable: Bool) -> Self {
        Self(id: id, name: name, valueType: valueType, value: value, isMutable: isMutable, listenerCount: listenerCount)
    }
}
