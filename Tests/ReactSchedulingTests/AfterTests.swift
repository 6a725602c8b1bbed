import ReactCore
import ReactOperators
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@Suite("after") struct AfterTests {
    let clock = VirtualScheduler()
    let lifetime = Lifetime()

    @Test("false until the interval is over, and true from then on, to the nanosecond")
    func exactTime() {
        let isOver = Node.after(.seconds(2), on: clock)
        let heard = isOver.heard(by: lifetime)
        #expect(!isOver.isMutable)
        clock.advance(by: .nanoseconds(1_999_999_999))
        #expect(heard.events == [false])
        clock.advance(by: .nanoseconds(1))
        #expect(heard.events == [false, true])
        clock.run()
        #expect(heard.events == [false, true] && isOver.upstreamTransforms.map(\.name) == ["After"])
    }

    @Test("an interval of zero or less is over at once, without a timer")
    func overAtOnce() {
        #expect(Node.after(.zero, on: clock).current && Node.after(.seconds(-1), on: clock).current)
        #expect(clock.pendingCount == 0)
    }

    @Test("the timer keeps nothing alive, and ends with the node or its edge")
    func lifetimes() {
        var isOver: Node<Bool>? = Node.after(.seconds(1), on: clock)
        #expect(clock.pendingCount == 1 && isOver?.current == false)
        isOver = nil
        #expect(clock.pendingCount == 0)
        let cut = Node.after(.seconds(1), on: clock)
        cut.removeUpstreamNodes()
        clock.run()
        #expect(!cut.current && clock.pendingCount == 0)
    }

    @Test("a node follows another one until a time, which may move")
    func until() {
        let source = MutableNode(1), end = MutableNode(Duration.seconds(2)), clock = clock
        let isOver = end.flattenMap { .after($0 - clock.now, on: clock) }
        let heard = source.take(until: isOver.select(true)).heard(by: lifetime)
        clock.advance(by: .seconds(1))
        end.value = .seconds(4)
        clock.advance(by: .seconds(2))
        source.value = 2
        clock.advance(by: .seconds(1))
        source.value = 3
        #expect(heard.events == [1, 2])
    }

    @Test("a time that is still to come does not count as a value on its way")
    func upToDate() {
        #expect(Node.after(.seconds(1), on: clock).isUpToDate)
    }
}
