import HeapProbe
import ReactCore
import ReactGraph
import TestSupport
import Testing

#if os(macOS) || os(Linux)
@Suite("Recorders that have ended") struct EndedRecordersTests {
    /// Threads that each set a node once a round, and do nothing between two rounds. The last round never begins, so
    /// that they stay.
    private final class Idlers: Sendable {
        static let count = 40
        private let rounds = (0..<3).map { _ in (begins: Latch(), ends: Latch(Idlers.count)) }

        init() {
            for number in 0..<Idlers.count {
                Worker { [rounds] in
                    let node = MutableNode(number)
                    for round in rounds {
                        round.begins.wait()
                        node.value = number + 1
                        round.ends.arrive()
                    }
                }
            }
        }
        /// Makes `count` recorders, which record a round, and then go.
        func record(round: Int, by count: Int) {
            let recorders = (0..<count).map { _ in GraphRecorder(sites: false) }
            rounds[round].begins.arrive()
            rounds[round].ends.wait()
            withExtendedLifetime(recorders) {}
        }
    }

    @Test(
        "a thread that does not record again keeps less than 1,000 bytes of a recorder that has ended",
        .disabled(if: Scale.isSanitized))
    func bytesOfEach() async {
        await #expect(processExitsWith: .success) {
            let idlers = Idlers()
            idlers.record(round: 0, by: 1)
            let before = Int(heap_bytes_in_use())
            idlers.record(round: 1, by: 11)
            let each = (Int(heap_bytes_in_use()) - before) / (10 * Idlers.count)
            precondition(each < 1_000, "\(each) bytes")
        }
    }
}
#endif
