import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("take(while:) and skip(while:)")
struct WhileTests {
    @Test("take while passes values on until one for which the condition is false, and none after that")
    func takeWhile() {
        let number = MutableNode(1)
        let first = number.take(while: { $0 < 3 })
        let heard = first.recorded()
        for value in [2, 3, 1] { number.value = value }
        #expect(heard.events == [1, 2])
        #expect(first.value == 2)
        #expect(first.upstreamTransforms.map(\.name) == ["TakeWhile"])
    }

    @Test("skip while drops values until one for which the condition is false, and none after that")
    func skipWhile() {
        let number = MutableNode(1)
        let later = number.skip(while: { $0 < 3 })
        let heard = later.recorded()
        number.value = 2
        #expect(later.isEmpty)
        for value in [3, 1] { number.value = value }
        #expect(heard.events == [3, 1])
        #expect(later.upstreamTransforms.map(\.name) == ["SkipWhile"])
    }

    @Test("the condition is not asked again once it was false")
    func notAskedAgain() {
        let number = MutableNode<Int>(), asked = Recorder<Int>()
        let isSmall = { @Sendable (value: Int) in
            asked.record(value)
            return value < 2
        }
        let results = [number.take(while: isSmall), number.skip(while: isSmall)]
        for value in [1, 2, 3, 1] { number.value = value }
        #expect(asked.events == [1, 1, 2, 2])
        #expect(results.map(\.value) == [1, 1])
    }

    @Test("take while and skip while start over for another node")
    func startOver() throws {
        let number = MutableNode(5), other = MutableNode(1)
        let results = [number.take(while: { $0 < 3 }), number.skip(while: { $0 < 3 })]
        let heard = results.map { $0.recorded() }
        for result in results { (result.upstreamTransforms[0] as? Transform<Int, Int>)?.from = other }
        for value in [2, 3, 1] { other.value = value }
        #expect(heard[0].events == [1, 2])
        #expect(heard[1].events == [5, 3, 1])
    }
}
