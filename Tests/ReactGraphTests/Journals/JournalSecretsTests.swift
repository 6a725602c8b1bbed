import Foundation
import ReactCore
import ReactOperators
import Testing

@testable import ReactGraph

@Suite("Secrets in a journal")
struct JournalSecretsTests {
    @Test("a value of a redacted source, and of a watched node derived from it, is not shown anywhere")
    func redaction() throws {
        let shop = JournaledShop(), secret = MutableNode("hunter1").named("password").redacted()
        let length = secret.map { "\($0)!" }.named("echo")
        var sources = shop.sources
        sources.add(secret)
        let recorder = JournalRecorder(of: sources, watching: [length, shop.total], now: { .zero })
        secret.value = "hunter2"
        secret.pulse("hunter3")
        shop.price.value = 1
        let journal = recorder.stop()
        #expect(
            journal.description
                == "password = redacted\npassword pulsed redacted\nprice = 1\ntotal was 2")
        let json = String(decoding: try JSONEncoder().encode(journal), as: UTF8.self)
        for text in [json, journal.swiftCode, "\(journal)", "\(recorder.errors)", "\(journal.initial)"] {
            #expect(!text.contains("hunter"))
        }
        #expect(throws: JournalError.redacted(source: "password")) { try journal.replay(into: sources) }
    }

    @Test("a node that was linked to a redacted one stays secret when the link has gone")
    func linkedBefore() throws {
        func graph() -> (MutableNode<String>, MutableNode<String>, [AnyNode], JournalSources) {
            let password = MutableNode("hunter1").named("password").redacted(), linked = MutableNode("").named("linked")
            linked.link(to: password)
            var sources = JournalSources()
            sources.add(password)
            sources.add(linked)
            return (password, linked, [linked, linked.map { $0 + "!" }.named("below"), password], sources)
        }
        let (password, linked, watched, sources) = graph()
        let recorder = JournalRecorder(of: sources, watching: watched, now: { .zero })
        password.value = "hunter2"
        linked.removeUpstreamNodes()
        linked.current += "x"
        #expect(watched[0].valueDescription == "hunter2x")
        linked.pulse("hunter3")
        let journal = recorder.stop()
        #expect(journal.isComplete)
        let json = String(decoding: try JSONEncoder().encode(journal), as: UTF8.self)
        #expect(!json.contains("hunter") && !journal.swiftCode.contains("hunter"))
        // What was redacted is no difference, whatever it holds.
        let (_, _, others, otherSources) = graph()
        let filled = try journal.replacingRedactedValues(of: "password", with: "secret")
            .replacingRedactedValues(of: "linked", with: "other")
        #expect(try filled.replay(into: otherSources, watching: others) == [])
    }

    @Test("a watched node that is redacted later, or only while it was linked to a secret, hides its checks")
    func watchedLater() throws {
        let shop = JournaledShop(), shown = shop.price.map { $0 + 1 }.named("shown")
        let recorder = shop.record(watching: [shown])
        shop.price.value = 41
        #expect(recorder.journal.description == "price = 41\nshown was 42")
        shop.price.redacted()
        #expect(recorder.stop().description == "price = redacted\nshown was redacted")
    }

    @Test("a source that is redacted later hides its earlier steps")
    func redactedLater() {
        let shop = JournaledShop()
        let recorder = shop.record()
        shop.price.value = 5
        shop.price.redacted()
        #expect(recorder.stop().description == "price = redacted")
        #expect(recorder.journal.initial["price"]?.description == "redacted")
    }

    @Test("a watched text that is the word “redacted” is compared, in the code too, and a redacted node's is not")
    func word() throws {
        func graph() -> (MutableNode<String>, AnyNode, JournalSources) {
            let source = MutableNode("").named("source")
            var sources = JournalSources()
            sources.add(source)
            return (source, source.map { $0 }.named("shown"), sources)
        }
        let (source, shown, sources) = graph()
        let recorder = JournalRecorder(of: sources, watching: [shown], now: { .zero })
        source.value = "redacted"
        func copy() throws -> Journal {
            try JSONDecoder().decode(Journal.self, from: JSONEncoder().encode(recorder.journal))
        }
        let journal = try copy()
        #expect(journal == recorder.journal)
        #expect(journal.swiftCode.hasSuffix("\n#expect(shown.journalText == \"redacted\")"))
        #expect(journal.description == "source = \"redacted\"\nshown was “redacted”")
        let (_, _, others) = graph()
        let other = MutableNode("other").named("shown")
        #expect(
            try journal.replay(into: others, watching: [other]) == [
                JournalDifference(step: 1, node: "shown", recorded: "redacted", replayed: "other")
            ])
        shown.redacted()
        let hidden = try copy()
        #expect(hidden.description == "source = \"redacted\"\nshown was redacted" && hidden != journal)
        #expect(hidden.swiftCode.hasSuffix("\n// shown was redacted"))
        #expect(try hidden.replay(into: others, watching: [other]) == [])
        other.clean()
        let difference = try #require(try hidden.replay(into: others, watching: [other]).first)
        #expect(difference.recorded == "redacted" && difference.replayed == nil)
    }

    @Test("a file that another version wrote is read: its text “redacted” is the mark")
    func olderFile() throws {
        let file = """
            {"initial": {}, "isComplete": true,
             "steps": [{"set": "price", "value": 3}, {"check": "total", "text": "redacted"}, {"check": "total"}]}
            """
        let journal = try JSONDecoder().decode(Journal.self, from: Data(file.utf8))
        #expect(journal.description == "price = 3\ntotal was redacted\ntotal was empty")
        let shop = JournaledShop()
        #expect(try journal.replay(into: shop.sources, watching: [shop.total]).map(\.step) == [2])
    }
}
