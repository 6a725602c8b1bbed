import ReactOperators
import Synchronization
import TestSupport
import Testing

@testable import ReactCore

#if DEBUG
/// Debug builds say what kept a graph busy.
@Suite("Words about late sets", .enabled(if: Scale.runsTraps)) struct LateWordsTests {
    @Test("a set that is late is told, and so is the long closure, once for each node, with the remedy")
    func told() async {
        await #expect(processExitsWith: .success) {
            let told = Mutex<[String]>([])
            SilentMistake.report = { text in told.withLock { $0.append(text) } }
            let price = MutableNode(0).named("price"), total = price.map { $0 * 2 }
            for _ in 1...2 {
                let busy = BusyGraph(of: price, setting: 1)
                price.value = 3
                busy.end()
            }
            withExtendedLifetime(total) {}
            let texts = told.withLock { $0 }
            precondition(texts.count == 2, "\(texts)")
            precondition(texts[0].hasPrefix("a set of “price” is late") && texts[0].contains("mapLatest"), texts[0])
            precondition(texts[1].contains("kept the graph of “price” busy") && texts[1].contains("ms"), texts[1])
        }
    }
}
#endif
