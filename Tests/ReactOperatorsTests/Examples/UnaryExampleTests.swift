import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("The guide's examples: unary operators")
struct UnaryExampleTests {
    @Test("map turns 1, then 2, into text")
    func map() {
        let number = MutableNode(1)
        let text = number.map { "\($0)" }
        let heard = text.recorded()
        #expect(text.value == "1")
        number.value = 2
        #expect(text.value == "2")
        #expect(heard.events == ["1", "2"])
    }

    @Test("mapReplace is heard three times for three values")
    func mapReplace() {
        let number = MutableNode(1)
        let heard = number.mapReplace("changed").recorded()
        number.value = 2
        number.value = 3
        #expect(heard.events == ["changed", "changed", "changed"])
    }

    @Test("filter > 5 over 1, 6, 3 is empty, then 6, then still 6")
    func filter() {
        let number = MutableNode(1)
        let large = number.filter { $0 > 5 }
        let heard = large.recorded()
        #expect(large.isEmpty)
        number.value = 6
        #expect(large.value == 6)
        number.value = 3
        #expect(large.value == 6)
        #expect(heard.events == [6])
    }

    @Test("ignore and select of 1 share out 1, 12, 1, 7 in the order in which they came")
    func ignoreAndSelect() {
        let number = MutableNode<Int>()
        let other = number.ignore(1)
        let one = number.select(1)
        let heard = Recorder<String>()
        let listener = Lifetime()
        other.listened(by: listener).with { heard.record("B\($0)") }
        one.listened(by: listener).with { heard.record("C\($0)") }
        for value in [1, 12, 1, 7] { number.value = value }
        #expect(heard.events == ["C1", "B12", "C1", "B7"])
    }

    @Test("distinctUntilChanged makes 1, 2, 1, 2 of 1, 1, 2, 2, 1, 2")
    func distinctUntilChanged() {
        let number = MutableNode(1)
        let heard = number.distinctUntilChanged().recorded()
        for value in [1, 2, 2, 1, 2] { number.value = value }
        #expect(heard.events == [1, 2, 1, 2])
    }

    @Test("skip 2 leaves 3, 4 of 1, 2, 3, 4")
    func skip() {
        let number = MutableNode(1)
        let later = number.skip(2)
        let heard = later.recorded()
        number.value = 2
        #expect(later.isEmpty)
        number.value = 3
        number.value = 4
        #expect(heard.events == [3, 4])
    }

    @Test("take 2 leaves 1, 2 of 1, 2, 3, 4")
    func take() {
        let number = MutableNode(1)
        let first = number.take(2)
        let heard = first.recorded()
        for value in [2, 3, 4] { number.value = value }
        #expect(heard.events == [1, 2])
        #expect(first.value == 2)
    }

    @Test("scan collects 1 to 5 into growing arrays")
    func scan() {
        let number = MutableNode(1)
        let heard = number.scan([Int]()) { $0 + [$1] }.recorded()
        for value in 2...5 { number.value = value }
        #expect(heard.events == [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]])
    }
}
