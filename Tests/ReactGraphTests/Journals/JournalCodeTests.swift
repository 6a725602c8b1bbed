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
    let single = MutableNode(Float(1)), notes = MutableNode([String: String]()), tags = MutableNode(Set<String>())
    let amount = MutableNode(Decimal(1))
    let clock = VirtualScheduler()
    let total: Node<Int>, label: Node<String>, late: Node<Int>, shown: Node<[String: Set<String>]>
    var sources = JournalSources()
    var watched: [AnyNode] { [total, label, late, shown] }

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
        shown = combine(single, notes, tags, amount) {
            $1.mapValues { [$0] }.merging(["\($0) \($3)": $2]) { $1 }
        }.named("shown")
        sources.add(single, named: "single")
        sources.add(notes, named: "notes")
        sources.add(tags, named: "tags")
        sources.add(amount, named: "amount")
    }
    static func text(factor: Int) -> String {
        """
        let price = MutableNode(0), name = MutableNode(""), ratio = MutableNode(0.0), flags = MutableNode([Bool]())
        let choice = MutableNode<Int?>(nil), point = MutableNode(Point()), level = MutableNode(Level.low)
        let single = MutableNode(Float(0)), notes = MutableNode([String: String]()), tags = MutableNode(Set<String>())
        let amount = MutableNode(Decimal(0)), clock = VirtualScheduler()
        let shown: Node<[String: Set<String>]> = combine(single, notes, tags, amount) {
            $1.mapValues { [$0] }.merging(["\\($0) \\($3)": $2]) { $1 }
        }
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
                    `default`.clean()
                    name.clean()
                    password.clean()
                    price.value = 30
                    taps.clean()
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
                #expect(total.journalText == "59")
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

    @Test("names, texts and values from a file stay in their lines, of the code and of the description")
    func hostileTexts() throws {
        var random = SeededGenerator.announced()
        let pieces = [
            "\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\u{600}", "\u{301}", "\u{200D}",
            "\u{202E}",
            "\"", "\\", "#", "\"#", "\\#(", "//", "*/", "`", "a", " ", "\u{E0001}", "🇩", "é",
        ]
        for _ in 0..<Scale.scaled(3_000) {
            let text = (0...Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            // No variable can have this name, so each line is a comment.
            let name = text + "\nprint(1) //" + text
            let values = try [value(text), value([text]), value([text: text]), .redacted]
            var steps = values.flatMap { [Journal.Step.set(source: name, value: $0), .pulse(source: name, value: $0)] }
            steps += [.clean(source: name), .check(node: name, text: text), .check(node: name, text: "redacted")]
            let journal = Journal(initial: [name: values[0]], steps: steps)
            let lines = journal.swiftCode.unicodeScalars.split(whereSeparator: endsLine)
            #expect(
                lines.count == steps.count + 1 && lines.allSatisfy { $0.starts(with: "// ".unicodeScalars) },
                "\(journal.swiftCode)")
            #expect(journal.description.unicodeScalars.split(whereSeparator: endsLine).count == steps.count)

            let difference = JournalDifference(step: 1, node: name, recorded: text, replayed: text)
            for message in [
                "\(difference)", "\(JournalError.unknownSource(name))", "\(JournalError.redacted(source: name))",
            ] {
                #expect(!message.unicodeScalars.contains(where: endsLine))
            }
            // A literal ends at its end.
            let code = Journal(initial: ["x": values[0]], steps: []).swiftCode
            #expect(
                code.unicodeScalars.starts(with: "x.value = \"".unicodeScalars)
                    && isLiteral(code.unicodeScalars.dropFirst(10)))
            let json = Journal(initial: ["x": values[2]], steps: []).swiftCode.unicodeScalars
            let raw = json.split(separator: "\n").last!.dropFirst("x.value = try decoded(".count).dropLast()
            #expect(isRawLiteral(raw), "\(json)")
        }
    }
    private func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        ["\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
    }
    private func isLiteral(_ scalars: Substring.UnicodeScalarView) -> Bool {
        var isEscaped = false
        for place in scalars.indices.dropFirst() {
            if scalars[place] == "\"", !isEscaped { return scalars.index(after: place) == scalars.endIndex }
            isEscaped = scalars[place] == "\\" && !isEscaped
        }
        return false
    }
    private func isRawLiteral(_ scalars: Substring.UnicodeScalarView) -> Bool {
        let text = Array(scalars), marks = Array(text.prefix { $0 == "#" })
        let ends = text.indices.filter { $0 > marks.count && text[$0...].starts(with: ["\""] + marks) }
        return !marks.isEmpty && ends == [text.count - marks.count - 1]
            && !text.indices.contains { text[$0...].starts(with: ["\\"] + marks) }
    }

    @Test("nested lists, long runs of number signs and deep values take time as their size")
    func time() throws {
        func journal(_ json: String) throws -> Journal {
            let file = "{\"initial\": {}, \"steps\": [{\"set\": \"a\", \"value\": \(json)}], \"isComplete\": true}"
            return try JSONDecoder().decode(Journal.self, from: Data(file.utf8))
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let deep = try journal(nested(100))
        // Each level would take time as the square of the depth.
        #expect(throws: DecodingError.self) {
            try journal("[\(Array(repeating: nested(400), count: 100).joined(separator: ","))]")
        }
        #expect(deep.swiftCode == "a.clean()\na.value = \(deep.steps[0].value!)")
        let signs = try journal(
            "{\"x\": \"\(String(repeating: "\\\"#", count: 3))\(String(repeating: "#", count: 100_000))\"}")
        #expect(signs.swiftCode.contains("try decoded(\(String(repeating: "#", count: 100_002))\"{"))
    }

    @Test("a source that was empty at the beginning is emptied first, as a replay does")
    func emptyAtFirst() throws {
        func graph() -> (JournalSources, MutableNode<Int>, MutableNode<Int>) {
            let number = MutableNode(7), other = MutableNode(8)
            var sources = JournalSources()
            sources.add(number, named: "number")
            sources.add(other, named: "other")
            return (sources, number, other)
        }
        let (sources, number, other) = graph()
        number.clean()
        let recorder = JournalRecorder(of: sources, now: { .zero })
        let journal = try JSONDecoder().decode(Journal.self, from: JSONEncoder().encode(recorder.stop()))
        #expect(journal.swiftCode == "batch {\n    number.clean()\n    other.value = 8\n}")
        let (others, again, otherAgain) = graph()
        try journal.replay(into: others)
        #expect(again.isEmpty && otherAgain.current == other.current)
        let handMade = Journal(steps: [.batch([.batch([.clean(source: "deep")])]), .set(source: "a", value: 1)])
        #expect(handMade.swiftCode.hasPrefix("batch {\n    a.clean()\n    deep.clean()\n}\n"))
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
            import ReactGraph
            import ReactOperators
            import ReactScheduling

            struct Point: Codable, Sendable, Equatable { var x = 0, y = 0.5 }
            enum Level: String, Codable, Sendable { case low, high }
            func expect(_ holds: Bool) { print(holds, terminator: " ") }

            """
        var expected: [String] = []
        program += names(&expected)
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
        switch Int.random(in: 0..<13, using: &random) {
        case 0: model.price.value = number
        case 1: model.name.value = hostile.randomElement(using: &random)!
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
        case 8: model.single.value = [1.1, -0.0, .nan, .infinity].randomElement(using: &random)!
        case 9: model.notes.value = [hostile.randomElement(using: &random)!: hostile.randomElement(using: &random)!]
        case 10: model.tags.value = Set(hostile.shuffled(using: &random).prefix(3))
        case 11: model.amount.value = Decimal(string: "12345678901234567.8\(abs(number))")!
        default: model.clock.advance(by: .milliseconds(200))
        }
    }
    private let hostile = [
        "", "“x”", "a\"b\\(c)", "line\nline", "\"\u{301}#", "\u{301}\"#\u{600}\"##", "\u{600}\r\n\u{301}",
        "\u{2028}\u{85}\0\u{202E}",
        "\\#(1)\u{301}\\", "$redacted", "\t\u{7F}\u{E0001}'",
    ]
    /// A function with variables of the names that mean something to Swift, and the code of a journal that sets them.
    private func names(_ expected: inout [String]) -> String {
        let names = """
            Any Protocol Self Type actor any as associatedtype associativity async await borrow borrowing break case catch class \
            consume consuming continue convenience copy default defer deinit didSet discard distributed do dynamic each else enum \
            extension fallthrough false fileprivate final for func get guard if import in indirect infix init inout internal is \
            isolated lazy left let macro mutating nil none nonisolated nonmutating open operator optional override package postfix \
            precedence precedencegroup prefix private protocol public repeat required rethrows return right self sending set some \
            static struct subscript super switch then throw throws true try typealias unowned unsafe using var weak where while \
            willSet yield _x x1 été 名前 a_b
            """.split(separator: " ").map(String.init)
        let journal = Journal(
            initial: Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }),
            steps: names.flatMap { [.clean(source: $0), .pulse(source: $0, value: 2), .check(node: $0, text: nil)] })
        expected.append(names.map { _ in "true " }.joined())
        return """

            func names() {
            \(names.map { "let `\($0)` = MutableNode(0)" }.joined(separator: "\n"))
            \(journal.swiftCode.replacing("#expect(", with: "expect("))
            print()
            }
            names()

            """
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
        let linked = ["ReactCore", "ReactOperators", "ReactScheduling", "ReactGraph", "RecorderPage"].flatMap {
            objects(of: $0)
        }
        let result = try BuiltBinary.shell(
            """
            cd "$1" && swiftc -swift-version 6 -I "$0"/Modules main.swift \(linked.joined(separator: " ")) -o main && ./main
            """, ".", folder.path)
        #expect(result.status == 0, "\(result.error)\n\(program)")
        return result.output
    }
    #endif
}
