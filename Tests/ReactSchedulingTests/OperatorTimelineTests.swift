import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import Testing

@Suite("Time operators as timelines")
struct OperatorTimelineTests {
    // MARK: Alone

    @Test("deliver passes everything on in the same tick, when the scheduler gets to it; emptiness stays behind")
    func deliver() throws {
        try expectTimeline(
            """
            source   a-(bc)--~d-
            deliver  a-(bc)---d-
            """
        ) { timeline in
            timeline.observe("deliver", timeline.source("source").deliver(on: timeline.scheduler))
        }
    }

    @Test("deliver takes its turn behind work that was scheduled before it")
    func deliverTie() throws {
        try expectTimeline(
            """
            upper    -a-----
            lower    -b-----
            merged   -(ba)-----
            """
        ) { timeline in
            let merged = Node<String>()
            merged.link(to: timeline.source("upper").deliver(on: timeline.scheduler))
            merged.link(to: timeline.source("lower"))
            timeline.observe("merged", merged)
        }
    }

    @Test("delay moves every value by the interval; emptiness stays behind")
    func delay() throws {
        try expectTimeline(
            """
            source  a-b(cd)~e----
            delay   --a-   b(cd)-e--
            """
        ) { timeline in
            timeline.observe("delay", timeline.source("source").delay(timeline.ticks(2), on: timeline.scheduler))
        }
    }

    @Test("two delays that fall due together keep the order in which their values were set")
    func delayTie() throws {
        try expectTimeline(
            """
            early   a-------
            late    ---b----
            merged  ----(ab)---
            """
        ) { timeline in
            let merged = Node<String>()
            merged.link(to: timeline.source("late").delay(timeline.ticks(1), on: timeline.scheduler))
            merged.link(to: timeline.source("early").delay(timeline.ticks(4), on: timeline.scheduler))
            timeline.observe("merged", merged)
        }
    }

    @Test("throttle passes a value on after quiet; one that comes just then, and is set first, replaces it")
    func throttle() throws {
        try expectTimeline(
            """
            source    a-b--c---(de)---
            throttle  ----b--c---  e-
            """
        ) { timeline in
            timeline.observe("throttle", timeline.source("source").throttle(timeline.ticks(2), on: timeline.scheduler))
        }
    }

    @Test("a value that comes when the one before it is due, but was scheduled after it, does not replace it")
    func throttleTie() throws {
        try expectTimeline(
            """
            direct    a---------
            delayed   -b--------
            input     a--b------
            throttle  ---a--b---
            """
        ) { timeline in
            let input = Node<String>()
            input.link(to: timeline.source("direct"))
            input.link(to: timeline.source("delayed").delay(timeline.ticks(2), on: timeline.scheduler))
            timeline.observe("input", input)
            timeline.observe("throttle", input.throttle(timeline.ticks(3), on: timeline.scheduler))
        }
    }

    @Test("emptying the source is no newer value for throttle: it neither drops the pending one nor holds it up")
    func throttleEmptied() throws {
        try expectTimeline(
            """
            source    a~--b-~-----
            throttle  --a---b-----
            """
        ) { timeline in
            timeline.observe("throttle", timeline.source("source").throttle(timeline.ticks(2), on: timeline.scheduler))
        }
    }

    @Test("a steady stream is throttled away until it pauses")
    func throttleSteady() throws {
        try expectTimeline(
            """
            source    abcdefgh-----
            throttle  ---------h---
            """
        ) { timeline in
            timeline.observe("throttle", timeline.source("source").throttle(timeline.ticks(2), on: timeline.scheduler))
        }
    }

    @Test("debounce is throttle by another name")
    func debounce() throws {
        try expectTimeline(
            """
            source    a-b--c---(de)---
            debounce  ----b--c---  e-
            """
        ) { timeline in
            timeline.observe("debounce", timeline.source("source").debounce(timeline.ticks(2), on: timeline.scheduler))
        }
    }

    @Test(
        "sample passes the first at once, then the newest of each interval; a value after a silent interval goes at once"
    )
    func sample() throws {
        try expectTimeline(
            """
            source  abcd-e-----f(gh)i---
            sample  a--d--e----f-   -i--
            """
        ) { timeline in
            timeline.observe(
                "sample", timeline.source("source").sample(every: timeline.ticks(3), on: timeline.scheduler))
        }
    }

    @Test("emptying the source is no newer value for sample: it neither drops the pending one nor holds it up")
    func sampleEmptied() throws {
        try expectTimeline(
            """
            source  ab~----~-c-
            sample  a--b-----c-
            """
        ) { timeline in
            timeline.observe(
                "sample", timeline.source("source").sample(every: timeline.ticks(3), on: timeline.scheduler))
        }
    }

    @Test("ticks count from zero, the first when an interval is over")
    func ticks() throws {
        try expectTimeline("ticks --0-1-2-3-") { timeline in
            let ticks = Node.ticks(every: timeline.ticks(2), on: timeline.scheduler)
            timeline.observe("ticks", ticks.map { "\($0)" })
            timeline.atEnd { ticks.removeUpstreamNodes() }
        }
    }

    // MARK: In chains of two

    /// The source of all chains, and what comes out of each chain.
    private static let chainSource = "ab-c---(de)--------"
    private static let chains: [(first: TimeOperator, second: TimeOperator, expected: String)] = [
        (.deliver, .deliver, "  ab-c---(de)--------"),
        (.deliver, .delay(2), " --ab-c---(de)------"),
        // b is due in tick 3, in which c is set first. But c is delivered only after that.
        (.deliver, .throttle(2), "---b-c---e------"),
        (.delay(2), .deliver, " --ab-c---(de)------"),
        (.delay(2), .delay(3), "-----ab-c---(de)---"),
        // b arrives in tick 3 and is due in tick 5. c, set in tick 3 before that, arrives in tick 5 first.
        (.delay(2), .throttle(2), "-------c---e----"),
        // b is due in tick 3, in which c is set first.
        (.throttle(2), .deliver, "-----c---e------"),
        (.throttle(2), .delay(2), "-------c---e----"),
        (.throttle(2), .throttle(3), "--------c---e---"),
        (.sample(3), .deliver, "a--c---d--e-----"),
        // The interval is over in tick 3, before c is delivered in that tick.
        (.deliver, .sample(3), "a--b--c--e------"),
        (.sample(3), .delay(2), "--a--c---d--e---"),
        (.delay(2), .sample(3), "--a--b--c--e----"),
        (.sample(3), .debounce(2), "--a--c---d--e---"),
        (.debounce(2), .sample(3), "-----c---e------"),
        // c is due in tick 9, and its timer is older than the one that brings e in that tick.
        (.throttle(2), .throttle(4), "---------c---e--"),
    ]

    @Test("chains of two", arguments: chains)
    func chain(first: TimeOperator, second: TimeOperator, expected: String) throws {
        try expectTimeline("source \(Self.chainSource)\nchain \(expected)") { timeline in
            let middle = first.apply(to: timeline.source("source"), timeline)
            timeline.observe("chain", second.apply(to: middle, timeline))
        }
    }

    @Test("chains of two, on a scheduler that has no clock to read", arguments: chains)
    func chainWithoutClock(first: TimeOperator, second: TimeOperator, expected: String) throws {
        try expectTimeline("source \(Self.chainSource)\nchain \(expected)") { timeline in
            let scheduler = PlainScheduler(base: timeline.scheduler)
            let middle = first.apply(to: timeline.source("source"), on: scheduler)
            timeline.observe("chain", second.apply(to: middle, on: scheduler))
        }
    }
}

extension TimeOperator {
    fileprivate func apply(to node: Node<String>, _ timeline: Timeline) -> Node<String> {
        apply(to: node, on: timeline.scheduler)
    }
}
