import ReactCore
import ReactGraph
import ReactOperators
import Synchronization
import Testing

#if DEBUG
/// A function of its own, because all lines of an exit test are one.
private func checkBodiesThatAreTold() {
    let told = Mutex<[String]>([])
    SilentMistake.report = { text in told.withLock { $0.append(text) } }
    let a = MutableNode(1).named("a"), b = Node(2), lifetime = Lifetime()
    for _ in 1...3 { _ = computed { _ in a.current * 2 } }
    let line = #line - 1
    lifetime.effect { _ in _ = a.value }
    batch { _ = lifetime.effect { _ in _ = b.value(or: 3) } }
    lifetime.effect { _ in _ = b.withValue { $0 } }
    a.listened(by: lifetime).with { _ in _ = computed { _ in b.current } }
    // The body inside is right, and the one around it is not.
    _ = computed { _ in (a.current, computed { try $0(b) }.current) }
    // This one is told when its last call reads nothing.
    let isOn = MutableNode(true)
    let sometimes = computed { read in a.current > 1 ? 0 : try read(isOn) ? 1 : 2 }
    a.value = 2
    isOn.value = false
    precondition(sometimes.current == 0)
    let texts = told.withLock { $0 }
    precondition(texts.count == 7, "\(texts)")
    precondition(
        texts[0]
            == "ComputedTests/UnfollowedReadsTests.swift:\(line): the body of this computed read “a” by `value` or "
            + "`current`, and no node by its argument, so it is never called again. Write `try read(node)`, or "
            + "`read.untracked(node)` if it shall not follow", texts[0])
    precondition(texts[1].contains("the body of this effect read “a” by"), texts[1])
    precondition(texts[2].contains("the body of this effect read a node of Int by"), texts[2])
}

/// In processes of their own, because the words are told to all threads.
@Suite("Bodies that read nodes without following them") struct UnfollowedReadsTests {
    @Test("a body that reads only by value or current is told, once for each place, with the node and the remedy")
    func told() async {
        await #expect(processExitsWith: .success) { checkBodiesThatAreTold() }
    }

    @Test("other bodies are not told")
    func untold() async {
        await #expect(processExitsWith: .success) {
            SilentMistake.report = { fatalError($0) }
            let a = MutableNode(1).named("a"), b = MutableNode(2), empty = MutableNode<Int>(), lifetime = Lifetime()
            _ = computed { _ in 5 }
            _ = computed { read in try read(b) + a.current }
            _ = computed { read in a.current + (try read(b)) }
            _ = computed { read in read.untracked(a) ?? 0 }
            _ = computed { read in try read(empty) + a.current }
            _ = computed { read in (read.ifAny(empty) ?? 0) + a.current }
            lifetime.effect { _ in b.value = 3 }
            lifetime.effect { read in
                a.listened(by: read.lifetime).with { _ in _ = b.current }
                b.update { $0 += 1 }
            }
            lifetime.effect { _ in
                let inner = computed { try $0(a) }
                inner.listened(by: lifetime).with { _ in _ = b.current }
            }
            // A read outside of bodies.
            _ = (a.current, b.value)
            a.value = 2
            b.value = 4
        }
    }

    @Test("lint finds the body")
    func lint() {
        let previous = SilentMistake.report
        defer { SilentMistake.report = previous }
        SilentMistake.report = { _ in }
        let a = MutableNode(1).named("a")
        let double = computed { _ in a.current * 2 }.named("double"), right = computed { try $0(a) * 2 }.named("right")
        let findings = double.lint().filter { $0.rule == .unfollowedRead }
        #expect(
            findings.map(\.message) == [
                "The body of “double” (node 0) has read “a” by `value` or `current`, and no node by its argument: it is never called again."
            ])
        #expect(findings.map(\.remedy) == ["Write `try read(node)`, or `read.untracked(node)` if it shall not follow."])
        #expect(!right.lint().contains { $0.rule == .unfollowedRead })
    }
}
#endif
