import Foundation

/// The options of the command line.
struct Options: Equatable {
    enum Pace: Equatable {
        /// On the virtual clock, as fast as possible.
        case fast
        /// On the real clock, this many times as fast as the trades were.
        case speed(Double)
    }
    var path: String
    var pace: Pace
    /// The number of rows, if only the symbols that are traded most often are shown.
    var top: Int?
    /// The file for the page of the record.
    var recording: String?

    static let usage = """
        Usage: ticker FILE [--speed N | --fast] [--top N] [--record PAGE]

        Replays the prices in FILE (CSV: time,symbol,price) and prints a live table.
          --speed N   N times as fast as it was; 1 unless said otherwise
          --fast      on the virtual clock: prints the last table, the same every time
          --top N     only the N symbols that are traded most often
          --record PAGE  writes what happened in the graph to an HTML file, for any browser

        """

    init(_ arguments: [String]) throws(InputError) {
        var path: String?
        var pace: Pace?
        recording = nil
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--fast":
                guard pace == nil else { throw InputError(message: "--fast: the speed has been given already.") }
                pace = .fast
            case "--speed":
                guard pace == nil else { throw InputError(message: "--speed: the speed has been given already.") }
                guard let text = rest.popFirst() else { throw InputError(message: "--speed: the number is missing.") }
                guard let factor = Double(text), factor >= 0.001, factor <= 1_000_000 else {
                    throw InputError(message: "--speed: “\(text)” is not a number from 0.001 to 1000000.")
                }
                pace = .speed(factor)
            case "--top":
                guard let text = rest.popFirst() else { throw InputError(message: "--top: the number is missing.") }
                guard let count = Int(text), (1...10_000).contains(count) else {
                    throw InputError(message: "--top: “\(text)” is not a number from 1 to 10000.")
                }
                top = count
            case "--record":
                guard let file = rest.popFirst() else { throw InputError(message: "--record: the file is missing.") }
                guard recording == nil else { throw InputError(message: "--record: the page has been given already.") }
                recording = file
            case _ where argument.hasPrefix("-"):
                throw InputError(message: "\(argument): there is no such option; --help lists them.")
            default:
                guard path == nil else { throw InputError(message: "\(argument): one file at a time, please.") }
                path = argument
            }
        }
        guard let path else { throw InputError(message: "the file of prices is missing.") }
        if let recording, Self.place(recording) == Self.place(path) {
            throw InputError(message: "--record: \(recording) is the file of prices. Name another file.")
        }
        self.path = path
        self.pace = pace ?? .speed(1)
    }

    /// Returns the place of a file, with all links followed.
    private static func place(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
}
