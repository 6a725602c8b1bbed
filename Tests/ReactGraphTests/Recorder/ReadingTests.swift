import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

/// Readings, which are joined once and answer many questions.
@Suite("A reading of the records") struct ReadingTests {
    private let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)

    @Test("sets that come after a reading change none of its answers") func later() {
        let price = MutableNode(20).named("price"), label = price.map { "\($0) €" }.named("label")
        let start = recorder.mark("start")
        price.value = 30
        let reading = recorder.reading()
        func answers() -> [String] {
            [
                reading.why(label).description, reading.whyNot(label, since: start).description,
                reading.events().map(\.description).joined(separator: "\n"),
                reading.graph(of: label, at: start).dot, reading.page(of: label), reading.trace(),
                reading.costliest().map(\.description).joined(), reading.redundantUpdates().map(\.description).joined(),
            ]
        }
        let before = answers()
        // Ages count from the reading.
        let clock = ContinuousClock(), end = clock.now + .milliseconds(3)
        while clock.now < end {}
        price.value = 40
        recorder.mark("later")
        #expect(answers() == before)
        #expect(before[0].hasPrefix("'label' holds \"30 €\", because\n"))
        #expect(reading.marks.map(\.label) == ["start"])
        #expect(recorder.reading().marks.map(\.label) == ["start", "later"])
    }
    @Test("the recorder's own answers are those of a reading") func same() {
        let a = MutableNode(1).named("a"), b = a.filter { $0 < 3 }.named("b")
        let start = recorder.mark("start")
        a.value = 1
        a.value = 5
        let reading = recorder.reading()
        #expect(reading.events().map(\.description) == recorder.events().map(\.description))
        #expect(reading.whyNot(b).events.map(\.moment) == recorder.whyNot(b).events.map(\.moment))
        #expect(reading.graph(of: b, at: start) == recorder.graph(of: b, at: start))
        #expect(reading.redundantUpdates().map(\.calls) == recorder.redundantUpdates().map(\.calls))
        #expect(reading.evicted == recorder.evicted)
        #expect(reading.liveObjects(since: start).isEmpty && recorder.liveObjects(since: start).isEmpty)
    }
    @Test("a node that came after a reading is not among its living") func living() {
        let start = recorder.mark("start")
        let first = MutableNode(1).named("first")
        let reading = recorder.reading()
        let second = MutableNode(2).named("second")
        #expect(reading.liveObjects(since: start).map(\.label) == ["'first'"])
        #expect(recorder.liveObjects(since: start).map(\.label) == ["'first'", "'second'"])
        withExtendedLifetime((first, second)) {}
    }
    @Test("a time, a duration and the number of a mark are taken for the serial number of no node") func serials() {
        #expect(Record(.set, first: 2, target: 1, edge: 7).serials == [1, 2])
        #expect(Record(.stored, first: 2, target: 1, edge: 3).serials == [1, 2, 3])
        #expect(Record(.late, first: 2, target: 7, edge: 3).serials == [2, 3])
        #expect(Record(nil, detail: .timed, target: 7, edge: 3).serials == [3])
        #expect(Record(.mark, target: 7).serials.isEmpty && Record(nil, detail: .time, aux: 7).serials.isEmpty)
    }
    @Test("the labels of old marks are forgotten, and those of the last 10,000 are not") func manyMarks() {
        var labels = MarkLabels()
        for number in 0..<30_000 { #expect(labels.add("\(number)") == number) }
        #expect(labels[29_999] == "29999" && labels[20_000] == "20000" && labels[0] == nil && labels[30_000] == nil)
    }
    @Test("the label of a mark shows nothing that cannot be seen, and is cut") func labelOfMark() {
        recorder.mark("one\ntwo\u{202E}" + String(repeating: "x", count: 500))
        let label = recorder.reading().marks[0].label
        #expect(label.hasPrefix("one↵two�x") && label.count == 201)
    }
}

/// Steps, and not time: twice as many records take no more than about twice as many.
@Suite("Work for each question") struct LinearQuestionsTests {
    private func steps(_ body: () -> Void) -> Int {
        let counter = StepCounter()
        counter.counting(body)
        return counter.value
    }
    @Test("why a node was not set, after an edge was cut and its source was set many times") func whyNot() {
        func taken(_ count: Int) -> Int {
            let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
            let source = MutableNode(0).named("source"), shown = Node<Int>().named("shown")
            let link = shown.link(to: source)
            link.cancel()
            for number in 0..<count { source.value = number }
            return steps {
                let answer = recorder.whyNot(shown).description
                // A recorder of another test may have had the places noted, which then stand between the two.
                #expect(answer.contains("Link 'shown'") && answer.contains(" had been cut from 'source'"))
                #expect(answer.contains("earlier sets stopped, too"))
            }
        }
        let (few, many) = (taken(2_000), taken(4_000))
        #expect(few > 2_000 && many < few * 5 / 2, "\(few), \(many)")
    }
    @Test("the graph as it was, with many listeners that have come and gone") func listeners() {
        func taken(_ count: Int) -> Int {
            let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
            let node = MutableNode(0).named("node"), before = recorder.mark("before")
            let lifetimes = (0..<count).map { _ in Lifetime() }
            for lifetime in lifetimes { node.listened(by: lifetime).with { _ in } }
            let then = recorder.mark("then")
            for lifetime in lifetimes { lifetime.cancel() }
            return steps {
                #expect(recorder.graph(of: node, at: then).listeners.count == count)
                #expect(recorder.graph(of: node, at: before).listeners.isEmpty)
            }
        }
        let (few, many) = (taken(1_000), taken(2_000))
        #expect(few >= 1_000 && many < few * 5 / 2, "\(few), \(many)")
    }
    /// The steps of questions about the end of a chain, while a node that has nothing to do with it is redacted.
    private func stepsOfChain(_ count: Int, isOnRecord: Bool) -> Int {
        let secret = MutableNode("x").redacted(), source = MutableNode(0)
        let early = isOnRecord ? GraphRecorder(sites: false, onThisThreadOnly: true) : nil
        var last: Node<Int> = source
        for _ in 0..<count { last = last.map { $0 } }
        let recorder = early ?? GraphRecorder(sites: false, onThisThreadOnly: true)
        let moment = recorder.mark("start")
        if isOnRecord { source.value = 1 }
        return withExtendedLifetime(secret) {
            steps {
                #expect(recorder.graph(of: last, at: moment).nodes.count == count + 1)
                #expect(recorder.page(of: last).contains("<html"))
                #expect(recorder.events().count >= (isOnRecord ? count : 0))
                #expect(!recorder.whyNot(last, since: moment).description.isEmpty)
                #expect(last.graph.nodes.count == count + 1)
            }
        }
    }
    @Test("secrets are decided in one walk, however long a chain is", arguments: [true, false])
    func chain(isOnRecord: Bool) {
        let count = Scale.gate.isSmall ? 100 : 1_000
        let (few, many) = (
            stepsOfChain(count, isOnRecord: isOnRecord), stepsOfChain(2 * count, isOnRecord: isOnRecord)
        )
        #expect(few >= count && many < few * 5 / 2, "\(few), \(many)")
    }
    @Test("secrets of switches in a row are decided in one walk") func switches() {
        func taken(_ count: Int) -> Int {
            let secret = MutableNode("x").redacted(), source = MutableNode(0)
            var branch: Node<Int> = source
            for _ in 0..<count { branch = branch.switch { $0 % 1 }.case(0) }
            return withExtendedLifetime((secret, source)) { steps { #expect(branch.graph.nodes.count > count) } }
        }
        let (few, many) = (taken(300), taken(600))
        #expect(few >= 300 && many < few * 5 / 2, "\(few), \(many)")
    }
    @Test(
        "values that wait for their node are each caused by the set that queued them",
        arguments: [10, Scale.gate.isSmall ? 1_000 : 10_000])
    func queue(count: Int) throws {
        let recorder = GraphRecorder(sites: false, onThisThreadOnly: true)
        let node = MutableNode(0).named("node"), lifetime = Lifetime()
        node.listened(by: lifetime).with { [node] value in
            if value == 1 { for number in 2...count { node.value = number } }
        }
        node.value = 1
        let events = recorder.queries.log.events
        let queued = events.indices.filter { events[$0].kind == .queued }
        let resumed = events.indices.filter { events[$0].kind == .resumed }
        try #require(queued.count == count - 1)
        #expect(resumed.map { events[$0].causes } == queued.map { [$0] })
    }
}
