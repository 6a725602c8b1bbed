import Foundation

/// A schedule in which a scenario does not keep its promise.
public struct ScheduleFailure: Error, CustomStringConvertible, Sendable {
    /// One run.
    public struct Record: Sendable {
        /// What replays it, with the scenario's name.
        public let line: String
        public let preemptions: Int
        public let schedule: Schedule
        public let steps: [String]

        var text: String { steps.map { "    " + $0 }.joined(separator: "\n") }
    }
    /// The run with the fewest pre-emptions that fails as well.
    public struct Shortened: Sendable {
        public let record: Record
        /// Whether all schedules with fewer have been tried.
        public let isFewest: Bool
    }
    public let scenario: String
    public let problem: String
    public let found: String
    public let first: Record?
    public let shortened: Shortened?

    init(scenario: String, problem: String, found: String, first: Record? = nil, shortened: Shortened? = nil) {
        self.scenario = scenario
        self.problem = problem
        self.found = found
        self.first = first
        self.shortened = shortened
    }

    public var description: String {
        var text = "“\(scenario)” fails.\n  \(problem)\n  found by: \(found)"
        if let first {
            text += "\n  replay:   EASYREACT_REPLAY='\(first.line)'"
            if shortened == nil { text += "\n\(first.text)" }
        }
        if let shortened {
            let count = shortened.record.preemptions
            text += "\n  shortened to \(count) \(count == 1 ? "pre-emption" : "pre-emptions")"
            text += shortened.isFewest ? ", and fewer do not fail" : ""
            text += "\n  replay:   EASYREACT_REPLAY='\(shortened.record.line)'\n\(shortened.record.text)"
        }
        return text
    }

    /// The steps as lines: thread, count, point, place. What has no name is numbered as it comes.
    static func describe(_ steps: [Step], _ names: [UInt: String], _ threads: [String]) -> [String] {
        var names = names
        var unnamed = 0
        var last = -1
        return steps.suffix(2_000).map { step in
            if step.place != 0, names[step.place] == nil {
                unnamed += 1
                names[step.place] = "#\(unnamed)"
            }
            let thread = step.thread == last ? "" : threads[step.thread]
            last = step.thread
            let column = thread + String(repeating: " ", count: max(1, 20 - thread.count))
            return "\(column)\(step.thread).\(step.number)  \(step.name)"
                + (step.place == 0 ? "" : ": \(names[step.place]!)")
        }
    }
}

/// What was explored in this process, for all who want to know.
enum Figures {
    /// Changed by whose turn it is to explore.
    nonisolated(unsafe) private static var schedules = 0

    static func add(_ explored: Explored) {
        schedules += explored.schedules
        var line = "explored: \(explored.name): \(explored.schedules) schedules"
        if explored.isExhaustive {
            line += ", all there are"
        } else if explored.exhaustedPreemptions >= 0 {
            line += ", all with at most \(explored.exhaustedPreemptions) pre-emptions"
        }
        line += ", up to \(explored.longest) steps; \(explored.allowed) outcomes allowed"
        if explored.seconds > 0 { line += "; \(Int(Double(explored.schedules) / explored.seconds)) a second" }
        if !explored.isRepeatable { line += "; NOT REPEATABLE: what happens does not follow from the schedule" }
        print("\(line); \(schedules) in all")
    }
}
