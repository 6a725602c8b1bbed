import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import Streams

/// The command.
@main @MainActor enum Command {
    static let usage = """
        Usage: signup [--script FILE] [--journal FILE [--force]]
               signup --replay JOURNAL [--shrink NODE=TEXT]

        A form to sign up with, line by line, from standard input or from FILE:
          name TEXT, email TEXT, password TEXT, repeat TEXT    types into a field
          submit                                               presses the button
          show                                                 says what is wrong with each field
          wait TIME                                            such as 2s or 300ms
        With --script, time is virtual: the same output every time, at once.
        With --journal, the typed texts and the presses are written to FILE, without the passwords; --force
        replaces an old file. With --replay, they are repeated in virtual time, with one password for all;
        --shrink prints the shortest journal after which a node has a text, as in availability=taken.

        """

    static func main() async {
        let console = Console("signup")
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            let options = try Options(arguments)
            let print: (String) -> Void = { console.writeLine($0) }
            if options.help {
                console.write(usage)
            } else if let path = options.replay {
                let journal = try FormJournal.read(path)
                try await FormJournal.replay(journal, print: print)
                if let goal = options.shrink {
                    let short = try FormJournal.shrink(journal, to: goal)
                    for line in short.description.split(separator: "\n") { print(String(line)) }
                }
            } else if let path = options.script {
                try await runScript(try readScript(path), journal: options.journal, print: print)
            } else if try await !runInteractively(on: console, journal: options.journal) {
                exit(2)
            }
        } catch {
            console.complain((error as? Mistake)?.message ?? "\(error)")
            exit(2)
        }
    }

    /// Reads a whole script, so that no line of it runs if another is wrong.
    static func readScript(_ path: String) throws(Mistake) -> [(line: String, instruction: Instruction)] {
        // A line that is not UTF-8 is `nil`.
        var lines: [String?] = []
        guard let file = FileHandle(forReadingAtPath: path), file.forEachLine({ lines.append($0) }) == nil else {
            throw Mistake("\(path): it cannot be read")
        }
        var script: [(String, Instruction)] = []
        for (index, line) in lines.enumerated() {
            guard let line else { throw Mistake("\(path): it is no text in UTF-8") }
            do {
                if let instruction = try Instruction(line) { script.append((line, instruction)) }
            } catch {
                throw Mistake("\(path):\(index + 1): \(error.message)")
            }
        }
        return script
    }

    /// Plays a script in virtual time. Work that is under way at the end of the script is finished.
    static func runScript(
        _ script: [(line: String, instruction: Instruction)], journal: String? = nil,
        print: @escaping (String) -> Void
    ) async throws {
        let scheduler = VirtualScheduler()
        let time = Time.virtual(scheduler)
        let front = Front(SignUp(time, directory: .sample(time.clock)), print: print)
        let recorder = journal.map { _ in FormJournal.recorder(of: front) { scheduler.now } }
        for (line, instruction) in script {
            print("> \(line)")
            await front.perform(instruction) { scheduler.advance(by: $0) }
            // Shows the values that tasks have set when the main actor has a turn.
            await Task.yield()
        }
        scheduler.run()
        await Task.yield()
        if let journal, let recorder { try FormJournal.write(recorder.stop(), to: journal) }
    }

    /// Runs the instructions on standard input, in real time. Returns true if all of them could be run.
    private static func runInteractively(on console: Console, journal: String?) async throws -> Bool {
        let form = SignUp(.real, directory: .sample(ContinuousClock()))
        let front = Front(form, print: { console.writeLine($0) })
        let recorder = journal.map { _ in FormJournal.recorder(of: front, now: nil) }
        var isFine = true
        var number = 0
        for try await line in console.lines() {
            number += 1
            do throws(Mistake) {
                guard let line else { throw Mistake("the line is not UTF-8") }
                guard let instruction = try Instruction(line) else { continue }
                await front.perform(instruction) { try? await Task.sleep(for: $0) }
            } catch {
                isFine = false
                console.complain("standard input:\(number): \(error.message)")
            }
        }
        // Waits for the work that is under way at the end.
        let isAtRest = combine(form.nameProblem, form.availability, form.registration) {
            problem, availability, registration in
            (problem != nil || availability != .unknown && availability != .checking) && registration != .running
        }
        _ = try? await isAtRest.first { $0 }
        if let journal, let recorder { try FormJournal.write(recorder.stop(), to: journal) }
        return isFine
    }
}
