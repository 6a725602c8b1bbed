import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("The guide's examples: branches")
struct BranchExampleTests {
    /// Two speakers and a narrator.
    static let script = [
        "On a quiet afternoon",
        "Li Lei: Hello everyone, I am Li Lei.",
        "Han Meimei: Hello everyone, I am Han Meimei.",
        "Li Lei: Hello, Han Meimei.",
        "Han Meimei: Hello, Li Lei.",
        "And so they lived happily ever after",
    ]

    static func speaker(of line: String) -> String? {
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? String(parts[0]) : nil
    }

    static func speech(of line: String) -> String {
        let parts = line.split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? String(parts[1].dropFirst()) : line
    }

    @Test("switch, case and default give each speaker the lines as they stand")
    func switchCaseDefault() {
        let line = MutableNode<String>()
        let lines = line.switch { Self.speaker(of: $0) }
        let liLei = lines.case("Li Lei").recorded()
        let hanMeimei = lines.case("Han Meimei").recorded()
        let narrator = lines.default().recorded()
        for text in Self.script { line.value = text }
        #expect(liLei.events == ["Li Lei: Hello everyone, I am Li Lei.", "Li Lei: Hello, Han Meimei."])
        #expect(hanMeimei.events == ["Han Meimei: Hello everyone, I am Han Meimei.", "Han Meimei: Hello, Li Lei."])
        #expect(narrator.events == ["On a quiet afternoon", "And so they lived happily ever after"])
    }

    @Test("switchMap, case and default give each speaker the words alone")
    func switchMapCaseDefault() {
        let line = MutableNode<String>()
        let lines = line.switchMap { (Self.speaker(of: $0), Self.speech(of: $0)) }
        let liLei = lines.case("Li Lei").recorded()
        let hanMeimei = lines.case("Han Meimei").recorded()
        let narrator = lines.default().recorded()
        for text in Self.script { line.value = text }
        #expect(liLei.events == ["Hello everyone, I am Li Lei.", "Hello, Han Meimei."])
        #expect(hanMeimei.events == ["Hello everyone, I am Han Meimei.", "Hello, Li Lei."])
        #expect(narrator.events == ["On a quiet afternoon", "And so they lived happily ever after"])
    }

    @Test("if, then, else part 1, -1, 2, 0, -3 by whether they are positive")
    func ifThenElse() {
        let number = MutableNode<Int>()
        let heard = Recorder<String>()
        let listener = Lifetime()
        let parts = number.if { $0 > 0 }
            .then { $0.listened(by: listener).with { heard.record("positive \($0)") } }
            .else { $0.listened(by: listener).with { heard.record("other \($0)") } }
        let positive = parts.thenNode.recorded()
        let other = parts.elseNode.recorded()
        for value in [1, -1, 2, 0, -3] { number.value = value }
        #expect(heard.events == ["positive 1", "other -1", "positive 2", "other 0", "other -3"])
        #expect(positive.events == [1, 2])
        #expect(other.events == [-1, 0, -3])
    }
}
