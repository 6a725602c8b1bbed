import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@testable import ReactGraph

private struct Point: Codable, Sendable, Equatable { var x = 0, y = 0.5 }
private enum Level: String, Codable, Sendable { case low, high }

/// A graph with sources of many types. `GraphText` is the same graph as text.
private struct Model {
    let price = MutableNode(3), name = MutableNode("a"), ratio = MutableNode(0.5), flags = MutableNode([true])
    let choice = MutableNode<Int?>(nil), point = MutableNode(Point()), level = MutableNode(Level.low)
    let clock = VirtualScheduler()
    let total: Node<Int>, label: Node<String>, late: Node<Int>
    var sources = JournalSources()
    var watched: [AnyNode] { [total, label, late] }

    init(factor: Int) {
        total = combine(price, point) { $0 * factor + $1.x }.named("total")
        label = combine(name, ratio, flags, choice, level) { "\($0) \($1) \($2) \(String(describing: $3)) \($4)" }
            .named("label")
        late = price.debounce(.milliseconds(300), on: clock).named("late")
        sources.add(price, named: "price")
        sources.add(name, named: "name")
        sources.add(ratio, named: "ratio")
        sources.add(flags, named: "flags")
        sources.add(choice, named: "choice")
        sources.add(point, named: "point")
        sources.add(level, named: "level")
    }
    static func text(factor: Int) -> String {
        """
        let price = MutableNode(0), name = MutableNode(""), ratio = MutableNode(0.0), flags = MutableNode([Bool]())
        let choice = MutableNode<Int?>(nil), point = MutableNode(Point()), level = MutableNode(Level.low)
        let clock = VirtualScheduler()
        let total = combine(price, point) { $0 * \(factor) + $1.x }
        let label = combine(name, ratio, flags, choice, level) { "\\($0) \\($1) \\($2) \\(String(describing: $3)) \\($4)" }
        let late = price.debounce(.milliseconds(300), on: clock)
        """
    }
}

@Suite("A journal as Swift code")
struct JournalCodeTests {
    private func value(_ value: some Encodable) throws -> JournalValue { try JournalValue(encoding: value) }

    @Test("the code has the initial values first, then the steps, waits and expectations, and comments for other names")
    func lines() throws {
        let journal = Journal(
            initial: ["price": try value(30), "A1 net": try value(1)],
            steps: [
                .set(source: "name", value: try value("say \"hi\"\n\\")),
                .batch([.set(source: "price", value: try value(-1)), .clean(source: "default")]),
                .wait(.milliseconds(300)), .wait(.seconds(2)),
                .pulse(source: "taps", value: try value([1.5, -.infinity])),
                .set(source: "password", value: .redacted), .check(node: "total", text: "59"),
                .check(node: "grand total", text: nil), .check(node: "empty", text: nil),
            ])
        #expect(
            journal.swiftCode == #"""
                batch {
                    // sources["A1 net"].value = 1
                    price.value = 30
                }
                name.value = "say \"hi\"\n\\"
                batch {
                    price.value = -1
                    `default`.clean()
                }
                clock.advance(by: .milliseconds(300))
                clock.advance(by: .seconds(2))
                taps.pulse([1.5, -.infinity])
                // password was set to a redacted value
                #expect(total.value.map { String(describing: $0) } == "59")
                // #expect(watched["grand total"].isEmpty)
                #expect(empty.isEmpty)
                """#)
    }

    @Test("other values than numbers, texts, booleans and lists of them are decoded from JSON")
    func decoded() throws {
        let journal = Journal(steps: [.batch([.set(source: "point", value: try value(["x": "\"#"]))])])
        #expect(
            journal.swiftCode.hasPrefix("func decoded<Value: Decodable>(_ json: String) throws -> Value {\n"))
        #expect(
            journal.swiftCode.hasSuffix(
                ###"""
                try batch {
                    point.value = try decoded(##"{"x":"\"#"}"##)
                }
                """###))
    }

    #if os(Linux) && DEBUG
    @Test(
        "the code of ten journals compiles, and fails at the checks at which a replay differs",
        .enabled(if: !Scale.isSanitized))
    func compiles() throws {
        var random = SeededGenerator.announced()
        var program = """
            import Foundation
            import ReactCore
            import ReactOperators
            import ReactScheduling

            struct Point: Codable, Sendable, Equatable { var x = 0, y = 0.5 }
            enum Level: String, Codable, Sendable { case low, high }
            func expect(_ holds: Bool) { print(holds, terminator: " ") }

            """
        var expected: [String] = []
        for index in 0..<10 {
            let model = Model(factor: 2), other = Model(factor: index.isMultiple(of: 2) ? 2 : 3)
            let recorder = JournalRecorder(
                of: model.sources, watching: model.watched, now: { [clock = model.clock] in clock.now })
            // With this price the two factors differ at a check, whatever the random steps are.
            model.price.value = 1
            for _ in 0..<12 { step(model, &random) }
            model.clock.advance(by: .seconds(1))
            let journal = recorder.stop()
            let wrong = try journal.replay(into: other.sources, watching: other.watched) { other.clock.advance(by: $0) }
            let checks = journal.steps.indices.filter { if case .check = journal.steps[$0] { true } else { false } }
            expected.append(checks.map { check in "\(!wrong.contains { $0.step == check }) " }.joined())
            #expect(wrong.isEmpty == index.isMultiple(of: 2))
            program += """

                func journal\(index)() throws {
                \(Model.text(factor: index.isMultiple(of: 2) ? 2 : 3))
                \(journal.swiftCode.replacing("#expect(", with: "expect("))
                print()
                }
                try journal\(index)()

                """
        }
        #expect(
            try run(program).split(separator: "\n", omittingEmptySubsequences: false).map(String.init) == expected + [
                ""
            ])
    }
    private func step(_ model: Model, _ random: inout SeededGenerator) {
        let number = Int.random(in: -9...9, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: model.price.value = number
        case 1: model.name.value = ["", "“x”", "a\"b\\(c)", "line\nline"].randomElement(using: &random)!
        case 2: model.ratio.value = [1, -0.5, 1e300, .infinity, .nan].randomElement(using: &random)!
        case 3: model.flags.value = Array([false, true, true].prefix(abs(number) % 4))
        case 4: model.choice.value = number > 0 ? number : Int?.none
        case 5: model.point.value = Point(x: number)
        case 6: model.level.value = number > 0 ? .high : .low
        case 7:
            batch {
                model.price.value = number
                model.point.value = Point(x: 1, y: .infinity)
            }
        default: model.clock.advance(by: .milliseconds(200))
        }
    }
    /// The object files of a module. The build folder may also have those of source files that have gone.
    private func objects(of module: String) -> [String] {
        let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Sources/\(module)")
            .standardized
        let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".swift") }.sorted().map { file in
            "\"$0\"/\(module).build/\(URL(fileURLWithPath: file).lastPathComponent).o"
        }
    }
    /// Compiles the program against the modules of this build, and returns what it prints.
    private func run(_ program: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try program.write(to: folder.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        let linked = ["ReactCore", "ReactOperators", "ReactScheduling"].flatMap { objects(of: $0) }
        let result = try BuiltBinary.shell(
            """
            cd "$1" && swiftc -swift-version 6 -I "$0"/Modules main.swift \(linked.joined(separator: " ")) -o main && ./main
            """, ".", folder.path)
        #expect(result.status == 0, "\(result.error)\n\(program)")
        return result.output
    }
    #endif
}
