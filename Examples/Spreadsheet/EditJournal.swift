import Foundation
import ReactCore
import ReactGraph

/// A journal of the edits of a sheet. Its one source holds the edits that are made at once, as they were typed.
struct EditJournal {
    private let entered: MutableNode<[String]>
    private let recorder: JournalRecorder

    /// Begins to record.
    init() {
        entered = MutableNode()
        recorder = JournalRecorder(of: EditJournal.sources(entered))
    }
    /// Notes edits that are made at once.
    func note(_ edits: [String]) { entered.value = edits }

    /// Ends the recording, and writes the journal.
    func write(to file: String) throws(InputError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(recorder.stop()) else {
            throw InputError(message: "cannot write \(file.quoted()): the journal cannot be encoded")
        }
        try Drawing.write(String(decoding: data, as: UTF8.self) + "\n", to: file)
    }
    /// Reads a journal that `write` has written.
    static func read(_ file: String) throws(InputError) -> Journal {
        let bytes = try bytes(ofFile: file)
        do {
            return try JSONDecoder().decode(Journal.self, from: Data(bytes))
        } catch {
            throw InputError(message: "\(file.quoted()) is no journal, or was cut")
        }
    }
    /// Returns the edits of each step, in order. `file` is the name of the journal in messages.
    static func edits(of journal: Journal, in file: String) throws(InputError) -> [[Sheet.Edit]] {
        let entered = MutableNode<[String]>(), sources = sources(entered)
        var edits: [[Sheet.Edit]] = []
        for (index, step) in journal.steps.enumerated() {
            let place = "\(file.quoted()), step \(index + 1)"
            do {
                // A step that sets nothing leaves the source empty.
                try Journal(steps: [step], isComplete: journal.isComplete).replay(into: sources)
            } catch {
                throw InputError(message: "\(place): \(error)")
            }
            guard let texts = entered.value else { continue }
            var made: [Sheet.Edit] = []
            for text in texts {
                do throws(InputError) {
                    made.append(try Sheet.Edit(text))
                } catch {
                    throw InputError(message: "\(place): \(error.message)")
                }
            }
            edits.append(made)
        }
        return edits
    }
    private static func sources(_ entered: MutableNode<[String]>) -> JournalSources {
        var sources = JournalSources()
        sources.add(entered, named: "edits")
        return sources
    }
}

extension Journal {
    /// The shortest journal that leaves a cell with the value that `wanted` gives it. `load` makes the sheet anew.
    func shrunk(
        to wanted: Sheet.Edit, in file: String, _ load: () throws(InputError) -> Sheet
    ) throws(InputError) -> Journal {
        guard case .constant(let text) = wanted.content else {
            throw InputError(
                message: "--shrink: the value of \(wanted.address) is a formula; give the value that it has")
        }
        let value = CellValue(constant: text)
        func leavesSo(_ journal: Journal) throws(InputError) -> (Bool, CellValue) {
            let sheet = try load()
            for edits in try EditJournal.edits(of: journal, in: file) { sheet.apply(edits) }
            return (sheet[wanted.address] == value, sheet[wanted.address])
        }
        let (holds, found) = try leavesSo(self)
        guard holds else {
            let state = found == .empty ? "empty" : found.plainText.quoted()
            throw InputError(
                message: "--shrink: after \(file.quoted()), \(wanted.address) is \(state), and not \(text.quoted()); "
                    + "give the value that it has")
        }
        do {
            return try shrunk { journal in try leavesSo(journal).0 }
        } catch {
            throw error as? InputError ?? InputError(message: "\(error)")
        }
    }
}
