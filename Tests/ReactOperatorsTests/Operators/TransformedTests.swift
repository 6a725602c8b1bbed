import ReactCore
import ReactOperators
import TestSupport
import Testing

extension Node where Value == Int {
    fileprivate func halves() -> Node<Int> {
        transformed("Halves") { value, send in if value.isMultiple(of: 2) { send(value / 2) } }
    }
    fileprivate func counted() -> Node<[Int]> {
        transformed("Counted", state: [Int]()) { seen, value, send in
            seen.append(value)
            send(seen)
        }
    }
}

@Suite("Operators of one's own")
struct TransformedTests {
    @Test("a transformed node takes the values that are sent, and drops the others")
    func sendsWhatItLikes() {
        let number = MutableNode(84)
        let heard = number.halves().recorded()
        for value in [3, 10, 7] { number.value = value }
        #expect(heard.events == [42, 5])
    }

    @Test("its edge bears the name that it was given, and context and sender list travel")
    func travels() {
        let number = MutableNode<Int>().named("number")
        let half = number.halves().named("half")
        let lifetime = Lifetime()
        let heard = Recorder<String>()
        half.listened(by: lifetime).withSenderListAndContext { value, senders, context in
            let names = senders.senders.compactMap(\.name).joined(separator: ",")
            heard.record("\(value) \(names) \(context ?? "-")")
        }
        number.setValue(4, context: "typed")
        #expect(heard.events == ["2 half,number typed"])
        #expect(half.upstreamTransforms.map(\.name) == ["Halves"])
    }

    @Test("a transformed node with a state keeps it from value to value")
    func keepsState() {
        let number = MutableNode(1)
        let seen = number.counted()
        number.value = 2
        number.value = 3
        #expect(seen.value == [1, 2, 3])
    }

    @Test("the state starts over when the edge's from changes, and when its to does")
    func startsOver() throws {
        let first = MutableNode(1)
        let second = MutableNode(10)
        let seen = first.counted()
        let edge = try #require(seen.upstreamTransforms.first as? Transform<Int, [Int]>)
        first.value = 2
        edge.from = second
        second.value = 11
        #expect(seen.value == [10, 11])
        let other = Node<[Int]>()
        edge.to = other
        second.value = 12
        #expect(other.value == [11, 12])
        #expect(seen.value == [10, 11])
    }

    @Test("two nodes that are transformed alike have a state each")
    func statesOfTheirOwn() {
        let number = MutableNode(1)
        let first = number.counted()
        number.value = 2
        let second = number.counted()
        #expect(first.value == [1, 2])
        #expect(second.value == [2])
    }

    @Test("a set of another node in an operator's body is delivered, and the operator's own send is kept")
    func setsWhileCalled() {
        let number = MutableNode(1)
        let side = MutableNode(0)
        let sideHeard = side.map { $0 + 1 }.recorded()
        let result = number.transformed("Tap") { value, send in
            send(value)
            side.value = value * 10
        }
        let heard = result.recorded()
        number.value = 2
        #expect(heard.events == [1, 2])
        #expect(sideHeard.events == [1, 11, 21])
    }

    @Test("an operator whose closure makes another send inside it sends its own as well")
    func nestedSends() {
        let number = MutableNode(1)
        let inner = MutableNode(0)
        let halves = inner.halves()
        let result = number.transformed("Outer") { (value: Int, send: NodeSender<Int>) in
            inner.value = value * 4
            send(halves.value! + 1)
        }
        number.value = 3
        #expect(result.value == 7)
    }

    /// Sums up what comes; `during` is called for each value while the state is lent.
    private func sums(_ number: Node<Int>, _ during: @escaping @Sendable (Int) -> Void) -> Node<Int> {
        number.transformed("Sum", state: 0) { sum, value, send in
            sum += value
            during(value)
            send(sum)
        }
    }
    @Test("a value whose edge is cut while it has the state leaves nothing behind, and is not sent")
    func cutWhileLent() {
        let number = MutableNode(1)
        let sum = Locked<Node<Int>?>(nil)
        sum.value = sums(number) { [unowned sum] value in
            if value == 10 { sum.value?.upstreamTransforms[0].cancel() }
        }
        let result = sum.value!, edge = result.upstreamTransforms[0] as! Transform<Int, Int>
        number.value = 10
        #expect(result.value == 1)
        number.value = 100
        edge.to = result
        edge.from = number
        #expect(result.value == 100)
        sum.value = nil
    }
    @Test("a value whose edge is pointed elsewhere while it has the state leaves nothing behind: the state starts over")
    func pointedWhileLent() {
        let number = MutableNode(1), other = MutableNode(1_000)
        let sum = Locked<Node<Int>?>(nil)
        sum.value = sums(number) { [unowned sum, unowned other] value in
            if value == 10 { (sum.value?.upstreamTransforms[0] as? Transform<Int, Int>)?.from = other }
        }
        let heard = sum.value!.recorded()
        number.value = 10
        other.value = 2_000
        #expect(heard.events == [1, 1_000, 3_000])
        sum.value = nil
    }
    @Test("a state is kept if the value that is sent has come round a ring, or has to wait")
    func refusedSend() {
        let number = MutableNode(1)
        let sum = sums(number) { _ in }
        // The 1 that comes back is added, and its sum stops at the node that it has come from.
        let back = number.link(to: sum)
        let heard = sum.recorded()
        number.value = 5
        back.cancel()
        number.value = 100
        #expect(heard.events == [1, 7, 107])
        let lifetime = Lifetime()
        sum.listened(by: lifetime).with { [unowned number] in if $0 == 207 { number.value = 1_000 } }
        number.value = 100
        #expect(sum.value == 1_207)
    }

    /// A sender, where no sender may be.
    private final class Hidden: @unchecked Sendable { var send: NodeSender<Int>? }

    @Test("to send after the call ends the process", .enabled(if: Scale.runsTraps))
    func sendsLate() async {
        await #expect(processExitsWith: .failure) {
            let hidden = Hidden()
            let result = MutableNode(1).transformed("Late") { (_: Int, send: NodeSender<Int>) in hidden.send = send }
            hidden.send!(1)
            withExtendedLifetime(result) {}
        }
    }

    @Test(
        "to send in the next call of the same edge by the sender of the one before ends the process",
        .enabled(if: Scale.runsTraps))
    func sendsInTheNextCall() async {
        await #expect(processExitsWith: .failure) {
            let hidden = Hidden()
            let number = MutableNode(1)
            let result = number.transformed("Late") { (value: Int, send: NodeSender<Int>) in
                if let earlier = hidden.send { earlier(value) }
                hidden.send = send
            }
            number.value = 2
            withExtendedLifetime(result) {}
        }
    }

    @Test(
        "to send by the sender of a call that was made inside this one ends the process", .enabled(if: Scale.runsTraps))
    func sendsByTheInner() async {
        await #expect(processExitsWith: .failure) {
            let hidden = Hidden()
            let inner = MutableNode<Int>()
            let kept = inner.transformed("Inner") { (_: Int, send: NodeSender<Int>) in hidden.send = send }
            let result = MutableNode(1).transformed("Outer") { (value: Int, send: NodeSender<Int>) in
                inner.value = value
                hidden.send!(value)
            }
            withExtendedLifetime((kept, result)) {}
        }
    }

    @Test("to send twice ends the process with a message", .enabled(if: Scale.runsTraps))
    func sendsTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode(1).transformed("Twice") { value, send in
                send(value)
                send(value)
            }
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("call it once at most"))
    }

    @Test("a second send is told with the file and line of that send", .enabled(if: Scale.runsTraps))
    func placeOfTheSecondSend() async {
        let line = #line + 1
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode(1).transformed("Twice") { (value: Int, send: NodeSender<Int>) in
                send(value)
                send(value)
            }
        }
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "ReactOperatorsTests/TransformedTests.swift:\(line)")
    }
}
