import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("The guide's examples: nodes of nodes")
struct HighOrderExampleTests {
    @Test("flatten follows A, then B and A no longer, then C")
    func flatten() {
        let a = MutableNode(1)
        let b = MutableNode(2)
        let c = MutableNode(3)
        let followed = MutableNode<Node<Int>>(a)
        let flat = followed.flatten()
        let heard = flat.recorded()
        #expect(flat.value == 1)
        a.value = 10
        #expect(flat.value == 10)
        followed.value = b
        #expect(flat.value == 2)
        a.value = 11
        #expect(flat.value == 2)
        b.value = 20
        #expect(flat.value == 20)
        followed.value = c
        #expect(flat.value == 3)
        a.value = 12
        b.value = 21
        c.value = 30
        #expect(heard.events == [1, 10, 2, 20, 3, 30])
    }

    @Test("flattenMap spells the digits of 12, 0, 27, 9527, lowest first")
    func flattenMap() {
        /// What `flattenMap` follows: the digits of one number, set one after the other by `spell`.
        struct Digits: Sendable {
            let node = MutableNode<Int>()
            let number: Int

            func spell() {
                var rest = number
                repeat {
                    node.value = rest % 10
                    rest /= 10
                } while rest > 0
            }
        }
        let number = MutableNode(12)
        let started = Recorder<Digits>()
        let heard = number.flattenMap { number in
            let digits = Digits(number: number)
            started.record(digits)
            return digits.node
        }.recorded()
        started.events.last?.spell()
        for next in [0, 27, 9527] {
            number.value = next
            started.events.last?.spell()
        }
        #expect(started.events.map(\.number) == [12, 0, 27, 9527])
        #expect(heard.events == [2, 1, 0, 7, 2, 7, 2, 5, 9])
    }
}
