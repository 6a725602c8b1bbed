import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting

/// What the labels of the drawings mean in code. All other rows are sources, which are set to what is drawn.
let drawnOperators: [String: @Sendable (Stage) -> Node<String>] = [
    // One node
    "fork()": { $0.source("source").fork() },
    "map { $0 * 2 }": { $0.numbers("source").map { $0 * 2 }.text },
    #"mapReplace("x")"#: { $0.source("source").mapReplace("x") },
    "compactMap { Int($0) }": { $0.source("source").compactMap { Int($0) }.text },
    "filter { $0 > 5 }": { $0.numbers("source").filter { $0 > 5 }.text },
    "ignore(0)": { $0.numbers("source").ignore(0).text },
    "select(0)": { $0.numbers("source").select(0).text },
    "skip(2)": { $0.source("source").skip(2) },
    "take(2)": { $0.source("source").take(2) },
    "skip(while: { $0 < 3 })": { $0.numbers("source").skip(while: { $0 < 3 }).text },
    "take(while: { $0 < 3 })": { $0.numbers("source").take(while: { $0 < 3 }).text },
    "take(until: stop)": { $0.source("source").take(until: $0.source("stop")) },
    #"starting(with: "0")"#: { $0.source("source").starting(with: "0") },
    "changes()": { $0.source("source").changes().map { "\($0.old ?? "·")\($0.new)" } },
    "successes()": { $0.results("source").successes() },
    "failures()": { $0.results("source").failures().map(\.mark) },
    "pulses()": { $0.source("source").pulses() },
    "settled()": { $0.source("source").settled() },
    "distinctUntilChanged()": { $0.source("source").distinctUntilChanged() },
    "distinctUntilChanged { $1 < $0 }": { $0.numbers("source").distinctUntilChanged { $1 < $0 }.text },
    "scan(0) { $0 + $1 }": { $0.numbers("source").scan(0) { $0 + $1 }.text },
    #"scan(into: "") { $0 += "\($1)" }"#: { $0.source("source").scan(into: "") { $0 += "\($1)" } },
    "collect(count: 2)": { $0.source("source").collect(count: 2).map { $0.joined() } },
    #"focus(\.isEven)"#: { $0.numbers("source").focus(\.isEven).map { $0 ? "1" : "0" } },
    "scanWithIndex(0) { $0 + $1 * $2 }": { $0.numbers("source").scanWithIndex(0) { $0 + $1 * $2 }.text },
    "then { … }": { $0.source("source").then { _ in } },

    // Several nodes
    "combine(a, b)": { combine($0.numbers("a"), $0.numbers("b")).map { "\($0)\($1)" } },
    "combine(a, b).mapEach { $0 + $1 }": { combine($0.numbers("a"), $0.numbers("b")).mapEach { $0 + $1 }.text },
    "combine(a, b) { $0 + $1 }": { combine($0.numbers("a"), $0.numbers("b")) { $0 + $1 }.text },
    "combine(source, source.map { $0 * 2 })": {
        let source = $0.numbers("source")
        return combine(source, source.map { $0 * 2 }).map { "\($0)\($1)" }
    },
    "a.withLatest(from: b)": { $0.source("a").withLatest(from: $0.source("b")).map { "\($0)\($1)" } },
    "zip(a, b)": { zip($0.source("a"), $0.source("b")).map { "\($0)\($1)" } },
    "merge(a, b)": { merge($0.source("a"), $0.source("b")) },

    // What is computed, and operators of one's own
    "computed { try read(flag) == 1 ? try read(a) : try read(b) }": { stage in
        let (flag, a, b) = (stage.source("flag"), stage.source("a"), stage.source("b"))
        return computed { read in try read(flag) == "1" ? try read(a) : try read(b) }
    },
    #"focus(\.head)"#: { stage in
        let head = stage.source("set whole").focus(\.head)
        head.link(to: stage.source("set head"))
        return head
    },
    #"transformed("Halves") { … }"#: {
        $0.numbers("source").transformed("Halves") { value, send in
            if value.isMultiple(of: 2) { send(value / 2) }
        }.text
    },

    "computed(areEqual: { abs($0 - $1) < 3 }) { … }": { stage in
        let source = stage.numbers("source")
        return computed(areEqual: { abs($0 - $1) < 3 }) { read in try read(source) }.text
    },

    // Branches
    "selector(), asked about 1": { $0.numbers("source").selector()(1).map { $0 ? "1" : "0" } },
    "switch { $0 > 0 ? $0 % 2 : nil }.case(1)": { $0.parity.case(1).text },
    "switch { $0 > 0 ? $0 % 2 : nil }.case(0)": { $0.parity.case(0).text },
    "switch { $0 > 0 ? $0 % 2 : nil }.default()": { $0.parity.default().text },
    "switchMap { ($0 % 2, $0 * 2) }.case(1)": { $0.numbers("source").switchMap { ($0 % 2, $0 * 2) }.case(1).text },
    "if { $0 > 5 }.then { … }": { stage in
        let branch = Node<Int>()
        stage.numbers("source").if { $0 > 5 }.then { branch.link(to: $0) }
        return branch.text
    },
    "if { $0 > 5 }.else { … }": { stage in
        let branch = Node<Int>()
        stage.numbers("source").if { $0 > 5 }.else { branch.link(to: $0) }
        return branch.text
    },

    // Both ways
    "left.sync(with: right)": { stage in
        let left = stage.source("set left")
        stage.ties.add(left.sync(with: stage.source("set right")))
        return left
    },
    "right": { $0.source("set right") },
    "half.sync(with: whole, …)": { stage in
        let half = stage.source("set half")
        stage.ties.add(
            half.sync(
                with: stage.source("set whole"), transform: { "\(Int($0)! / 2)" }, revert: { "\(Int($0)! * 2)" }))
        return half
    },
    "whole": { $0.source("set whole") },

    // Nodes of nodes
    "outer.flatten()": { stage in
        let (a, b) = (stage.source("a"), stage.source("b"))
        return stage.source("outer").map { $0 == "a" ? a as Node : b }.flatten()
    },
    #"name.flattenMap { $0 == "a" ? a : b }"#: { stage in
        let (a, b) = (stage.source("a"), stage.source("b"))
        return stage.source("name").flattenMap { $0 == "a" ? a : b }
    },
    #"name.flatMapMerging { $0 == "a" ? a : b }"#: { stage in
        let (a, b) = (stage.source("a"), stage.source("b"))
        return stage.source("name").flatMapMerging { $0 == "a" ? a : b }
    },

    // Time; a tick is a second
    "deliver(on: scheduler)": { $0.source("source").deliver(on: $0.timeline.scheduler) },
    "debounce(.seconds(3), on: scheduler)": { $0.source("source").debounce(.seconds(3), on: $0.timeline.scheduler) },
    "debounce(.seconds(3), on: scheduler).upToDate()": {
        $0.source("source").debounce(.seconds(3), on: $0.timeline.scheduler).upToDate().map { $0 ? "1" : "0" }
    },
    "sample(every: .seconds(3), on: scheduler)": {
        $0.source("source").sample(every: .seconds(3), on: $0.timeline.scheduler)
    },
    "Node.after(.seconds(3), on: scheduler)": {
        Node.after(.seconds(3), on: $0.timeline.scheduler).map { $0 ? "1" : "0" }
    },
    "Node.ticks(every: .seconds(3), on: scheduler)": { stage in
        let ticks = Node.ticks(every: .seconds(3), on: stage.timeline.scheduler)
        stage.timeline.atEnd { ticks.removeUpstreamNodes() }
        return ticks.text
    },
    // Only what is finished is drawn; the work takes two seconds.
    "mapLatest { try await find($0) }": { stage in
        stage.source("source").mapLatest(executorPreference: stage.timeline.scheduler, stage.find).successes()
    },
    "mapFirst { try await find($0) }": { stage in
        stage.source("source").mapFirst(executorPreference: stage.timeline.scheduler, stage.find).successes()
    },
    "mapInOrder { try await find($0) }": { stage in
        stage.source("source").mapInOrder(executorPreference: stage.timeline.scheduler, stage.find).successes()
    },
    "mapInOrder(maxConcurrent: 3) { try await find($0) }": { stage in
        stage.source("source").mapInOrder(maxConcurrent: 3, executorPreference: stage.timeline.scheduler, stage.find)
            .successes()
    },
    "sample(every: .seconds(3), on: scheduler, keeping: .first)": {
        $0.source("source").sample(every: .seconds(3), on: $0.timeline.scheduler, keeping: .first)
    },
    "combine([a, b], sampledEvery: .seconds(3), on: scheduler)": {
        combine([$0.source("a"), $0.source("b")], sampledEvery: .seconds(3), on: $0.timeline.scheduler)
            .map { $0.joined() }
    },
    "collect(every: .seconds(3), on: scheduler)": {
        $0.source("source").collect(every: .seconds(3), on: $0.timeline.scheduler).map { $0.joined() }
    },
    "timeout(.seconds(3), on: scheduler)": {
        $0.source("source").timeout(.seconds(3), on: $0.timeline.scheduler).map { (try? $0.get()) ?? "!" }
    },
    "throttle(.seconds(3), on: scheduler)": { $0.source("source").throttle(.seconds(3), on: $0.timeline.scheduler) },
    "delay(.seconds(2), on: scheduler)": { $0.source("source").delay(.seconds(2), on: $0.timeline.scheduler) },
]

struct Odd: Error {
    let mark: String
}

/// The sources of a drawing, and what is to be cut when it has been played.
struct Stage {
    let timeline: Timeline
    /// Nodes that follow each other hold each other, until this goes.
    let ties = CancelableBag()

    func source(_ name: String) -> MutableNode<String> { timeline.source(name.replacing(" ", with: "\u{A0}")) }
    func numbers(_ name: String) -> Node<Int> { source(name).map { Int($0)! } }
    /// Digits are successes.
    func results(_ name: String) -> Node<Result<String, Odd>> {
        source(name).map { Int($0) == nil ? .failure(Odd(mark: $0)) : .success($0) }
    }
    /// Work that takes two seconds.
    var find: @Sendable (String) async throws -> String {
        { [scheduler = timeline.scheduler] text in
            try await Task.sleep(for: .seconds(2), clock: scheduler.clock)
            return text
        }
    }
    var parity: Node<SwitchedNode<Int, Int>> { numbers("source").switch { $0 > 0 ? $0 % 2 : nil } }
}

extension String {
    /// The first letter.
    fileprivate var head: String {
        get { String(prefix(1)) }
        set { self = newValue + dropFirst() }
    }
}

extension Int {
    fileprivate var isEven: Bool { isMultiple(of: 2) }
}

extension Node<Int> {
    fileprivate var text: Node<String> { map { "\($0)" } }
}
