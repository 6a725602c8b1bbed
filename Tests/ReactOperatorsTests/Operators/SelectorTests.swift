import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("selector") struct SelectorTests {
    let lifetime = Lifetime()

    @Test("a changed selection among ten thousand rows calls two closures")
    func twoCalls() {
        let selection = MutableNode<Int?>(nil), calls = Locked(0)
        let isSelected = selection.selector()
        let rows = (0..<10_000).map { row in
            isSelected(row).map { isSelected in
                calls.increment()
                return isSelected
            }
        }
        selection.value = 7
        calls.withLock { $0 = 0 }
        selection.value = 9_999
        #expect(calls.value == 2)
        #expect(rows.indices.filter { rows[$0].current } == [9_999])
    }

    @Test("the old key is told before the new one, and a set to an equal key tells nobody")
    func order() {
        let selection = MutableNode("a"), log = Recorder<String>()
        let isSelected = selection.selector()
        let nodes = ["b", "a"].map { key in (key, isSelected(key)) }
        for (key, node) in nodes { node.listened(by: lifetime).with { log.record("\(key) \($0)") } }
        selection.value = "b"
        selection.value = "b"
        selection.value = "c"
        #expect(log.events == ["b false", "a true", "a false", "b true", "b false"])
    }

    @Test("several nodes of one key, and a node that is asked for late, are right")
    func late() {
        let selection = MutableNode(1), isSelected = selection.selector()
        let early = isSelected(2)
        selection.value = 2
        let late = isSelected(2), other = isSelected(1)
        #expect(early.current && late.current && !other.current)
        selection.value = 1
        #expect(!early.current && !late.current && other.current)
    }

    @Test("no key is selected while the selection is empty, and emptying it later changes nothing")
    func emptiness() {
        let selection = MutableNode<Int>(), isOne = selection.selector()(1)
        #expect(!isOne.current)
        selection.value = 1
        selection.clean()
        #expect(isOne.current)
        selection.value = 2
        #expect(!isOne.current)
    }

    @Test("a batch that changes the selection twice calls a combination of two keys once")
    func batched() {
        let selection = MutableNode(1), isSelected = selection.selector()
        let both = combine(isSelected(1), isSelected(2)) { "\($0) \($1)" }.heard(by: lifetime)
        selection.value = 2
        batch {
            selection.value = 3
            selection.value = 1
        }
        #expect(both.events == ["true false", "false true", "true false"])
    }

    @Test("the context travels to the nodes of both keys, and a redacted selection redacts them")
    func contextAndSecrets() {
        let selection = MutableNode(1).redacted(), log = Recorder<String>()
        let isSelected = selection.selector()
        let one = isSelected(1), two = isSelected(2)
        one.listened(by: lifetime).withContext { log.record("one \($0) \($1 ?? "-")") }
        two.listened(by: lifetime).withContext { log.record("two \($0) \($1 ?? "-")") }
        selection.setValue(2, context: "tap")
        #expect(log.events == ["one true -", "two false -", "one false tap", "two true tap"])
        #expect(one.valueDescription == "redacted")
    }

    @Test("a key's node holds the selection, and leaves nothing behind when it goes")
    func lifetimes() {
        weak var source: MutableNode<Int>?
        var isSelected: Node<Bool>?
        do {
            let selection = MutableNode(1)
            source = selection
            isSelected = selection.selector()(2)
        }
        #expect(source != nil && isSelected?.current == false)
        isSelected = nil
        #expect(source == nil)
    }

    @Test("a cut selection sets no node any more")
    func cut() {
        let selection = MutableNode(1), isOne = selection.selector()(1)
        selection.removeDownstreamNodes()
        selection.value = 2
        #expect(isOne.current)
    }

    @Test("keys that are asked for while another thread changes the selection end right")
    func threads() {
        let selection = MutableNode(0), isSelected = selection.selector(), rounds = Scale.scaled(20_000)
        let made = Locked<[(Int, Node<Bool>)]>([])
        concurrently(2) { thread in
            for round in 1...rounds {
                if thread == 0 {
                    selection.value = round % 8
                } else if round % 16 == 0 {
                    let node = isSelected(round / 16 % 8)
                    made.withLock { $0.append((round / 16 % 8, node)) }
                }
            }
        }
        let selected = selection.current
        #expect(made.value.allSatisfy { key, node in node.current == (key == selected) })
    }
}
