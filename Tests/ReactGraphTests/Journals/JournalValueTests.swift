import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

private struct Point: Codable, Hashable, Sendable { var x: Double }
private struct Form: Codable, Equatable, Sendable { var tags: Set<String> = [], prices: [String: Int] = [:] }
private enum Shape: Codable, Hashable, Sendable {
    case circle(radius: Double), path([Point], isClosed: Bool), none
}
/// A value that writes itself by nested containers, and by two on one encoder.
private struct Nested: Codable, Equatable, Sendable {
    private enum Keys: CodingKey { case list, keyed, base }
    var number = 3, text = "x", isOn = true

    init() {}
    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Keys.self)
        var list = try keys.nestedUnkeyedContainer(forKey: .list)
        number = try list.decode(Int.self)
        var inner = try list.nestedUnkeyedContainer()
        text = try inner.decode(String.self)
        isOn = try keys.superDecoder(forKey: .base).singleValueContainer().decode(Bool.self)
    }
    func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: Keys.self)
        var list = keys.nestedUnkeyedContainer(forKey: .list)
        try list.encode(number)
        var inner = list.nestedUnkeyedContainer()
        try inner.encode(text)
        var again = encoder.container(keyedBy: Keys.self)
        var base = again.superEncoder(forKey: .base).singleValueContainer()
        try base.encode(isOn)
    }
}

struct Plain { var a = 1, b: String? = "x", set: Set<Int> = [7] }
enum PlainChoice { case one(Set<Int>), two(a: Set<Int>, b: [String: Int]), three }
/// A value that is a number or a text, whichever its data has.
private enum Scalar: Codable, Hashable, Sendable {
    case number(Double), text(String)

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if let number = try? single.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try single.decode(String.self))
        }
    }
    func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch self {
        case .number(let number): try single.encode(number)
        case .text(let text): try single.encode(text)
        }
    }
}

@Suite("The values of a journal")
struct JournalValueTests {
    /// Records a set, sends the journal through a file, and replays it. Returns the value that arrives.
    private func replayed<Value: Codable & Sendable>(_ value: Value) throws -> Value? {
        let node = MutableNode<Value>(), again = MutableNode<Value>()
        var sources = JournalSources(), others = JournalSources()
        sources.add(node, named: "node")
        others.add(again, named: "node")
        let recorder = JournalRecorder(of: sources, now: { .zero })
        node.value = .some(value)
        let journal = try JSONDecoder().decode(Journal.self, from: JSONEncoder().encode(recorder.stop()))
        #expect(recorder.errors == [] && journal == recorder.journal)
        try journal.replay(into: others)
        return again.value
    }
    private func expectBack<Value: Codable & Equatable & Sendable>(_ value: Value) throws {
        let back = try #require(try replayed(value))
        // The sorted text also tells −0.
        #expect(back == value && MutableNode(back).journalText == MutableNode(value).journalText)
    }
    private func decimal(_ text: String) -> Decimal { Decimal(string: text)! }
    private func read(_ json: String) throws -> JournalValue {
        try JSONDecoder().decode(JournalValue.self, from: Data(json.utf8))
    }

    @Test("numbers keep all their digits, and −0 its sign, in all types that hold them")
    func numbers() throws {
        let decimals = [
            "0", "-3", "1.5", "12345678901234567.89", "9007199254740993.5", "0.12345678901234567890123",
            "79228162514264337593543950335", "-0.123456789012345678", "1e30", "1e-30", "18446744073709551616",
        ].map(decimal)
        for value in decimals { try expectBack(value) }
        try expectBack(decimals)
        try expectBack(["sum": decimals[3]])
        try expectBack(Decimal?.some(decimals[4]))
        try expectBack(-0.0)
        try expectBack([-0.0, 0.0])
        try expectBack(Float(-0.0))
        try expectBack(Double?.some(-0.0))
        try expectBack(Point(x: -0.0))
        try expectBack(["zero": [Point(x: -0.0), Point(x: .leastNonzeroMagnitude)]])
        try expectBack(Int128.max)
        try expectBack([Int128.min, 1_000_000_000_000_000_000_000, 0])
        try expectBack(UInt128.max)
        try expectBack([UInt64.max, 10_000_000_000_000_000_000, 1])
        try expectBack([Float.greatestFiniteMagnitude, 16_777_215, 1.1])
        try expectBack([
            Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e19, 1e22, 1e-7, 0.1, 123456789012345680,
        ])
        try expectBack(Point(x: -.infinity))
        let nan = try replayed([Point(x: .nan), Point(x: 1)])
        #expect(nan?[0].x.isNaN == true && nan?[1].x == 1)
        #expect(try replayed(Float.nan)?.isNaN == true)
    }

    @Test("a value that is a number or a text comes back, with the texts of infinities and NaN")
    func numberOrText() throws {
        for text in ["nan", "inf", "-inf", "nan_", "", "3"] {
            try expectBack(Scalar.text(text))
            try expectBack([Scalar.text(text), .number(.infinity), .number(-.infinity), .number(1.5)])
            try expectBack([Scalar.text(text): "inf"])
        }
        try expectBack([Scalar.text("nan"), .text("inf_"), .number(.infinity)])
    }

    @Test("an integer of one's own that encodes itself by keys is written by its keys")
    func ownIntegers() throws {
        #expect(try JournalValue(encoding: Cents(5)).description == "[\"cents\": 5]")
        try expectBack(Cents(5))
        try expectBack([Cents(-5), Cents(0)])
    }

    @Test("random numbers come back to the bit, and equal numbers have equal data")
    func randomNumbers() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<Scale.scaled(2_000) {
            let number = Double(bitPattern: random.next()), digits = Int128(random.next()) << 40
            guard number.isFinite else { continue }
            for value in [number, number.rounded(), Double(Float(number))] where value.isFinite {
                let data = try JournalValue(encoding: Point(x: value))
                let file = try JSONDecoder().decode(JournalValue.self, from: JSONEncoder().encode(data))
                #expect(file == data)
                #expect(try file.decoded(as: Point.self).x.bitPattern == value.bitPattern)
            }
            #expect(try JournalValue(encoding: digits).decoded(as: Int128.self) == digits)
            #expect(try JournalValue(encoding: digits) == JournalValue(encoding: decimal("\(digits)")))
        }
    }

    @Test("a dictionary that looks like a mark comes back")
    func marks() throws {
        try expectBack(["$redacted": true])
        try expectBack(["$number": "3"])
        try expectBack(["$$number": "3"])
        try expectBack(["$": "", "$$": "", "$$$": "", "$\u{301}": "", "a$": ""])
        try expectBack([["$redacted": true]])
        try expectBack(["$redacted": ["$number": "nan"]])
        #expect(try read("{\"$redacted\": true}") == .redacted)
        #expect(try read("{\"$number\": \"-inf\"}") == JournalValue(-.infinity))
        #expect(try read("{\"$number\": \"none\"}").description == "[\"$number\": \"none\"]")
        let numbers = try read("[18446744073709551615, 12345678901234567.89, 1e2, -0.0]")
        #expect(numbers.description == "[18446744073709551615, 12345678901234567.89, 100, -0.0]")
    }

    @Test("values of all kinds of containers come back")
    func containers() throws {
        try expectBack(Nested())
        try expectBack([Shape.circle(radius: 1.5), .path([Point(x: 1)], isClosed: true), .none])
        try expectBack([1: "a", -2: "b"])
        try expectBack([Point(x: 1): 1, Point(x: 2): 2])
        try expectBack([Shape.none: Set([1, 2])])
        try expectBack(Set([Data([1, 2, 255])]))
        try expectBack(["at": Date(timeIntervalSince1970: 1.1)])
        try expectBack([URL(string: "https://example.com/a%20b")!])
        try expectBack([UUID()])
        try expectBack([Duration.milliseconds(3)])
        try expectBack([String: Int?](uniqueKeysWithValues: [("a", nil), ("b", 3)]))
    }

    @Test("a value that is decoded as another one is told, and its step is left out")
    func otherValues() throws {
        struct Short: Codable, Sendable, Equatable {
            var kept = 0, left = 0
            enum CodingKeys: CodingKey { case kept }
        }
        func errors<Value: Codable & Sendable>(_ first: Value, _ values: Value...) -> [String] {
            let node = MutableNode(first)
            var sources = JournalSources()
            sources.add(node, named: "node")
            let recorder = JournalRecorder(of: sources, now: { .zero })
            for value in values { node.value = .some(value) }
            #expect(recorder.stop().isComplete == recorder.errors.isEmpty)
            #expect(recorder.journal.steps.count == values.count - recorder.errors.count)
            return recorder.errors
        }
        let error = "a value of “node” was left out, because its encoding failed: it is decoded as another value"
        #expect(errors(Int??.none, .some(.some(3)), .some(.none), .none) == [error])
        #expect(errors([Int??](), [.none], [.some(.none)]) == [error])
        #expect(errors(Short(), Short(kept: 3), Short(left: 3)) == [error])
        #expect(errors([Point](), [Point(x: .nan)], [Point(x: -0.0)]) == [])
        #expect(errors(Int?.some(1), nil, 2) == [])
        struct Chain: Codable, Sendable, Equatable { var next: [Chain] = [] }
        func chain(_ length: Int) -> Chain { (0..<length).reduce(Chain()) { chain, _ in Chain(next: [chain]) } }
        #expect(
            errors(Chain(), chain(49), chain(60)) == [
                "a value of “node” was left out, because its encoding failed: it is nested more than 100 levels deep"
            ])
        #expect(try replayed(chain(49)) == chain(49))
        // Not `Equatable`: its data is compared.
        struct Odd: Codable, Sendable {
            var number = 0
            init(number: Int) { self.number = number }
            init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) + 1 }
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(number)
            }
        }
        #expect(errors(Odd?.none, Odd(number: 2)) == [error])
    }

    @Test("equal sets and dictionaries have equal data, equal texts and one check, however they were made")
    func order() throws {
        let names = (0..<40).map { "x\($0)" }
        let one = Set(names)
        var other = Set<String>(minimumCapacity: 4_000)
        for name in names.reversed() { other.insert(name) }
        let pairs = (0..<40).map { (Point(x: Double($0) / 4), $0) }
        let prices = Dictionary(uniqueKeysWithValues: pairs)
        var otherPrices = [Point: Int](minimumCapacity: 4_000)
        for (key, value) in pairs.reversed() { otherPrices[key] = value }
        func expectEqual<Value: Codable & Sendable>(_ one: Value, _ other: Value, _ text: String? = nil) throws {
            #expect(try JournalValue(encoding: one) == JournalValue(encoding: other))
            let node = MutableNode(one), shown = node.map { $0 }.named("shown")
            var sources = JournalSources()
            sources.add(node, named: "node")
            let recorder = JournalRecorder(of: sources, watching: [shown], now: { .zero })
            node.value = .some(other)
            #expect(recorder.stop().steps.count == 1, "\(Value.self)")
            #expect(shown.journalText == MutableNode(one).journalText)
            if let text { #expect(shown.journalText == text) }
        }
        try expectEqual(one, other)
        try expectEqual([one, []], [other, []])
        try expectEqual(Form(tags: one), Form(tags: other))
        try expectEqual([Form(tags: one)], [Form(tags: other)])
        try expectEqual(Set<String>?.some(one), other)
        try expectEqual([one: 1], [other: 1])
        try expectEqual(prices, otherPrices)
        try expectEqual(["a": [prices]], ["a": [otherPrices]])
        try expectEqual(["a": one], ["a": other])
        try expectEqual(Set([1, 10, 2, -1]), Set([10, 2, -1, 1]), "[-1, 1, 10, 2]")
        #expect(try JournalValue(encoding: Set([1, 10, 2, -1])).description == "[-1, 1, 2, 10]")
        #expect(
            try JournalValue(encoding: [2.5: "b", 10: "c", -1: "a"]).description == "[-1, \"a\", 2.5, \"b\", 10, \"c\"]"
        )
    }

    @Test("equal sets have equal texts in each list and dictionary of the standard library")
    func orderInside() {
        let names = (0..<40).map { "x\($0)" }
        var other = Set<String>(minimumCapacity: 4_000)
        for name in names.reversed() { other.insert(name) }
        func expectAlike<Value: Sendable>(_ make: (Set<String>) -> Value) {
            let texts = [Set(names), other].map { MutableNode(make($0)).journalText }
            #expect(texts[0] == texts[1], "\(Value.self)")
            let few = make(["a"])
            #expect(MutableNode(few).journalText == MutableNode(few).valueDescription)
            #expect(MutableNode([few]).journalText == MutableNode([few]).valueDescription)
        }
        expectAlike { [[], $0][1...] }
        expectAlike { ContiguousArray([$0]) }
        expectAlike { ["a": $0] as KeyValuePairs }
        expectAlike { [$0: 1] as KeyValuePairs }
        expectAlike { CollectionOfOne($0) }
        expectAlike { [$0: 1].keys }
        expectAlike { ["a": $0].values }
        expectAlike { Dictionary(uniqueKeysWithValues: $0.map { ($0, 1) }).keys }
        expectAlike { Dictionary(uniqueKeysWithValues: $0.map { ($0, $0) }).values }
        expectAlike { [$0].reversed() as ReversedCollection }
        expectAlike { repeatElement($0, count: 2) }
    }

    @Test("the name of a private type in a text has no address, which is another one in each process")
    func privateTypes() {
        struct Plain { var set: Set<Int> = [7], number = 1 }
        enum Choice { case one }
        for node in [MutableNode([Plain()]), MutableNode([Choice.one]), MutableNode([1: Point(x: 1)])] as [AnyNode] {
            #expect(node.journalText?.contains("$") == false, "\(node.journalText ?? "")")
        }
        #expect(MutableNode([1: Point(x: 1)]).journalText == "[1: ReactGraphTests.Point(x: 1.0)]")
    }

    @Test("the text of a value is the one that Swift writes, but for the order of sets and dictionaries")
    func texts() {
        let values: [any Sendable] = [
            3, "a\nb", [1, 2], Set([3]), ["k": Set(["v"])], [Set<Int>?.some([1]), nil],
            ["a": 1], [String: Int](), Set<Int>(), [[Set([1])]],
        ]
        for value in values { #expect(MutableNode(value).journalText == MutableNode(value).valueDescription) }
        #expect(MutableNode(Plain()).journalText == MutableNode(Plain()).valueDescription)
        #expect(MutableNode([Plain()]).journalText == MutableNode([Plain()]).valueDescription)
        #expect(MutableNode(PlainChoice.one([1])).journalText == MutableNode(PlainChoice.one([1])).valueDescription)
        let two = PlainChoice.two(a: [1], b: ["x": 1])
        #expect(MutableNode([two, .three]).journalText == MutableNode([two, .three]).valueDescription)
        #expect(
            MutableNode((Set([1]), name: ["x": 1])).journalText
                == MutableNode((Set([1]), name: ["x": 1])).valueDescription)
        #expect(MutableNode((1, 2)).journalText == "(1, 2)")
        #expect(MutableNode<Int>().journalText == nil)
    }

    @Test("a copy of a journal has the same code and description")
    func copies() throws {
        let node = MutableNode([String: [String: Int]]())
        var sources = JournalSources()
        sources.add(node, named: "node")
        let recorder = JournalRecorder(of: sources, now: { .zero })
        for count in 1...12 {
            node.current["key\(count)"] = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", $0) })
        }
        var journal = recorder.stop()
        let (code, description) = (journal.swiftCode, journal.description)
        for _ in 0..<20 {
            journal = try JSONDecoder().decode(Journal.self, from: JSONEncoder().encode(journal))
            #expect(journal == recorder.journal && journal.swiftCode == code && journal.description == description)
        }
    }
}
