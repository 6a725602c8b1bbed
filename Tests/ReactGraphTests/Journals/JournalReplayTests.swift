import Foundation
import ReactCore
import ReactOperators
import ReactScheduling
import TestSupport
import Testing

@testable import ReactGraph

@Suite("Replaying a journal")
struct JournalReplayTests {
    private struct Point: Codable, Sendable, Equatable { var x: Double, y: [String: Int?] }

    private func value<Value: Encodable>(_ value: Value) throws -> JournalValue { try JournalValue(encoding: value) }
    private func read(_ json: String) throws -> Journal {
        try JSONDecoder().decode(Journal.self, from: Data(json.utf8))
    }

    @Test("the initial values come in one batch, and each step follows")
    func steps() throws {
        let a = MutableNode(1), b = MutableNode(2), c = MutableNode<Int>(5)
        let sum = combine(a, b) { $0 + $1 }, heard = Locked<[Int]>([]), screen = Lifetime()
        var sources = JournalSources()
        sources.add(a, named: "a")
        sources.add(b, named: "b")
        sources.add(c, named: "c")
        let clock = VirtualScheduler()
        sum.listened(by: screen).with { value in heard.withLock { $0.append(value) } }
        let journal = Journal(
            initial: ["a": try value(10), "b": try value(20)],
            steps: [
                .set(source: "a", value: try value(11)),
                .batch([.set(source: "a", value: try value(1)), .set(source: "b", value: try value(1))]),
                .wait(.seconds(2)), .pulse(source: "c", value: try value(7)), .clean(source: "b"),
            ])
        let differences = try journal.replay(into: sources) { clock.advance(by: $0) }
        #expect(differences.isEmpty)
        #expect(heard.withLock { $0 } == [3, 30, 31, 2])
        #expect(c.isEmpty && b.isEmpty && clock.now == .seconds(2))
    }

    @Test("differences are told by step, node and both texts, the first one first")
    func differences() throws {
        let a = MutableNode(1)
        let wrong = a.map { $0 * 3 }.named("wrong"), empty = a.filter { $0 > 99 }.named("empty")
        var sources = JournalSources()
        sources.add(a, named: "a")
        let journal = Journal(
            initial: ["a": try value(1)],
            steps: [
                .set(source: "a", value: try value(2)), .check(node: "wrong", text: "4"),
                .check(node: "missing", text: "4"), .check(node: "empty", text: "x"),
                .set(source: "a", value: try value(3)), .check(node: "wrong", text: "9"),
                .check(node: "wrong", text: nil),
            ])
        let found = try journal.replay(into: sources, watching: [wrong, empty])
        #expect(
            found.map(\.description) == [
                "after step 1, 'wrong' was \"4\", and is now \"6\"",
                "after step 3, 'empty' was \"x\", and is now empty",
                "after step 6, 'wrong' was empty, and is now \"9\"",
            ])
        #expect(found.first == JournalDifference(step: 1, node: "wrong", recorded: "4", replayed: "6"))
    }

    @Test("wrong data throws before anything is set")
    func errors() throws {
        let a = MutableNode(1), text = MutableNode("x")
        var sources = JournalSources()
        sources.add(a, named: "a")
        sources.add(text, named: "text")
        let first = Journal.Step.set(source: "a", value: try value(2))
        let cases: [(Journal, JournalError)] = [
            (Journal(steps: [first, .clean(source: "b")]), .unknownSource("b")),
            (Journal(steps: [first, .batch([.clean(source: "b")])]), .unknownSource("b")),
            (Journal(initial: ["b": try value(1)], steps: [first]), .unknownSource("b")),
            (Journal(steps: [first, .set(source: "text", value: .redacted)]), .redacted(source: "text")),
            (Journal(initial: ["text": .redacted], steps: [first]), .redacted(source: "text")),
            (Journal(steps: [first, .wait(.seconds(-5))]), .wait(.seconds(-5))),
            (Journal(steps: [first, .batch([.wait(.nanoseconds(-1))])]), .wait(.nanoseconds(-1))),
            (Journal(steps: [first], isComplete: false), .incomplete),
        ]
        for (journal, error) in cases {
            #expect(throws: error) { try journal.replay(into: sources) }
            #expect(a.current == 1 && text.current == "x")
        }
        let wrong = Journal(steps: [first, .set(source: "a", value: try value("two"))])
        let error = #expect(throws: JournalError.self) { try wrong.replay(into: sources) }
        guard case .value(source: "a", let reason)? = error else { Issue.record("\(error as Any)"); return }
        #expect(!reason.isEmpty && a.current == 1)
    }

    @Test("waits that are longer than any clock can tell do not end the process")
    func longWaits() throws {
        let clock = VirtualScheduler(), a = MutableNode(1)
        var sources = JournalSources()
        sources.add(a, named: "a")
        let longest = Duration(attoseconds: .max)
        try Journal(steps: [.wait(longest), .wait(longest)]).replay(into: sources) { clock.advance(by: $0) }
        #expect(clock.now == longest)
    }

    @Test("one call puts a value in the place of all redacted ones of a source, and a replay sets it")
    func filling() throws {
        let pin = MutableNode(1).named("pin").redacted(),
            point = MutableNode(Point(x: 0, y: [:])).named("point").redacted()
        let plain = MutableNode(5).named("plain")
        var sources = JournalSources()
        sources.add(pin)
        sources.add(point)
        sources.add(plain)
        let recorder = JournalRecorder(of: sources, now: { .zero })
        batch {
            pin.pulse(3)
            point.value = Point(x: 1, y: [:])
            plain.value = 6
        }
        pin.value = 2
        let journal = recorder.stop(), other = Point(x: 2.5, y: ["a": nil])
        #expect(throws: JournalError.redacted(source: "pin")) { try journal.replay(into: sources) }
        let filled = try journal.replacingRedactedValues(of: "pin", with: 1234)
            .replacingRedactedValues(of: "point", with: other).replacingRedactedValues(of: "nobody", with: "x")
        try filled.replay(into: sources)
        #expect(pin.current == 1234 && point.current == other && plain.current == 6)
        #expect(filled.description.hasPrefix("batch { pin pulsed 1234; point = [\"x\": 2.5"))
        #expect(filled.description.hasSuffix("pin = 1234"))
        #expect(try journal.replacingRedactedValues(of: "plain", with: 7) == journal)
        let data: JournalValue = 7
        #expect(try journal.replacingRedactedValues(of: "pin", with: data).initial["pin"] == data)
    }

    @Test("an undecodable value of a redacted source is not shown")
    func redactedError() throws {
        let secret = MutableNode(1).redacted()
        var sources = JournalSources()
        sources.add(secret, named: "pin")
        let journal = Journal(steps: [.set(source: "pin", value: try value("hunter2"))])
        #expect(throws: JournalError.value(source: "pin", "it is redacted")) { try journal.replay(into: sources) }
    }

    @Test("a file that was cut does not decode")
    func cutFile() throws {
        let journal = Journal(steps: [.set(source: "a", value: try value(2)), .wait(.seconds(1))])
        let file = try JSONEncoder().encode(journal)
        for length in 0..<file.count {
            #expect(throws: (any Error).self) { try JSONDecoder().decode(Journal.self, from: file.prefix(length)) }
        }
        #expect(try JSONDecoder().decode(Journal.self, from: file) == journal)
    }

    @Test("values of all kinds travel through JSON and come back equal, with equal descriptions")
    func values() throws {
        let numbers: [Double] = [
            0, -0.0, 1.5, -2, 1e300, 1e19, .leastNonzeroMagnitude, .infinity, -.infinity, .nan, 9_007_199_254_740_992,
        ]
        for number in numbers {
            let value = try value(number)
            let journal = Journal(initial: ["x": value], steps: [.set(source: "x", value: value)])
            let back = try JSONDecoder().decode(Journal.self, from: JSONEncoder().encode(journal))
            #expect(back == journal && back.description == journal.description, "\(number)")
            let decoded = try back.initial["x"]!.decoded(as: Double.self)
            #expect(decoded.bitPattern == number.bitPattern || decoded.isNaN && number.isNaN, "\(number)")
        }
        func comesBack<Value: Codable & Equatable>(_ original: Value) throws {
            let value = try value(original)
            let back = try JSONDecoder().decode(JournalValue.self, from: JSONEncoder().encode(value))
            #expect(back == value && back.hashValue == value.hashValue && back.description == value.description)
            #expect(try back.decoded(as: Value.self) == original, "\(original)")
        }
        try comesBack(Int.max)
        try comesBack(Int.min)
        try comesBack(UInt64.max)
        try comesBack(Int8(-3))
        try comesBack(Float(1.1))
        try comesBack(-Float.infinity)
        try comesBack(true)
        try comesBack("“quoted” \"\\ \u{7} 🎈")
        try comesBack(Int?.none)
        try comesBack(Int?.some(3))
        try comesBack(Double?.some(3))
        try comesBack([1.5, .infinity, -0.0])
        try comesBack([Float.infinity])
        try comesBack([Int]())
        try comesBack([String: Int]())
        try comesBack(["b": 2, "a": 1])
        try comesBack(Point(x: .infinity, y: ["a": nil, "b": 3]))
        try comesBack(Date(timeIntervalSince1970: 1.25))
        try comesBack(Data([1, 2, 255]))
        try comesBack(URL(string: "https://example.com/?q=1")!)
        #expect(try value(["b": 2, "a": 1]).description == "[\"a\": 1, \"b\": 2]")
        #expect(try value(3.0) == value(3))
    }

    @Test("steps are written as short objects")
    func form() throws {
        let journal = try read(
            """
            {"initial": {"a": 1}, "isComplete": true, "steps": [
                {"set": "a", "value": 2}, {"pulse": "a", "value": [true, null]}, {"clean": "a"},
                {"batch": [{"set": "a", "value": "x"}]}, {"check": "t", "text": "3"}, {"check": "t"}]}
            """)
        #expect(
            journal.description == """
                a = 2
                a pulsed [true, null]
                a was emptied
                batch { a = "x" }
                t was 3
                t was empty
                """)
    }

    @Test("a body that reads the clock is named by the first difference")
    func clockReader() throws {
        // Stands for the time: each call gives another one.
        let time = Locked(0)
        @Sendable func now() -> Int {
            time.withLock {
                $0 += 1; return $0
            }
        }
        func make() -> (MutableNode<Int>, [AnyNode], JournalSources) {
            let a = MutableNode(1)
            let fine = a.map { $0 * 2 }.named("fine"), stamped = fine.map { "\($0) at \(now())" }.named("stamped")
            let below = stamped.map { $0 + "!" }.named("below")
            var sources = JournalSources()
            sources.add(a, named: "a")
            return (a, [fine, stamped, below], sources)
        }
        let (a, watched, sources) = make(), (_, others, otherSources) = make()
        let recorder = JournalRecorder(of: sources, watching: watched, now: { .zero })
        a.value = 2
        a.value = 3
        let journal = withExtendedLifetime(watched) { recorder.stop() }
        let differences = try journal.replay(into: otherSources, watching: others)
        #expect(differences.first?.node == "stamped" && differences.first?.step == 2)
    }

    @Test("the sources must be mutable, have names, and no two of them the same", .enabled(if: Scale.runsTraps))
    func misuse() async {
        let nameless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var sources = JournalSources()
            sources.add(MutableNode(1))
        }
        #expect(placeOfMisuse(in: nameless?.standardErrorContent) == "\(#fileID):\(#line - 4)")
        let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var sources = JournalSources()
            sources.add(MutableNode(1), named: "a")
            sources.add(MutableNode(2), named: "a")
        }
        #expect(placeOfMisuse(in: twice?.standardErrorContent) == "\(#fileID):\(#line - 5)")
    }
}
