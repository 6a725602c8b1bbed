import Foundation
import ReactGraph

/// A requested picture of the sheet's graph: its language, and the file for it.
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

    /// Writes the whole picture, or leaves the old file intact.
    func write(_ sheet: Sheet, toStandardOutput write: (String) -> Void) throws(InputError) {
        let text = text(of: sheet)
        guard !goesToStandardOutput else { return write(text) }
        try Self.write(text, to: file)
    }
    static func write(_ text: String, to file: String) throws(InputError) {
        do {
            try Data(text.utf8).writeWhole(to: file)
        } catch {
            throw InputError(message: "cannot write \(file.quoted()): \(error.reason)")
        }
    }
}

extension Data {
    /// Writes a whole file, or leaves the old file intact. If the path is a link, writes the file that the link leads
    /// to. Anything but a regular file, such as a pipe, cannot be replaced as a whole.
    fileprivate func writeWhole(to path: String) throws {
        var target = path
        // Follows as many links as a system does. Names in these folders stand for files that are already open.
        for _ in 0..<40 where !["/dev/", "/proc/"].contains(where: target.hasPrefix) {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { break }
            let folder = URL(fileURLWithPath: target).deletingLastPathComponent()
            target = URL(fileURLWithPath: next, relativeTo: folder).path
        }
        let type = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        let isReplaceable = type == nil || type == .typeRegular
        try write(to: URL(fileURLWithPath: target), options: isReplaceable ? .atomic : [])
    }
}

extension Error {
    /// The reason of the failure, on one line.
    fileprivate var reason: String {
        let error = self as NSError
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        return (underlying ?? error).localizedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension Sheet {
    /// The dependencies of cells, for a picture of the sheet: the graph without the combinations between the cells, and
    /// each formula with its cell.
    ///
    /// Hundreds of arrows from one cell, or to one cell, would cover everything else, and keep Graphviz busy for
    /// minutes. A cell to which more than 24 formulas refer is therefore drawn again beside each of them. More than 24
    /// inputs of a formula are drawn as one box.
    var dependencies: GraphSnapshot {
        let crowd = 24
        let formulas = formulaAddresses.map { (address: $0, formula: formula(at: $0)!) }
        var dependants: [CellAddress: Int] = [:]
        for (_, formula) in formulas { for cell in formula.references { dependants[cell, default: 0] += 1 } }

        var picture = DependencyPicture(sheet: self)
        for (address, formula) in formulas { picture.add(address, titled: "\(address) \(formula.text)") }
        for (address, formula) in formulas {
            if formula.references.count > crowd, let first = formula.references.first,
                let last = formula.references.last
            {
                picture.addBox("\(first) … \(last)", of: formula.references.count, leadingTo: address)
            } else {
                for cell in formula.references {
                    picture.addArrow(from: cell, to: address, apart: dependants[cell]! > crowd)
                }
            }
            for range in formula.ranges { picture.addBox(range.description, of: range.count, leadingTo: address) }
        }
        return GraphSnapshot(nodes: picture.nodes, edges: picture.edges)
    }
}

private struct DependencyPicture {
    let sheet: Sheet
    private(set) var nodes: [GraphSnapshot.Node] = []
    private(set) var edges: [GraphSnapshot.Edge] = []
    private var ids: [CellAddress: Int] = [:]

    init(sheet: Sheet) {
        self.sheet = sheet
    }

    /// Adds a cell with a formula.
    mutating func add(_ address: CellAddress, titled title: String) {
        ids[address] = add(title, value: sheet[address].description, isMutable: false)
    }

    /// Draws an arrow, and the cell that it comes from, if that is not drawn yet. If the cell is to stand `apart`,
    /// draws it again.
    mutating func addArrow(from source: CellAddress, to destination: CellAddress, apart: Bool) {
        let known = apart ? nil : ids[source]
        let isMutable = sheet.formula(at: source) == nil
        let id = known ?? add(source.description, value: sheet[source].description, isMutable: isMutable)
        if !apart { ids[source] = id }
        edges.append(.init(name: "", from: id, to: ids[destination]))
    }

    /// Draws one box for many cells.
    mutating func addBox(_ title: String, of count: Int, leadingTo destination: CellAddress) {
        let id = add(title, value: "\(count) cells", isMutable: false)
        edges.append(.init(name: "", from: id, to: ids[destination]))
    }

    private mutating func add(_ title: String, value: String, isMutable: Bool) -> Int {
        nodes.append(.init(id: nodes.count, name: title, valueType: "CellValue", value: value, isMutable: isMutable))
        return nodes.count - 1
    }
}
