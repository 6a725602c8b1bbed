import Foundation
import ReactScheduling
import ShoppingModel
import Streams

/// The command.
@main enum Command {
    static let usage = """
        Usage: shopping [--file FILE] [--virtual]

        A shopping list, line by line, from standard input:
          type TEXT                types the name of a new item, for which the catalogue makes suggestions
          take NUMBER              adds a suggestion, 1 for the first
          enter                    adds what was typed
          add SECTION NAME         adds an item
          check ITEM               has bought an item, by the number behind its #; uncheck ITEM
          rename ITEM NAME
          remove ITEM
          clean                    removes what has been bought
          move ITEM SECTION ROW    drags an item to a row, 1 for the first
          search TEXT              shows the items whose names contain a text
          title TEXT
          undo, redo
          show                     prints the whole list
          wait TIME                such as 2s or 300ms
        With --file, the list is read from FILE, and saved there when it has not changed for a second.
        With --virtual, time is virtual: the same output every time, at once.

        """

    static func main() async {
        let console = Console("shopping")
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.help { return console.write(usage) }
            if try await !run(options, on: console) { exit(2) }
        } catch {
            console.complain("\(error)")
            exit(2)
        }
    }

    /// Runs the lines of standard input. Returns true if all could be run, and the list is saved.
    private static func run(_ options: Options, on console: Console) async throws -> Bool {
        let storage = options.file.map(Storage.file)
        let session = Session(try storage?.load() ?? Document(), storage: storage, isVirtual: options.isVirtual) {
            console.writeLine($0)
        }
        for try await line in console.lines() {
            if let message = await session.take(line) { console.complain(message) }
        }
        if let message = await session.end() { console.complain(message) }
        return !session.hasMistakes
    }
}

/// The options of the command line.
nonisolated struct Options: Equatable {
    var help = false
    var isVirtual = false
    /// The file of the list.
    var file: String?

    init(_ arguments: some Sequence<String>) throws(Mistake) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help": help = true
            case "--virtual": isVirtual = true
            case "--file":
                guard file == nil else { throw Mistake("--file was given twice") }
                guard let path = rest.popFirst() else { throw Mistake("--file: the file is missing") }
                file = path
            default: throw Mistake("\(argument): there is no such option; --help lists them")
            }
        }
    }
}

/// A mistake in a line or on the command line.
nonisolated struct Mistake: Error, Equatable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
