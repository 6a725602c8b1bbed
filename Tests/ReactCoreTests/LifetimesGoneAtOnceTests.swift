import ReactCore
import ReactOperators
import Synchronization
import Testing

#if DEBUG
/// In processes of their own, because the words are told to all threads.
@Suite("Lifetimes that go at once") struct LifetimesGoneAtOnceTests {
    private final class Screen: Listener {
        let lifetime = Lifetime()
        func show(_ value: Int) {}
    }

    @Test("a listening whose lifetime goes in the same statement is told, once for each node, with the remedy")
    func told() async {
        await #expect(processExitsWith: .success) {
            let told = Mutex<[String]>([])
            SilentMistake.report = { text in told.withLock { $0.append(text) } }
            let names = ["a", "b", "c", "d", "e"], nodes = names.map { MutableNode(1).named($0) }
            for _ in 1...2 { nodes[0].listened(by: Lifetime()).with { _ in } }
            Lifetime().listen(to: nodes[1]).withContext { _, _ in }
            Screen().listen(to: nodes[2]).with { _ in }
            nodes[3].listened(by: Lifetime()).with(edge: ListenEdge())
            // Nothing was set, and the listening is heard no more.
            do {
                let lifetime = Lifetime()
                nodes[4].listened(by: lifetime).with { _ in }
            }
            Lifetime().effect { read in _ = try read(nodes[0]) }
            let texts = told.withLock { $0 }
            precondition(texts.count == 6, "\(texts)")
            for (text, name) in zip(texts, names) {
                precondition(
                    text
                        == "a lifetime went right after a listening to “\(name)” was attached, so that has ended. Keep the lifetime "
                        + "in a property: `listened(by: Lifetime())` keeps it for one statement", text)
            }
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
