import ReactCore
import ReactOperators
import Synchronization
import TestSupport
import Testing

#if DEBUG
/// In processes of their own, because the words are told to all threads.
@Suite("Lifetimes that go at once") struct LifetimesGoneAtOnceTests {
    private final class Screen: Listener {
        let lifetime = Lifetime()
        func show(_ value: Int) {}
    }

    /// Attaches listenings whose lifetimes go at once, in seven places. Inside an exit test, all of them would count as
    /// one place.
    private static func listenInVain(to nodes: [MutableNode<Int>]) {
        for node in nodes { node.listened(by: Lifetime()).with { _ in } }
        Lifetime().listen(to: nodes[1]).withContext { _, _ in }
        for _ in 1...2 { Screen().listen(to: nodes[2]).with { _ in } }
        nodes[3].listened(by: Lifetime(named: "screen")).with(edge: ListenEdge())
        // Nothing was set, and the listening is heard no more.
        do {
            let lifetime = Lifetime()
            nodes[4].listened(by: lifetime).with { _ in }
        }
        // Of a node that has been named before.
        nodes[0].listened(by: Lifetime()).with { _ in }
        Lifetime().effect { read in _ = try read(nodes[0]) }
    }

    @Test("a listening whose lifetime goes in the same statement is told, once for each place, with the remedy")
    func told() async {
        await #expect(processExitsWith: .success) {
            let told = Mutex<[String]>([])
            SilentMistake.report = { text in told.withLock { $0.append(text) } }
            let names = ["a", "b", "c", "d", "e"]
            LifetimesGoneAtOnceTests.listenInVain(to: names.map { MutableNode(1).named($0) })
            let texts = told.withLock { $0 }
            precondition(texts.count == 7, "\(texts)")
            for (text, name) in zip(texts, names + ["a"]) {
                precondition(text.hasPrefix("ReactCoreTests/LifetimesGoneAtOnceTests.swift:"), text)
                precondition(
                    text.hasSuffix(
                        ": a lifetime went right after a listening to “\(name)” was attached, so that has ended. Keep the "
                            + "lifetime in a property: `listened(by: Lifetime())` keeps it for one statement"), text)
            }
            precondition(Set(texts.map { $0.prefix { $0 != " " } }).count == 7, "\(texts)")
        }
    }

    @Test("lifetimes that hear something, are cancelled, or hold more are not told")
    func untold() async {
        await #expect(processExitsWith: .success) {
            SilentMistake.report = { fatalError($0) }
            let a = MutableNode(1).named("a")
            do {
                let lifetime = Lifetime()
                a.listened(by: lifetime).with { _ in }
                a.value = 2
            }
            do {
                let lifetime = Lifetime()
                a.listened(by: lifetime).with { _ in }
                Worker { [a] in a.value = 3 }.join()
            }
            do {
                let lifetime = Lifetime()
                a.listened(by: lifetime).with { _ in }
                lifetime.cancel()
            }
            do {
                let lifetime = Lifetime()
                a.listened(by: lifetime).with { _ in }.cancel()
            }
            do {
                let screen = Screen()
                screen.listen(to: a).with { _ in }
                screen.listen(to: a).with { _ in }
            }
            do {
                let lifetime = Lifetime()
                lifetime.hold(BlockCancelable {})
                a.listened(by: lifetime).with { _ in }
            }
            _ = Lifetime()
        }
    }
}
#endif
