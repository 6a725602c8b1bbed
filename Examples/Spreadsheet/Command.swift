import Foundation
import Streams

/// The `spreadsheet` command, apart from the process that it runs in.
struct Command {
    /// The inputs and outputs of the command.
    struct Console {
        /// Waits for the next line of input, and returns it without its line end. Returns `nil` at the end.
        var readLine: () -> [UInt8]?
        var write: (String) -> Void
        var writeError: (String) -> Void
        /// The reason why there was no next line, if that was not the end of the input.
        var inputFailure: () -> String? = { nil }
        /// Shows the progress of a long load, in place of the line before. `nil` clears the line.
        var showProgress: (String?) -> Void = { _ in }
        /// Called with the exit status when all output is written and the sheet still exists. A process may end at
        /// once, because releasing a million cells takes as long as making them.
        var didFinish: (Int32) -> Void = { _ in }
    }

    let console: Console

    /// Returns the exit status.
    func run(_ arguments: [String]) -> Int32 {
        do throws(InputError) {
            return try run(Options(arguments))
        } catch {
            complain(error.message)
            return 2
        }
    }

    private func run(_ options: Options) throws(InputError) -> Int32 {
        guard !options.help else {
            console.write(Options.usage)
            return 0
        }
        var status: Int32 = 0
        var edits: [Sheet.Edit] = []
        for edit in options.edits { edits.append(try Sheet.Edit(edit)) }
        if let file = options.journal, !options.force, FileManager.default.fileExists(atPath: file) {
            throw InputError(message: "\(file.quoted()) exists; --force replaces it")
        }
        let repeated = try options.replay.map { file throws(InputError) in try EditJournal.read(file) }
        let steps = try repeated.map { journal throws(InputError) in
            try EditJournal.edits(of: journal, in: options.replay ?? "")
        }
        let journal = options.journal.map { _ in EditJournal() }
        var recording = Recording(options)
        let sheet = try load(options.file)
        func complainOfLookalikes() {
            for message in sheet.takeLeftOut() {
                complain(message)
                status = 2
            }
        }
        complainOfLookalikes()
        sheet.showLinking = { [unowned sheet] done in
            console.showProgress(done.map { "linking \(options.file): \($0) of \(sheet.formulaCount) formulas" })
        }
        // A record shows the effect of an edit on a graph that existed before it.
        if recording != nil { sheet.link() }
        recording?.markRead()
        if !edits.isEmpty { recording?.mark(options.edits.joined(separator: ", ")) }
        let report = options.printsTable ? console.write : console.writeError

        if !edits.isEmpty { journal?.note(options.edits) }
        let recalculation = edits.isEmpty ? nil : sheet.apply(edits)
        if options.printsTable {
            Table(sheet).write(to: console.write)
        } else if options.csv, !options.watch {
            sheet.writeCSV(to: console.write)
        }
        if let recalculation {
            if options.printsTable { report("\n") }
            recalculation.write(to: report)
            complainOfLookalikes()
        }
        for step in steps ?? [] {
            recording?.mark("replay")
            sheet.apply(step).write(to: report)
            edits += step
            complainOfLookalikes()
        }
        if let wanted = options.shrink, let repeated {
            let short = try repeated.shrunk(to: wanted, in: options.replay ?? "") { () throws(InputError) in
                try load(options.file)
            }
            report("\(short.description.linesWithControlPictures)\n")
        }
        if options.watch {
            edits += try watch(sheet, recording, journal, &status, reportTo: report)
            if options.csv { sheet.writeCSV(to: console.write) }
        }
        for drawing in options.drawings { try drawing.write(sheet, toStandardOutput: console.write) }
        recording?.answer(options, sheet, to: report)
        if let file = options.recording {
            guard let page = recording?.page(of: sheet, edits, options) else {
                let file = options.file.quoted(cutAt: 80)
                throw InputError(message: "--record: \(file) has no formula and no edit to show")
            }
            try Drawing.write(page, to: file)
        }
        if let file = options.journal { try journal?.write(to: file) }
        withExtendedLifetime(sheet) { console.didFinish(status) }
        return status
    }

    private func load(_ file: String) throws(InputError) -> Sheet {
        defer { console.showProgress(nil) }
        return try Sheet(contentsOfFile: file) { console.showProgress($0) }
    }

    /// Applies the edits of the input, and returns them if a page is to show them. A line that is no edit is skipped.
    private func watch(
        _ sheet: Sheet, _ recording: Recording?, _ journal: EditJournal?, _ status: inout Int32,
        reportTo report: (String) -> Void
    ) throws(InputError) -> [Sheet.Edit] {
        var edits: [Sheet.Edit] = []
        var number = 0
        while let bytes = console.readLine() {
            number += 1
            do throws(InputError) {
                guard let line = String(validating: bytes, as: UTF8.self) else {
                    throw InputError(message: "the line is not UTF-8")
                }
                guard !line.allSatisfy(\.isWhitespace) else { continue }
                let edit = try Sheet.Edit(line)
                recording?.mark(line.trimmingCharacters(in: .whitespaces))
                journal?.note([line.trimmingCharacters(in: .whitespaces)])
                sheet.apply([edit]).write(to: report)
                if recording != nil { edits.append(edit) }
                for message in sheet.takeLeftOut() {
                    complain("standard input:\(number): \(message)")
                    status = 2
                }
            } catch {
                complain("standard input:\(number): \(error.message)")
                status = 2
            }
        }
        if let reason = console.inputFailure() { throw InputError(message: "cannot read standard input: \(reason)") }
        return edits
    }

    private func complain(_ message: String) {
        console.writeError("spreadsheet: \(message.withControlPictures)\n")
    }
}

extension Sheet.Edit {
    /// Reads `CELL=VALUE`. The value may be empty, or a formula with its own `=`. Spaces around either are ignored.
    init(_ text: String) throws(InputError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let address = CellAddress(parts[0].trimmingCharacters(in: .whitespaces)) else {
            let expected = "expected CELL=VALUE, with a cell from A1 to \(CellAddress.last)"
            throw InputError(message: "\(text.quoted(cutAt: 40)) is no edit: \(expected)")
        }
        do throws(FormulaError) {
            self.init(address: address, content: try Sheet.Content(parts[1].trimmingCharacters(in: .whitespaces)))
        } catch {
            throw InputError(message: "\(text.quoted(cutAt: 40)) is no edit: \(address), \(error)")
        }
    }
}

extension Sheet.Recalculation {
    /// Writes each change on a line, and then the number of evaluations.
    func write(to write: (String) -> Void) {
        for change in changes { write("\(change)\n") }
        write("\(evaluated.count) of \(formulaCount) formula cells recomputed\n")
    }
}

extension Sheet.Change: CustomStringConvertible {
    var description: String {
        var texts = (old.reportText, new.reportText)
        if texts.0 == texts.1 { texts = (old.plainText, new.plainText) }
        return "\(address): \(texts.0) -> \(texts.1)"
    }
}

extension CellValue {
    fileprivate var reportText: String {
        switch self {
        case .empty: "(empty)"
        case .text(let text): text.quoted()
        case .number, .bool, .error: description
        }
    }
}
