import ReactCore
import ReactOperators
import TestSupport
import Testing

// Diamonds.
extension ConformanceTests {
    @Test("a diamond is made once, with both sides new")
    func diamond() {
        let a = MutableNode(1)
        let b = computed { read in try read(a) + 1 }
        let c = computed { read in try read(a) * 10 }
        let d = counted("d", calls) { read in "\(try read(b)) \(try read(c))" }
        #expect(d.value == "2 10")
        #expect(calls.take() == ["d"])
        a.value = 2
        #expect(d.value == "3 20")
        #expect(calls.take() == ["d"])
    }

    @Test("a diamond with a tail makes the tail once")
    func diamondWithTail() {
        let a = MutableNode(1)
        let b = computed { read in try read(a) }
        let c = computed { read in try read(a) }
        let d = computed { read in try read(b) + read(c) }
        let e = counted("e", calls) { read in try read(d) }
        _ = calls.take()
        a.value = 5
        #expect(e.value == 10)
        #expect(calls.take() == ["e"])
    }

    @Test("a jagged diamond, with sides of different length, is made once, the tails in the order of their height")
    func jaggedDiamond() {
        let a = MutableNode("a")
        let b = computed { read in try read(a) }
        let c = computed { read in try read(a) }
        let d = computed { read in try read(c) }
        let e = counted("e", calls) { read in try read(b) + " " + read(d) }
        let f = counted("f", calls) { read in try read(e) }
        let g = counted("g", calls) { read in try read(e) }
        _ = calls.take()
        a.value = "b"
        #expect([e, f, g].map(\.value) == ["b b", "b b", "b b"])
        #expect(calls.take() == ["e", "f", "g"])
    }

    @Test("a value that is an input of its own input's reader is read new from both ways")
    func valueBesideItsDerived() {
        let a = MutableNode(2)
        let b = computed { read in try read(a) - 1 }
        let c = counted("c", calls) { read in try read(a) + read(b) }
        _ = calls.take()
        a.value = 4
        #expect(c.value == 7)
        #expect(calls.take() == ["c"])
    }

    @Test("a chain of a thousand diamonds makes each once")
    func chainOfDiamonds() {
        let source = MutableNode(0)
        let calls = Locked(0)
        var last: Node<Int> = source
        for _ in 0..<1_000 {
            let (left, right, top) = (last.map { $0 + 1 }, last.map { $0 + 1 }, last)
            last = computed { read in
                calls.increment()
                return max(try read(left), try read(right)) + (try read(top)) * 0
            }
        }
        calls.value = 0
        source.value = 5
        #expect(last.value == 1_005)
        #expect(calls.value == 1_000)
    }

    @Test("one side of a diamond that does not change leaves the other's change alone")
    func oneSideStays() {
        let a = MutableNode("a")
        let b = computed { read in try read(a) }
        let c = computed { read in
            _ = try read(a)
            return "c"
        }
        let d = counted("d", calls) { read in try read(b) + " " + read(c) }
        _ = calls.take()
        a.value = "aa"
        #expect(d.value == "aa c")
        #expect(calls.take() == ["d"])
    }

    @Test("if neither side changes, a node computed of both is not computed again")
    func noSideChanges() {
        let a = MutableNode("a")
        let b = computed { read in try read(a).isEmpty }
        let c = computed { read in try read(a).count > 100 }
        let d = counted("d", calls) { read in try read(b) || read(c) }
        _ = calls.take()
        a.value = "aa"
        #expect(d.value == false)
        #expect(calls.take() == [])
    }
}
