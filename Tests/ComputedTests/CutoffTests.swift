import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("A cutoff of one's own") struct CutoffTests {
    let lifetime = Lifetime()

    @Test("a result that the cutoff calls equal is not passed on, and small changes add up")
    func cutoff() {
        let source = MutableNode(0)
        let coarse = computed(areEqual: { abs($0 - $1) < 10 }) { read in try read(source) }
        let heard = coarse.heard(by: lifetime)
        for value in [3, 6, 9, 12, 5, 2] { source.value = value }
        #expect(heard.events == [0, 12, 2])
    }

    @Test("the cutoff gets the value of the node first, and the result second, with no lock held")
    func arguments() {
        let source = MutableNode(1), log = Recorder<String>(), later = MutableNode<Node<Int>>()
        let node = computed(areEqual: {
            log.record("\($0) \($1) \(later.value?.value ?? 0)")
            return false
        }) { read in try read(source) }
        later.value = node
        source.value = 2
        #expect(log.events == ["1 2 1"])
        // The node holds the closure, which holds the node.
        later.clean()
    }

    @Test("a combination below a result that the cutoff calls equal does not fire")
    func combinationBelow() {
        let source = MutableNode(1.0), other = MutableNode("a")
        let rounded = computed(areEqual: { abs($0 - $1) < 1 }) { read in try read(source) }
        let heard = combine(rounded, other) { "\($0) \($1)" }.heard(by: lifetime)
        source.value = 1.5
        source.value = 2.5
        #expect(heard.events == ["1.0 a", "2.5 a"])
    }
}
