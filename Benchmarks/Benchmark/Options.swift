import Foundation

/// The reason that stops a run, in one line.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The command line.
struct Options {
    static let fewestSamples = 11
    static let usage = """
        usage: benchmark [--filter WORDS]… [--samples N] [--json FILE] [--compare FILE] [--plot FILE] [--record]
                         [--profile | --list | --main-thread]

          --filter WORDS  only the cases whose label (“chain 100”) begins with these words; may be given several times
          --samples N     samples per case, at least \(fewestSamples); 31 unless told
          --json FILE     write the rows to FILE
          --compare FILE  read an earlier run from FILE, and print what has changed, the worst first
          --plot FILE     draw the cases against their baselines, as SVG
          --record        with a flight recorder on
          --profile       measure each case twice and no baseline, for a profiler that looks at the function `time`
          --main-thread   print how long sets on the main thread take beside three busy threads, and measure nothing else
          --list          print the labels of the cases, and measure nothing
        """

    var filters: [String] = []
    var samples = 31
    var json: String?
    var compare: String?
    var plot: String?
    var isRecording = false
    var isProfiling = false
    var isListing = false
    var isOfMainThread = false
    var isAskingForHelp = false

    init(_ arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        while let option = rest.next() {
            func value() throws -> String {
                guard let value = rest.next(), !value.isEmpty else {
                    throw Failure("\(option) needs a value; see --help")
                }
                return value
            }
            switch option {
            case "--filter": filters.append(try value())
            case "--samples": samples = try Self.samples(value())
            case "--json": json = try Self.writable(value(), for: option)
            case "--compare": compare = try value()
            case "--plot": plot = try Self.writable(value(), for: option)
            case "--record": isRecording = true
            case "--profile": isProfiling = true
            case "--list": isListing = true
            case "--main-thread": isOfMainThread = true
            case "--help", "-h": isAskingForHelp = true
            default: throw Failure("unknown argument “\(option)”; see --help")
            }
        }
    }

    private static func samples(_ text: String) throws -> Int {
        guard let number = Int(text), number >= fewestSamples else {
            throw Failure("--samples must be a whole number of at least \(fewestSamples), not “\(text)”")
        }
        return number
    }

    /// The file, or the target of the link. The file is replaced as a whole, and the run fails at its start if that is
    /// impossible.
    private static func writable(_ path: String, for option: String) throws -> String {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        var isDirectory: ObjCBool = false
        let folder = file.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw Failure("\(option): there is no folder \(folder)")
        }
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw Failure("\(option): \(path) is a folder")
        }
        let type = try? FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
        guard type == nil || type == .typeRegular else {
            throw Failure("\(option): \(path) is no regular file, which could be replaced as a whole")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw Failure("\(option): the folder \(folder) cannot be written to")
        }
        return file.path
    }
}
