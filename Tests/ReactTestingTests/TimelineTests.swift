import ReactCore
import ReactOperators
import ReactScheduling
import Testing

@testable import ReactTesting

@Suite("Playing diagrams")
struct TimelineTests {
    @Test("a node follows its own row")
    func identity() throws {
        try expectTimeline(
            """
            source  a-(bc)~d-
            same    a-(bc)~d-
            """
        ) { timeline in
            timeline.observe("same", timeline.source("source"))
        }
    }

    @Test("a value that begins with a quote is read as it is written")
    func quoted() throws {
        try expectTimeline(
            """
            source  a
            quoted  '''a'
            """
        ) { timeline in
            timeline.observe("quoted", timeline.source("source").map { "'" + $0 })
        }
    }

    @Test(
        "a tick may take any time, and the drawing stays the same",
        arguments: [
            Duration.nanoseconds(1), .milliseconds(100), .milliseconds(333), .seconds(1), .seconds(86_400),
            .seconds(1) / 3,
        ])
    func ownTick(tick: Duration) throws {
        func play(_ interval: Duration) throws {
            try expectTimeline(
                """
                text   a-b----c----
                query  -----b----c-
                """,
                tick: tick
            ) { timeline in
                #expect(timeline.ticks(3) == tick * 3)
                timeline.observe("query", timeline.source("text").debounce(interval, on: timeline.scheduler))
            }
        }
        try play(tick * 3)
        #expect(throws: TimelineError.self) { try play(tick * 2) }
        // Between two ticks.
        #expect(throws: TimelineError.self) { try play(tick * 3 - .nanoseconds(1) / 2) }
    }

    @Test("a tick that takes no time is refused")
    func noTick() async {
        await #expect(processExitsWith: .failure) {
            try? expectTimeline("a -", tick: .zero) { timeline in timeline.observe("a", timeline.source("a")) }
        }
    }

    @Test("a value that a node holds from the start is heard in tick 0, before the sources are set")
    func presentValue() throws {
        try expectTimeline(
            """
            source  b---
            node    (ab)---
            """
        ) { timeline in
            timeline.source("source").value = "a"
            timeline.observe("node", timeline.source("source"))
        }
    }

    @Test("in one tick the rows are set from the top down, and work that operators schedule runs after them")
    func ties() throws {
        try expectTimeline(
            """
            upper   --a---
            lower   --x---
            later   --(xa)---
            """
        ) { timeline in
            let later = Node<String>()
            later.link(to: timeline.source("lower"))
            later.link(to: timeline.source("upper").deliver(on: timeline.scheduler))
            timeline.observe("later", later)
        }
    }

    @Test("a source comes before work of its tick that an operator scheduled while it was made")
    func tiesWithEarlierWork() throws {
        try expectTimeline(
            """
            s    ---a---
            out  ---a--!
            """
        ) { timeline in
            let results = timeline.source("s").timeout(timeline.ticks(3), on: timeline.scheduler)
            timeline.observe("out", results.map { (try? $0.get()) ?? "!" })
        }
    }

    @Test("a text of several characters stands in quotes")
    func text() throws {
        try expectTimeline(
            """
            source  -'ab'-
            same    -'ab'-
            """
        ) { timeline in
            timeline.observe("same", timeline.source("source"))
        }
    }

    // MARK: Diagrams that must fail, with their messages

    private func failure(_ diagram: String, _ build: (Timeline) -> Void) -> String? {
        do {
            try expectTimeline(diagram, build)
            return nil
        } catch {
            return error.description
        }
    }

    private func same(_ timeline: Timeline) {
        timeline.observe("same", timeline.source("source"))
    }

    @Test("a value that is missing")
    func missing() {
        #expect(
            failure(
                """
                source  a--b
                same    a-c-
                """,
                same
            ) == """
                same differs at tick 2: expected c, heard -.
                  tick    0123
                  source  a--b
                  same    a-c-
                  heard   a--b
                """
        )
    }

    @Test("a row that is observed twice, and a value that comes long after the end")
    func mistakes() {
        #expect(
            failure("s  a\no  a") { timeline in
                timeline.observe("o", timeline.source("s").map { $0 + "wrong" })
                timeline.observe("o", timeline.source("s"))
            } == "The row o is observed twice.")
        let late = failure("s  a\no  a") { timeline in
            let results = timeline.source("s").timeout(Duration(attoseconds: .max), on: timeline.scheduler)
            timeline.observe("o", results.map { (try? $0.get()) ?? "!" })
        }
        #expect(late?.hasPrefix("o had ! more than 100 ticks after the diagram's end.") ?? false)
    }

    @Test("a value that nobody expected")
    func unexpected() {
        #expect(
            failure(
                """
                source  a--b
                same    a---
                """,
                same
            ) == """
                same differs at tick 3: expected -, heard b.
                  tick    0123
                  source  a--b
                  same    a---
                  heard   a--b
                """
        )
    }

    @Test("another value, and the table stays aligned beside a wide group")
    func anotherOrder() {
        #expect(
            failure(
                """
                source  -(ab)-~
                same    -(ba)-~
                """,
                same
            ) == """
                same differs at tick 1: expected (ba), heard (ab).
                  tick    01   23
                  source  -(ab)-~
                  same    -(ba)-~
                  heard   -(ab)-~
                """
        )
    }

    @Test("an emptied node where a value is expected, and the other way round")
    func emptiness() {
        #expect(
            failure(
                """
                source  a~
                same    aa
                """,
                same
            ) == """
                same differs at tick 1: expected a, heard ~.
                  tick    01
                  source  a~
                  same    aa
                  heard   a~
                """
        )
    }

    @Test("a value that comes after the diagram ends")
    func tooLate() {
        #expect(
            failure(
                """
                source  a--
                later   ---
                """
            ) { timeline in
                timeline.observe("later", timeline.source("source").delay(timeline.ticks(4), on: timeline.scheduler))
            } == """
                later differs at tick 4: expected nothing, for the diagram ends, heard a.
                  tick    01234
                  source  a--
                  later   ---
                  heard   ----a
                """
        )
    }

    @Test("a value between two ticks")
    func betweenTicks() {
        #expect(
            failure(
                """
                source  a--
                later   -a-
                """
            ) { timeline in
                timeline.observe("later", timeline.source("source").delay(.milliseconds(1_500), on: timeline.scheduler))
            } == """
                later had a between ticks, at 1.5 seconds.
                  tick    012
                  source  a--
                  later   -a-
                """
        )
    }

    @Test("two rows that differ are both told")
    func twoRows() {
        #expect(
            failure(
                """
                source  ab
                one     a-
                two     -b
                """
            ) { timeline in
                timeline.observe("one", timeline.source("source"))
                timeline.observe("two", timeline.source("source"))
            } == """
                one differs at tick 1: expected -, heard b.
                two differs at tick 0: expected -, heard a.
                  tick    01
                  source  ab
                  one     a-
                  heard   ab
                  two     -b
                  heard   ab
                """
        )
    }

    @Test("a row that nothing was said about, and names without a row")
    func names() {
        #expect(
            failure("source a-") { timeline in
                timeline.observe("throttle", timeline.source("input"))
            } == """
                There is no row named input.
                There is no row named throttle.
                The row source is neither a source nor observed.
                """
        )
    }

    @Test("a node of any type with a description is compared by it, and quotes and new lines in it are told apart")
    func anyType() throws {
        struct Line: CustomStringConvertible { let description: String }
        try expectTimeline(
            """
            source  a    -'bc'   -
            length  1    -2      -
            line    'a'''-'bc''' -
            lines   'a\\na'-'bc\\nbc'-
            """
        ) { timeline in
            let source = timeline.source("source")
            timeline.observe("length", source.map { $0.count })
            timeline.observe("line", source.map { Line(description: $0 + "'") })
            timeline.observe("lines", source.map { Line(description: "\($0)\n\($0)") })
        }
        #expect(
            failure(
                """
                source  a-
                quoted  b-
                """
            ) { timeline in
                timeline.observe("quoted", timeline.source("source").map { Line(description: "\($0)'\n") })
            } == """
                quoted differs at tick 0: expected b, heard 'a''\\n'.
                  tick    0      1
                  source  a      -
                  quoted  b      -
                  heard   'a''\\n'-
                """
        )
    }
}
