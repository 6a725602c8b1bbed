import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

@Suite("Shrinking a journal")
struct JournalShrinkingTests {
    private func set(_ source: String, _ value: some Encodable) throws -> Journal.Step {
        .set(source: source, value: try JournalValue(encoding: value))
    }
    /// The number of steps, those in batches included, and not the batches.
    private func size(_ steps: [Journal.Step]) -> Int {
        steps.reduce(0) { if case .batch(let inner) = $1 { $0 + size(inner) } else { $0 + 1 } }
    }

    @Test("the steps that matter are left, also within batches, with simpler values, and few calls find them")
    func fewMatter() throws {
        var steps: [Journal.Step] = []
        for index in 0..<1_000 { steps.append(try set("other", index)) }
        steps[300] = .batch([try set("other", 1), try set("a", 5_000), try set("other", 2)])
        steps[700] = try set("text", "hello world")
        var calls = 0
        // Fails if `a` was set to 100 or more, and the text to one with an "o" after that.
        let short = Journal(steps: steps).shrunk { journal in
            calls += 1
            var sawA = false
            func fails(_ steps: [Journal.Step]) -> Bool {
                steps.contains { step in
                    switch step {
                    case .set("a", let value):
                        if let number = Int(value.description), number >= 100 { sawA = true }
                        return false
                    case .set("text", let value): return sawA && value.description.contains("o")
                    case .batch(let inner): return fails(inner)
                    default: return false
                    }
                }
            }
            return fails(journal.steps)
        }
        #expect(short.description == "a = 100\ntext = \"o\"")
        #expect(calls < 400, "\(calls)")
    }

    @Test("a journal that does not fail is returned as it is")
    func noFailure() throws {
        let journal = Journal(steps: [try set("a", 5), .wait(.seconds(1))])
        #expect(journal.shrunk { _ in false } == journal)
    }

    @Test("a journal that always fails has no step left")
    func alwaysFails() throws {
        let journal = Journal(steps: [try set("a", 5), .batch([try set("a", 5)]), .wait(.seconds(1))])
        #expect(journal.shrunk { _ in true }.steps.isEmpty)
    }

    @Test("an error ends the search, and one for a simpler value does not")
    func errors() throws {
        struct Trouble: Error {}
        let journal = Journal(steps: [try set("a", 5), try set("b", 6)])
        #expect(throws: Trouble.self) { try journal.shrunk { _ in throw Trouble() } }
        let short = try journal.shrunk { journal in
            guard journal.steps.allSatisfy({ !"\($0)".contains("= 0") }) else { throw Trouble() }
            return "\(journal)".contains("b =")
        }
        #expect(short.description == "b = 1")
    }

    @Test(
        "after a trap in a search, the files have the journal that was tried, and the shortest one that had failed",
        .enabled(if: Scale.runsTraps))
    func trap() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shrinking-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        await #expect(processExitsWith: .failure) { [path = folder.path as String] in
            let folder = URL(fileURLWithPath: path)
            let journal = Journal(
                initial: ["total": 100, "perPage": 10],
                steps: [.set(source: "total", value: 80), .set(source: "perPage", value: 25)])
            _ = try journal.shrunk { journal in
                try JSONEncoder().encode(journal).write(to: folder.appendingPathComponent("tried.json"))
                let total = MutableNode(1), perPage = MutableNode(1)
                var sources = JournalSources()
                sources.add(total, named: "total")
                sources.add(perPage, named: "perPage")
                // Ends the process if a page has no length.
                let pages = combine(total, perPage) { $0 / $1 }
                try journal.replay(into: sources)
                guard pages.current <= 3 else { return false }
                try JSONEncoder().encode(journal).write(to: folder.appendingPathComponent("shortest.json"))
                return true
            }
        }
        func journal(_ name: String) throws -> Journal {
            try JSONDecoder().decode(Journal.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
        }
        #expect(try journal("tried.json").description == "total = 0\nperPage = 0")
        #expect(try journal("shortest.json").description == "total = 0\nperPage = 25")
    }

    @Test("of random failures, the result fails and no single step of it can be left out")
    func random() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<Scale.scaled(300) {
            var steps: [Journal.Step] = []
            for index in 0..<Int.random(in: 1...40, using: &random) {
                let step = try set("s\(index)", Int.random(in: 0..<9, using: &random))
                steps.append(Bool.random(using: &random) ? step : .batch([step, try set("t\(index)", 1)]))
            }
            let wanted = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                "\(["s", "t"].randomElement(using: &random)!)\(Int.random(in: 0..<steps.count, using: &random)) ="
            }
            func fails(_ journal: Journal) -> Bool {
                let text = journal.description
                return wanted.allSatisfy { text.contains($0) }
            }
            let journal = Journal(steps: steps), short = journal.shrunk(while: fails)
            guard fails(journal) else {
                #expect(short == journal)
                continue
            }
            #expect(fails(short))
            #expect(size(short.steps) == Set(wanted).count)
        }
    }
}
