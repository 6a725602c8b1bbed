import Foundation
import ReactCore
import ReactOperators
import TestSupport
import Testing

@testable import ReactGraph

/// Random histories: nodes come and go, edges are cut and pointed elsewhere, values are redacted, on one thread or two.
///
/// `EASYREACT_HISTORIES=100000` in the environment tries more of them.
@Suite("Random histories, on record") struct RandomHistoriesTests {
    static let count =
        UInt64(ProcessInfo.processInfo.environment["EASYREACT_HISTORIES"] ?? "")
        ?? (Scale.gate.isSmall ? 20 : 200)

    @Test("the graph as it was has the nodes that have been dropped since, tells none of another, and no secret")
    func oneThread() {
        for seed in 0..<Self.count {
            let recorder = GraphRecorder(capacity: 4_096, sites: false, onThisThreadOnly: true)
            if let fault = History(seed: seed).play(recorder, beside: nil) {
                Issue.record("seed \(seed): \(fault)")
                return
            }
        }
    }
    /// In a process of its own, because all threads are recorded.
    @Test("the graph as it was has the nodes that have been dropped since, also where two threads took turns")
    func twoThreads() async {
        await #expect(processExitsWith: .success) {
            let other = OtherThread()
            for seed in 0..<RandomHistoriesTests.count {
                let recorder = GraphRecorder(capacity: 4_096, sites: false)
                if let fault = History(seed: seed).play(recorder, beside: other) {
                    Issue.record("seed \(seed): \(fault)")
                    return
                }
            }
        }
    }
}

/// A thread that does one thing after the other, while its caller waits.
private final class OtherThread: @unchecked Sendable {
    private let asked = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
    // Written before `asked` is signalled, and read after.
    private var body: () -> Void = {}

    init() {
        Thread.detachNewThread { [self] in
            while true {
                asked.wait()
                body()
                body = {}
                done.signal()
            }
        }
    }
    func run(_ body: @escaping () -> Void) {
        self.body = body
        asked.signal()
        done.wait()
    }
}

/// One random history. Every secret value has a `§` in it.
private final class History {
    private var random: SeededGenerator
    private let seed: UInt64
    private let hub = MutableNode("0").named("hub"), secret = MutableNode("§").named("secret").redacted()
    private var kept: [Node<String>] = []
    private var links: [LinkTransform<String>] = []
    private var taken: [(moment: GraphMoment, graph: GraphSnapshot)] = []
    private var areRedacted = false

    init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    /// Returns what is wrong with the answers, if anything is.
    func play(_ recorder: GraphRecorder, beside other: OtherThread?) -> String? {
        for number in 0..<30 {
            taken.append((recorder.mark("\(number)"), hub.graph))
            let step = step(number)
            if let other, Bool.random(using: &random) { other.run(step) } else { step() }
        }
        if seed % 2 == 0 { (kept, links) = ([], []) }
        if seed % 3 == 0 { recorder.stop() }
        if seed % 3 == 1 { hub.value = "later" }
        let reading = recorder.reading()
        defer { links.forEach { $0.cancel() } }
        for (moment, then) in taken.shuffled(using: &random).prefix(10) {
            let told = reading.graph(of: hub, at: moment)
            if let difference = difference(told, then) {
                return "\(difference): \(told.dot)\nwas\n\(then.dot)\n"
                    + reading.events().map(\.description).joined(separator: "\n")
            }
        }
        let texts =
            reading.events().flatMap { [$0.description, $0.old ?? "", $0.new ?? ""] }
            + [reading.why(hub).description, reading.whyNot(hub).description]
            + kept.suffix(1).flatMap { [reading.why($0).description, reading.whyNot($0).description] }
        return texts.first { $0.contains("§") }.map { "a secret was told: \($0)" }
    }
    private func step(_ number: Int) -> () -> Void {
        let base = any(), other = any(), name = "n\(number)"
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return { [self] in kept.append(base.map { String("\($0)'".suffix(12)) }.named(name)) }
        case 1: return { [self] in kept.append(base.filter { $0.count % 3 != 0 }.named(name)) }
        case 2: return { [self] in kept.append(combine(base, other) { String("\($0)\($1)".suffix(12)) }.named(name)) }
        case 3: return { [self] in kept.append(merge(base, other).named(name)) }
        case 4, 5, 6:
            guard !kept.isEmpty else { return {} }
            let place = Int.random(in: kept.indices, using: &random)
            return { [self] in kept.remove(at: place) }
        case 7:
            let target = kept.randomElement(using: &random) ?? hub
            return { [self] in
                let link = LinkTransform<String>()
                link.to = target
                link.from = base
                links.append(link)
            }
        case 8:
            return { [self] in links.randomElement(using: &random)?.cancel() }
        case 9:
            guard let link = links.randomElement(using: &random), link.to != nil else { return {} }
            return { link.from = base }
        case 10:
            // The program lets go of an edge, which may stay.
            if !links.isEmpty { links.remove(at: Int.random(in: links.indices, using: &random)) }
            return {}
        case 11 where seed % 4 == 0 && !kept.isEmpty:
            areRedacted = true
            return { base.redacted() }
        case 12: return { [self] in secret.value = "§\(number)" }
        default: return { [self] in hub.value = "\(number)" }
        }
    }
    private func any() -> Node<String> {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: hub
        case 1 where seed % 5 == 0: secret
        default: kept.randomElement(using: &random) ?? hub
        }
    }
    /// Edges of which one end is connected are told as far as the records tell.
    private func difference(_ told: GraphSnapshot, _ then: GraphSnapshot) -> String? {
        guard told.nodes.map(\.name) == then.nodes.map(\.name) else { return "other nodes" }
        guard
            told.edges.filter({ $0.from != nil && $0.to != nil })
                == then.edges.filter({ $0.from != nil && $0.to != nil })
        else { return "other edges" }
        for (told, then) in zip(told.nodes, then.nodes) where told.value != then.value && told.value != "not kept" {
            guard told.value == "redacted", areRedacted || seed % 5 == 0 else {
                return "\(told.name ?? "-") has another value"
            }
        }
        return told.nodes.contains { $0.value?.contains("§") ?? false } ? "a secret is told" : nil
    }
}
