import Foundation

/// The options of the command line.
struct Options {
    var file = ""
    var edits: [String] = []
    var csv = false
    var watch = false
    var drawings: [Drawing] = []
    /// The file for the page of the record.
    var recording: String?
    var questions: [Question] = []
    /// The file for the journal of the edits, and whether it may replace an old one.
    var journal: String?
    var force = false
    /// The journal to repeat, and the edit whose result the shortest one has to have.
    var replay: String?
    var shrink: Sheet.Edit?
    var help = false

    static let usage = """
        usage: spreadsheet FILE [--set CELL=VALUE]... [--watch] [--csv] [--dot FILE] [--mermaid FILE]
                           [--why CELL]... [--why-not CELL]... [--record FILE] [--journal FILE] [--force]
               spreadsheet FILE --replay JOURNAL [--shrink CELL=VALUE]

        Reads comma-separated values (RFC 4180), in which a field that starts with '=' is a formula,
        and prints the computed sheet as a table.

          --set CELL=VALUE  edit a cell, and print each cell that changes with its old and new value;
                            VALUE may be a formula; several edits are made at once
          --watch           then read such edits line by line from standard input
          --csv             print comma-separated values; what is said about changes goes to
                            standard error, and under --watch the sheet is printed at the end
          --dot FILE        draw which cell is made from which, in Graphviz's language, after all edits;
                            FILE may be -, for standard output: try … --dot - | dot -Tsvg > sheet.svg
          --mermaid FILE    the same as a Mermaid flowchart
          --why CELL        then say why the cell holds what it holds
          --why-not CELL    then say what the edits set upstream of the cell, and where that stopped
          --record FILE     write a page that shows what each edit did: one HTML file, for any browser
          --journal FILE    write down the edits, so that --replay can make them again; an old file
                            is replaced only with --force
          --replay JOURNAL  make the edits of a journal
          --shrink CELL=VALUE
                            after that, print the shortest journal that leaves the cell with the value
          --help            print this

        Formulas have numbers, "text", TRUE, FALSE, + - * / ^ &, = <> < <= > >=, parentheses, cells
        (B2, $B$2), ranges (B2:B9), and SUM, AVERAGE, MIN, MAX, COUNT, IF, ROUND, ABS, SQRT, PMT.

        A text has at most 32,767 characters; a longer one is #VALUE!. A number is written as 1200.5, -3 or 2e6.
        Another way to write one, such as "1,200.50", 12% or (50), is a text. If a formula leaves such a text
        out of a range, a line on standard error says so, and the exit status is 2.

        Exit status: 0, or 2 for a file, an option or an edit that cannot be used, and for input or output
        that cannot be read or written.

        """

    init(_ arguments: [String]) throws(InputError) {
        var files: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--set":
                guard let edit = rest.popFirst() else { throw InputError(message: "--set needs CELL=VALUE after it") }
                edits.append(edit)
            case "--dot", "--mermaid":
                guard let file = rest.popFirst() else {
                    throw InputError(message: "\(argument) needs FILE after it, or - for standard output")
                }
                drawings.append(Drawing(language: argument == "--dot" ? .dot : .mermaid, file: file))
            case "--record":
                guard let file = rest.popFirst(), file != "-" else {
                    throw InputError(message: "--record needs FILE after it")
                }
                guard recording == nil else {
                    throw InputError(message: "--record: one page at a time, and \(file.quoted()) is the second")
                }
                recording = file
            case "--why", "--why-not":
                guard let text = rest.popFirst() else { throw InputError(message: "\(argument) needs CELL after it") }
                questions.append(try Question(isNegative: argument == "--why-not", about: text))
            case "--journal", "--replay":
                guard let file = rest.popFirst(), file != "-" else {
                    throw InputError(message: "\(argument) needs FILE after it")
                }
                guard (argument == "--journal" ? journal : replay) == nil else {
                    throw InputError(message: "\(argument): one journal at a time, and \(file.quoted()) is the second")
                }
                if argument == "--journal" { journal = file } else { replay = file }
            case "--shrink":
                guard let text = rest.popFirst() else {
                    throw InputError(message: "--shrink needs CELL=VALUE after it")
                }
                shrink = try Sheet.Edit(text)
            case "--force": force = true
            case "--csv": csv = true
            case "--watch": watch = true
            case "--help", "-h": help = true
            case "--":
                files += rest
                rest = []
            case _ where argument.hasPrefix("-") && argument != "-":
                throw InputError(message: "\(argument.quoted()): there is no such option; --help lists them")
            default: files.append(argument)
            }
        }
        guard !help else { return }
        guard let file = files.first else { throw InputError(message: "which file? --help says how to ask") }
        guard files.count == 1 else {
            throw InputError(message: "one file at a time, and \(files[1].quoted()) is the second")
        }
        self.file = file
        if replay != nil, journal != nil || watch || !edits.isEmpty {
            throw InputError(message: "--replay makes the edits of a journal, and no others")
        }
        if shrink != nil, replay == nil { throw InputError(message: "--shrink needs --replay JOURNAL") }
        let outputs = drawings.map(\.file) + [recording, journal].compactMap(\.self)
        for (place, output) in outputs.enumerated() {
            if Self.isSameFile(output, file) {
                throw InputError(message: "\(output.quoted()) is the sheet that is read; name another file to write to")
            }
            if outputs[..<place].contains(where: { Self.isSameFile($0, output) }) {
                throw InputError(message: "\(output.quoted()) is to be written twice; name two files")
            }
        }
        guard drawings.count(where: \.goesToStandardOutput) + (csv ? 1 : 0) <= 1 else {
            throw InputError(message: "standard output has room for one of --csv, --dot - and --mermaid -")
        }
    }

    /// True if two paths lead to one file, by links too.
    private static func isSameFile(_ one: String, _ other: String) -> Bool {
        guard one != "-", other != "-" else { return false }
        func place(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
        return place(one) == place(other)
    }

    /// True if standard output takes a table and reports of changes, rather than input of another program.
    var printsTable: Bool { !csv && !drawings.contains(where: \.goesToStandardOutput) }
}
