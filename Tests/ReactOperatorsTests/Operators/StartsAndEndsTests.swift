import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("starting, take(until:), changes, successes and failures")
struct StartsAndEndsTests {
    @Test("starting holds its value at once, and the node's from its first value on")
    func starting() {
        let node = MutableNode<Int>()
        let started = node.starting(with: 0)
        let heard = started.recorded()
        #expect(started.value == 0)
        node.value = 1
        node.value = 0
        #expect(heard.events == [0, 1, 0])
        #expect(MutableNode(5).starting(with: 0).value == 5)
        #expect(started.upstreamTransforms.map(\.name) == ["Start"])
        #expect(!started.isMutable)
    }

    @Test("changes gives the value before and the new one, and none before the first")
    func changes() {
        let node = MutableNode(1)
        let heard = node.changes().recorded()
        node.value = 2
        node.value = 2
        #expect(heard.events.map(\.old) == [nil, 1, 2])
        #expect(heard.events.map(\.new) == [1, 2, 2])
        let choice = MutableNode<Int?>(nil)
        let choices = choice.changes().recorded()
        choice.value = 1
        #expect(choices.events.map(\.old) == [nil, .some(nil)])
    }

    @Test("changes starts over, with none before, for another node")
    func changesStartOver() throws {
        let node = MutableNode(1)
        let result = node.changes()
        let edge = try #require(node.downstreamTransforms.first as? Transform<Int, (old: Int?, new: Int)>)
        node.value = 2
        edge.from = MutableNode(10)
        #expect(result.value?.old == nil)
        #expect(result.value?.new == 10)
    }

    @Test("take until passes values on until the other node is set; a value that the other holds already ends nothing")
    func takeUntil() {
        let node = MutableNode(1), stop = MutableNode(false)
        let result = node.take(until: stop)
        let heard = result.recorded()
        node.value = 2
        stop.value = false
        node.value = 3
        stop.value = true
        node.value = 4
        #expect(heard.events == [1, 2])
        #expect(result.value == 2)
        #expect(result.upstreamTransforms.map(\.name) == ["TakeUntil", "TakeUntil"])
    }

    @Test("take until ends by a pulse, by nothing that an emptied node says, and begins again for another node")
    func takeUntilOthers() throws {
        let node = MutableNode(1), stop = MutableNode<String>()
        let result = node.take(until: stop)
        let heard = result.recorded()
        stop.clean()
        node.value = 2
        stop.pulse("now")
        node.value = 3
        #expect(heard.events == [1, 2])
        let edge = try #require(node.downstreamTransforms.first as? Transform<Int, Int>)
        edge.from = MutableNode(10)
        #expect(heard.events == [1, 2, 10])
    }

    private struct Refused: Error, Equatable { let reason: String }

    @Test("successes and failures each pass on their half of the results")
    func results() {
        let answer = MutableNode<Result<Int, Refused>>(.success(1))
        let values = answer.successes().recorded()
        let errors = answer.failures().recorded()
        answer.value = .failure(Refused(reason: "no"))
        answer.value = .success(2)
        #expect(values.events == [1, 2])
        #expect(errors.events == [Refused(reason: "no")])
    }

    @Test("a value that the ending node holds already ends nothing when the edge is pointed at it")
    func pointedAtAnotherEnd() throws {
        let (number, stop, other) = (MutableNode(1), MutableNode<Bool>(), MutableNode(false))
        let until = number.take(until: stop)
        let end = try #require(until.upstreamTransforms(from: stop).first as? Transform<Bool, Int>)
        end.from = other
        number.value = 2
        #expect(until.value == 2)
        other.value = true
        number.value = 3
        #expect(until.value == 2)
    }

    @Test("a value that comes before the end is passed on, also if the result is delivering")
    func endedInMidDelivery() {
        let number = MutableNode(1), other = MutableNode(0), stop = MutableNode<Bool>(), listener = Lifetime()
        let until = number.take(until: stop), log = Recorder<Int>()
        until.link(to: other)
        until.listened(by: listener).with { [log, number, stop] in
            log.record($0)
            guard $0 == 7 else { return }
            number.value = 3
            stop.value = true
            number.value = 4
        }
        other.value = 7
        #expect(log.events == [0, 7, 3])
    }

    @Test("take until begins again for another node, also where the end came while it had none")
    func endedWhileCut() throws {
        let (number, other, stop) = (MutableNode(1), MutableNode(10), MutableNode<Bool>())
        let until = number.take(until: stop)
        let edge = try #require(number.downstreamTransforms.first as? Transform<Int, Int>)
        edge.from = nil
        stop.value = true
        edge.from = other
        other.value = 11
        #expect(until.value == 11)
        stop.value = true
        other.value = 12
        #expect(until.value == 11)
    }
}
