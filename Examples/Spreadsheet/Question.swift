import ReactGraph
import Streams

/// A question about a cell, answered after all edits.
struct Question: Equatable {
    let isNegative: Bool
    let address: CellAddress

    init(isNegative: Bool, about text: String) throws(InputError) {
        guard let address = CellAddress(text[...]) else {
            let option = isNegative ? "--why-not" : "--why"
            throw InputError(
                message: "\(option): \(text.quoted(cutAt: 40)) is no cell; cells are A1 to \(CellAddress.last)")
        }
        self.isNegative = isNegative
        self.address = address
    }

    func answer(_ sheet: Sheet, _ recorder: GraphRecorder, since moment: GraphMoment) -> String {
        guard let node = sheet.node(at: address) else { return "\(withoutNode(sheet))\n" }
        return isNegative ? "\(recorder.whyNot(node, since: moment))\n" : "\(recorder.why(node))\n"
    }
    private func withoutNode(_ sheet: Sheet) -> String {
        let readers = sheet.readers(inRange: address)
        guard !readers.isEmpty else { return "\(address) is empty, and no formula refers to it" }
        let names = readers.prefix(6).map(\.description).joined(separator: ", ") + (readers.count > 6 ? ", …" : "")
        return "\(address) is empty, and was never set; it is in a range of \(names)"
    }
}

/// The record of a sheet, from before the sheet is read. Kept only if an option asks for it.
struct Recording {
    let recorder: GraphRecorder
    private(set) var read: GraphMoment

    init?(_ options: Options) {
        guard options.recording != nil || !options.questions.isEmpty else { return nil }
        // Call sites are not recorded, because the lines of this program mean nothing to the author of a sheet.
        recorder = GraphRecorder(capacity: 1 << 18, sites: false)
        read = recorder.mark("begins")
    }
    mutating func markRead() { read = recorder.mark("the sheet is read") }
    func mark(_ edit: String) { recorder.mark(edit) }
    func answer(_ options: Options, _ sheet: Sheet, to write: (String) -> Void) {
        for question in options.questions {
            let answer = question.answer(sheet, recorder, since: read)
            write("\n\(answer.linesWithControlPictures)")
        }
    }
    /// The page shows the graph of the first cell that was asked about. Without one, it shows that of the first edited
    /// cell, or of the first formula.
    func page(of sheet: Sheet, _ edits: [Sheet.Edit], _ options: Options) -> String? {
        let wanted = options.questions.map(\.address) + edits.map(\.address)
        let cell = wanted.lazy.compactMap { sheet.node(at: $0) }.first ?? sheet.firstFormula
        return cell.map { recorder.page(of: $0, title: "The record of \(options.file)") }
    }
}
