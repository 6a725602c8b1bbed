import Foundation
import ReactCore
import ReactOperators
import Synchronization
import Testing

@testable import ReactGraph

/// Answers as people read them.
@Suite("Answers that read well") struct ReadableAnswersTests {
    @Test("durations are told in the unit that people would use") func units() {
        let told: [(Duration, String)] = [
            (.nanoseconds(0), "0 ns"), (.nanoseconds(312), "312 ns"), (.nanoseconds(6_997), "7 µs"),
            (.nanoseconds(1_449), "1.4 µs"), (.microseconds(12), "12 µs"), (.microseconds(999), "999 µs"),
            (.nanoseconds(999_960), "1 ms"), (.milliseconds(3_400), "3.4 s"), (.seconds(75), "75 s"),
        ]
        for (duration, text) in told { #expect(duration.inHumanUnits == text) }
        #expect(
            [0, 12, 999, 1_000, 12_345, 1_234_567].map(\.grouped) == ["0", "12", "999", "1,000", "12,345", "1,234,567"])
    }
    @Test("the lines of the hottest edges stand below one another, and say no seconds in scientific notation")
    func table() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let price = MutableNode(0).named("price"), double = price.map { $0 * 2 }.named("the doubled price")
        let low = price.filter { $0 < 3 }.named("low"), last = double.map { $0 + 1 }.named("last")
        for number in 1...12 { price.value = number / 2 }
        let lines = recorder.costliest().map(\.description)
        #expect(lines.count == 3)
        #expect(Set(lines.map(\.count)).count == 1, "\(lines)")
        let places = lines.compactMap { line in
            line.range(of: " downstream").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
        }
        #expect(places.count == 3 && Set(places).count == 1, "\(lines)")
        #expect(lines.allSatisfy { !$0.contains("e-0") && !$0.contains("seconds") && $0.hasSuffix(" in all") })
        #expect("\(recorder.redundantUpdates())".contains("\n'price'"))
        withExtendedLifetime((low, last)) {}
    }
    @Test("text is quoted in sentences, so that it is told from words, and secrets and numbers are not") func quoted() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let name = MutableNode("ada").named("name"), count = name.map(\.count).named("count")
        let secret = MutableNode("x").named("secret").redacted()
        name.value = "was set to"
        secret.value = "y"
        let lines = recorder.events().map(\.description)
        #expect(lines.contains("'name' was set to \"was set to\" (was \"ada\")"))
        #expect(lines.contains { $0.hasSuffix("gave 'count' 10 (was 3)") })
        #expect(lines.contains("'secret' was set to redacted (was redacted)"))
        #expect("\(recorder.why(name))".hasPrefix("'name' holds \"was set to\", because"))
        #expect(recorder.events().contains { $0.new == "was set to" && $0.old == "ada" })
        withExtendedLifetime(count) {}
    }
    @Test("a listener is told by the name of its lifetime, if that has one") func listener() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let count = MutableNode(0).named("count"), screen = Lifetime(named: "login screen"), other = Lifetime()
        count.listened(by: screen).with { _ in }
        count.listened(by: other).with { _ in }
        let before = recorder.mark("before")
        count.value = 1
        #expect(
            recorder.events(since: before).map(\.description) == [
                "'count' was set to 1 (was 0)",
                "Listen of Lifetime 'login screen' called its listener with 1 of 'count'",
                "Listen of Lifetime called its listener with 1 of 'count'",
            ])
    }
    @Test("a long value is cut in a sentence") func cut() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let text = MutableNode("").named("text")
        text.value = String(repeating: "long ", count: 100_000)
        let line = recorder.events().last?.description ?? ""
        #expect(line.count < 200 && line.contains("…\""))
    }
    /// Counts how often its kind was described.
    private struct Part: CustomStringConvertible {
        static let count = Atomic(0)
        let number: Int
        var description: String {
            Part.count.wrappingAdd(1, ordering: .relaxed)
            return "\(number)"
        }
    }
    @Test("of a long array, a sentence describes no more than it shows") func longArray() {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let parts = MutableNode<[Part]>([]).named("parts"), all = parts.map { $0 }
        parts.value = (0..<50_000).map { Part(number: $0) }
        parts.value = (0..<50_000).map { Part(number: $0) }
        let texts = [recorder.why(all).description, recorder.why(parts).description]
        // Events have a thousand characters of each value, as data.
        #expect(Part.count.load(ordering: .relaxed) < 20_000)
        #expect(recorder.events().compactMap(\.new).map(\.count).max() == 1_001)
        let start = (0..<40).map { "\($0)" }.joined(separator: ", ")
        for text in texts { #expect(text.contains("[\(start.prefix(79))…")) }
        withExtendedLifetime(all) {}
    }
    @Test("values are cut where their full descriptions would be") func cutAlike() {
        let values: [any Sendable] = [
            "", "a", String(repeating: "é", count: 99), [Int](), Array(0..<9), Array(0..<99), [1: "one"], [Int: Int](),
            Set(0..<99), Array(0..<99)[5...], "abc".dropFirst(), Optional("x") as Any? as? String ?? "", 3.5,
        ]
        for value in values {
            let full = String(describing: value).caption(limit: 40)
            let part = ValueText.limited(to: 40) { ValueText.of(value) }
            #expect(part.caption(limit: 40) == full)
        }
    }
    @Test("living objects are listed with each place once, and a listener by its holder") func living() throws {
        let recorder = GraphRecorder(onThisThreadOnly: true)
        let start = recorder.mark("start"), lifetime = Lifetime()
        let source = MutableNode(1), next = source.map { $0 }.named("next")
        next.listened(by: lifetime).with { _ in }
        let lines = recorder.liveObjects(since: start).map(\.description)
        #expect(lines.count == 4)
        #if os(Linux)
        for line in lines { #expect(line.ranges(of: "ReadableAnswersTests.swift").count == 1, "\(line)") }
        #endif
        #expect(
            lines.contains {
                $0.hasPrefix("listener Listen of Lifetime") && $0.contains("held by its listener, Lifetime")
            })
    }
    @Test("a recorder without places tells none, although another recorder notes them") func noPlaces() {
        let plain = GraphRecorder(sites: false, onThisThreadOnly: true)
        let placed = GraphRecorder(onThisThreadOnly: true)
        let start = plain.mark("start")
        let price = MutableNode(30), cheap = price.filter { $0 < 10 }
        price.value = 20
        #expect(!plain.whyNot(cheap).description.contains(".swift:"))
        #expect(plain.liveObjects(since: start).allSatisfy { $0.place == nil })
        #if os(Linux)
        #expect(placed.whyNot(cheap).description.contains("(ReadableAnswersTests.swift:"))
        #endif
    }
}
