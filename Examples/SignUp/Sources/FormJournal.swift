import Foundation
import ReactCore
import ReactGraph
import ReactScheduling

/// A journal of the typed texts and of the button, and its replay in virtual time.
///
/// The passwords are redacted, so a replay puts one password in the place of all.
@MainActor enum FormJournal {
    static let password = "correct horse"

    static func recorder(of front: Front, now: (@Sendable () -> Duration)?) -> JournalRecorder {
        JournalRecorder(of: front.sources, watching: front.watched, now: now)
    }
    /// Writes a journal. An old file is replaced only if `force` is true.
    static func write(_ journal: Journal, to path: String) throws(Mistake) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            try encoder.encode(journal).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Mistake("\(path): it cannot be written")
        }
    }
    static func read(_ path: String) throws(Mistake) -> Journal {
        guard let data = FileManager.default.contents(atPath: path) else { throw Mistake("\(path): it cannot be read") }
        guard var journal = try? JSONDecoder().decode(Journal.self, from: data) else {
            throw Mistake("\(path): it is no journal, or was cut")
        }
        for name in ["password", "repeat"] {
            guard let filled = try? journal.replacingRedactedValues(of: name, with: password) else { continue }
            journal = filled
        }
        // Each step alone, so that a mistake can be told with its place.
        let (front, _) = fresh { _ in }
        for (index, step) in journal.steps.enumerated() {
            let part = Journal(initial: journal.initial, steps: [step], isComplete: journal.isComplete)
            do { try part.replay(into: front.sources) } catch { throw Mistake("\(path): step \(index + 1): \(error)") }
        }
        return journal
    }
    private static func fresh(_ print: @escaping (String) -> Void) -> (Front, VirtualScheduler) {
        let scheduler = VirtualScheduler()
        let time = Time.virtual(scheduler)
        return (Front(SignUp(time, directory: .sample(time.clock)), print: print), scheduler)
    }

    /// Replays a journal, and prints the changes of the form, and the differences from the recording.
    static func replay(_ journal: Journal, print: @escaping (String) -> Void) async throws {
        let (front, scheduler) = fresh(print)
        let differences = try journal.replay(into: front.sources, watching: front.watched) { scheduler.advance(by: $0) }
        scheduler.run()
        // Shows the values that tasks have set when the main actor has a turn.
        await Task.yield()
        for difference in differences { print("\(difference)") }
    }
    /// Returns the shortest journal after which a node has a text. `goal` is as in `availability=taken`.
    static func shrink(_ journal: Journal, to goal: String) throws -> Journal {
        let parts = goal.split(separator: "=", maxSplits: 1).map(String.init)
        let names = fresh { _ in }.0.watched.compactMap(\.name)
        guard parts.count == 2, names.contains(parts[0]) else {
            throw Mistake("--shrink: “\(goal)” is no NODE=TEXT, with a node of \(names.joined(separator: ", "))")
        }
        func text(after journal: Journal) throws -> String? {
            let (front, scheduler) = fresh { _ in }
            try journal.replay(into: front.sources) { scheduler.advance(by: $0) }
            scheduler.run()
            return front.text(of: parts[0])
        }
        let found = try text(after: journal)
        guard found == parts[1] else {
            throw Mistake(
                "--shrink: after the journal, \(parts[0]) is \(found ?? "empty"), and not \(parts[1]); give the text that it has"
            )
        }
        return try journal.shrunk { try text(after: $0) == parts[1] }
    }
}
