import ReactCore
import ReactOperators
import TestSupport
import Testing

#if os(macOS) || os(Linux)
/// A body that makes what it reads makes it anew at each call: it has to find a value there, or it would be called without end.
@Suite("Nodes made in a body") struct MadeInABodyTests {
    @Test("a body that makes a combination of more than 1,000 nodes reads its value")
    func largeCombination() async {
        await #expect(processExitsWith: .success) {
            limitWork()
            let cells = (0..<1_001).map { MutableNode($0) }
            let sum = computed { read in try read(Node.combine(cells).map { $0.reduce(0, +) }) }
            precondition(sum.value == 500_500)
            cells[1_000].value = 0
            precondition(sum.value == 499_500)
        }
    }

    @Test(
        "a body finds a value in a combination that it makes of more than 1,000 combinations that have yet to be made")
    func largeCombinationOfCombinations() async {
        await #expect(processExitsWith: .success) {
            limitWork(at: Scale.gate)
            let (factor, most) = (MutableNode(1), MutableNode(1_001))
            let cells = (0..<1_001).map { index in combine(factor, factor.map { _ in index }).mapEach { $0 * $1 } }
            let sums = Recorder<Int>()
            let sum = computed { read in
                let count = try read(most)
                return try read(Node.combine(Array(cells.prefix(count))).map { $0.reduce(0, +) })
            }
            let lifetime = Lifetime()
            sum.listened(by: lifetime).with { sums.record($0) }
            batch {
                factor.value = 2
                most.value = 1_001
            }
            precondition(sums.take() == [500_500, 1_001_000])
        }
    }

    @Test("a body that makes a settled node reads its value, also through a node that follows it")
    func settled() async {
        await #expect(processExitsWith: .success) {
            limitWork()
            let a = MutableNode(1)
            let direct = computed { read in try read(a.settled()) }
            let followed = computed { read in try read(MutableNode(0).flattenMap { _ in a.settled() }) }
            precondition(direct.value == 1 && followed.value == 1)
            a.value = 2
            precondition(direct.value == 2 && followed.value == 2)
            batch {
                a.value = 3
                a.value = 4
            }
            precondition(direct.value == 4 && followed.value == 4)
        }
    }

    @Test("a settled node that is made in an effect's batch has its value at once, and then the batch's last")
    func settledInABatchOfAnEffect() {
        let (go, a, lifetime) = (MutableNode<Int>(), MutableNode(0), Lifetime())
        let heard = Recorder<Int>()
        lifetime.effect { [unowned lifetime] read in
            let value = try read(go)
            batch {
                a.value = value
                a.settled().listened(by: lifetime).with { heard.record($0) }
                a.value = value + 1
            }
        }
        go.value = 1
        #expect(heard.take() == [1, 2])
    }

    @Test("a computed that a body makes costs as much beside thousands that are still to be made as alone")
    func besideOthers() async {
        await #expect(processExitsWith: .success) {
            limitWork(at: Scale.gate)
            let a = MutableNode(1)
            let count = Scale.gate.isSmall ? 5_000 : 20_000
            let rows = (0..<count).map { index in
                computed { read in try read(computed { read in try read(a) + index }) + read(a) }
            }
            a.value = 2
            precondition(rows[0].value == 4 && rows[count - 1].value == count + 3)
        }
    }
}
#endif
