import Foundation

/// Hammers the library from several threads, and checks its promises all the while.
///
///     swift run -c release soak [--seconds N] [--seed S]
@main
enum Soak {
    static let checks = [
        oneOrder, exactUpdates, wholeBatches, settingRings, storms, contendedAttach, mortalListeners, misbehaviour,
        depth, shapes, recorded, recordedMemory,
    ]
    /// The checks that run only if they are named.
    static let others = [oneRecorder]

    static func main() {
        let options: Options
        do {
            options = try Options(CommandLine.arguments.dropFirst())
        } catch {
            complain("\(error)")
            exit(2)
        }
        if options.isAskingForHelp { return print(Options.usage) }
        Watchdog.enableBacktracesOfAllThreads()
        if !run(options) { exit(1) }
    }

    private static func run(_ options: Options) -> Bool {
        print("soak for \(options.seconds) s, --seed \(options.seed)")
        fflush(nil)
        let watchdog = Watchdog(limit: limit)
        let start = SuspendingClock.now
        let end = start + .seconds(options.seconds)
        let checks = options.checks.isEmpty ? Soak.checks : options.checks
        let tallies = checks.map { _ in Tally() }
        var seeds = Random(seed: options.seed)
        var rounds = 0
        repeat {
            for (check, tally) in zip(checks, tallies) {
                let seed = seeds.next()
                watchdog.expect("round \(rounds) of “\(check.name)”")
                do {
                    try check.round(Round(seed: seed, tally: tally))
                } catch {
                    complain("round \(rounds) of “\(check.name)”: \(error); --seed \(options.seed)")
                    return false
                }
            }
            rounds += 1
        } while SuspendingClock.now < end

        for (check, tally) in zip(checks, tallies) {
            print("\(check.name): \(tally.description)")
        }
        print(
            "\(rounds) rounds in \((SuspendingClock.now - start).formatted(.units(width: .narrow))): every promise was kept"
        )
        return true
    }

    /// The time limit of a round. With schedule faults, its threads sleep most of the time.
    private static var limit: Duration {
        #if SCHEDULE_FAULTS
        .seconds(600)
        #else
        .seconds(60)
        #endif
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("soak: \(message)\n".utf8))
    }
}

/// The command line.
private struct Options {
    static let usage = """
        usage: soak [--seconds N] [--seed S] [--check NAME]…

          --seconds N   how long to go on; 60 unless told. A round that has begun is finished
          --seed S      decides what the threads do, though not how they interleave; a new one each time unless told
          --check NAME  only this check; may be given several times. Their names:
                        \(Soak.checks.map(\.name).joined(separator: ", "));
                        and, made only where they are named: \(Soak.others.map(\.name).joined(separator: ", "))
        """

    var seconds = 60
    var seed = UInt64.random(in: 0...999_999)
    var checks: [Check] = []
    var isAskingForHelp = false

    init(_ arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        while let option = rest.next() {
            switch option {
            case "--seconds": seconds = try Self.number(rest.next(), for: option, atLeast: 1)
            case "--seed": seed = try Self.number(rest.next(), for: option, atLeast: 0)
            case "--check": checks.append(try Self.check(rest.next()))
            case "--help", "-h": isAskingForHelp = true
            default: throw Violation("unknown argument “\(option)”; see --help")
            }
        }
    }

    private static func check(_ name: String?) throws -> Check {
        guard let name else { throw Violation("--check needs a name; see --help") }
        guard let check = (Soak.checks + Soak.others).first(where: { $0.name == name }) else {
            throw Violation("--check: no check is called “\(name)”; see --help")
        }
        return check
    }

    private static func number<Number: FixedWidthInteger>(
        _ text: String?,
        for option: String,
        atLeast least: Number
    ) throws -> Number {
        guard let text else { throw Violation("\(option) needs a number; see --help") }
        guard let number = Number(text), number >= least else {
            throw Violation("\(option) must be a whole number of at least \(least), not “\(text)”")
        }
        return number
    }
}
