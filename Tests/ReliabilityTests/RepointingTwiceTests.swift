import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Two threads give one edge another `from` at once: the edge is linked as the last of them says, and remembers nothing of before.
@Suite("Re-pointing twice", .serialized) struct RepointingTwiceTests {
    @Test(
        "a zip's edge that two threads re-point keeps the value that it took from the node that it was pointed at last")
    func zip() throws {
        let (isLettingGo, isRepointed) = (Latch(), Latch())
        let (first, right) = (MutableNode<Farewell>(), MutableNode<Int>())
        let pairs = first.zip(right)
        let edge = try #require(pairs.upstreamTransforms(from: first).first as? Transform<Farewell, (Farewell, Int)>)
        // It waits for a partner, is let go of by the first thread, and stops that there.
        first.value = Farewell {
            isLettingGo.arrive()
            isRepointed.wait()
        }
        first.clean()
        let (second, third) = (MutableNode<Farewell>(), MutableNode(Farewell {}))
        let other = Worker { edge.from = second }
        isLettingGo.wait()
        edge.from = third
        isRepointed.arrive()
        other.join()
        waitForLate(at: right, second, third)
        right.value = 1
        #expect(pairs.value?.0 === third.value)
        #expect(pairs.upstreamNodes == [third, right])
    }

    @Test("a combination whose edge two threads re-point time and again is not silent")
    func combine() throws {
        let rounds = Scale.scaled(2_000)
        let (one, two, right) = (MutableNode(1), MutableNode(2), MutableNode(0))
        let pair = ReactOperators.combine(one, right)
        let edge = try #require(pair.upstreamTransforms(from: one).first as? Transform<Int, (Int, Int)>)
        let silent = Locked(0)
        for round in 1...rounds {
            concurrently(2) { thread in
                for _ in 0..<20 { edge.from = thread == 0 ? one : two }
            }
            waitForLate(at: one, two, pair)
            right.value = round
            if pair.value?.1 != round { silent.increment() }
        }
        #expect(silent.value == 0, "silent in that many of \(rounds) rounds")
    }

    @Test("a scan whose edge two threads re-point time and again holds its result for one value")
    func scan() throws {
        let rounds = Scale.scaled(2_000)
        let (one, two) = (MutableNode(1), MutableNode(2))
        let sum = one.scan(0) { $0 + $1 }
        let edge = try #require(sum.upstreamTransforms.first as? Transform<Int, Int>)
        for _ in 1...rounds {
            concurrently(2) { thread in
                for _ in 0..<20 { edge.from = thread == 0 ? one : two }
            }
            waitForLate(at: one, two, sum)
            let source = try #require(edge.from?.value)
            (source == 1 ? one : two).value = source
            try #require(sum.value == 2 * source)
        }
    }
}
