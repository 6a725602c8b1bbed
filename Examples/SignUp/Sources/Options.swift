import Foundation

/// The options of the command line.
struct Options: Equatable {
    var help = false
    var script: String?
    /// The file for the journal.
    var journal: String?
    /// The journal to repeat, and the goal of its shortest part.
    var replay: String?
    var shrink: String?

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        var force = false
        while let argument = rest.popFirst() {
            func file(_ known: String?) throws(Mistake) -> String {
                guard known == nil else { throw Mistake("\(argument) was given twice") }
                guard let file = rest.popFirst() else { throw Mistake("\(argument): the file is missing") }
                return file
            }
            switch argument {
            case "--help": help = true
            case "--force": force = true
            case "--script": script = try file(script)
            case "--journal": journal = try file(journal)
            case "--replay": replay = try file(replay)
            case "--shrink":
                guard let goal = rest.popFirst() else { throw Mistake("--shrink: NODE=TEXT is missing") }
                shrink = goal
            default: throw Mistake("\(argument): there is no such option; --help lists them")
            }
        }
        if replay != nil, script != nil || journal != nil {
            throw Mistake("--replay stands without --script and --journal")
        }
        if shrink != nil, replay == nil { throw Mistake("--shrink needs --replay JOURNAL") }
        if let journal, !force, FileManager.default.fileExists(atPath: journal) {
            throw Mistake("\(journal): it exists; --force replaces it")
        }
    }
}
