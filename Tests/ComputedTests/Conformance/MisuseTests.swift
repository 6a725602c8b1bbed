import ReactCore
import ReactOperators
import TestSupport
import Testing

// What ends the process.
extension ConformanceTests {
    @Test(
        "a body that throws its own error ends the process with a message that names the node",
        .enabled(if: Scale.runsTraps))
    func errors() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            struct Failure: Error {}
            let a = MutableNode(1)
            let b = computed { read in
                if try read(a) == 2 { throw Failure() }
                return 0
            }.named("total")
            a.value = 2
            withExtendedLifetime(b) {}
        }
        expectMessage(result, "“total” threw Failure()")
    }

    @Test("reading itself ends the process with a message that names the node", .enabled(if: Scale.runsTraps))
    func readsItself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let a = MutableNode(1)
            let own = Later<Int>()
            own.node = computed { read in try read(a) + (try own.node.map { try read($0) } ?? 0) }.named("own")
            a.value = 2
        }
        expectMessage(result, "reads itself: “own” → “own”")
    }

    @Test("a ring of two ends the process with a message that names it", .enabled(if: Scale.runsTraps))
    func ringOfTwo() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let isClosed = MutableNode(false)
            let later = Later<Int>()
            let a = computed { read in try read(isClosed) ? try read(later.node!) : 0 }.named("a")
            later.node = computed { read in try read(a) + 1 }.named("b")
            isClosed.value = true
        }
        expectMessage(result, "reads itself: “a” → “b” → “a”")
    }

    @Test("a ring through three ends the process with a message that names it", .enabled(if: Scale.runsTraps))
    func ringThroughThree() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let isClosed = MutableNode(false)
            let later = Later<Int>()
            let a = computed { read in try read(isClosed) ? try read(later.node!) : 0 }.named("a")
            let b = computed { read in try read(a) + 1 }
            later.node = computed { read in try read(b) + 1 }.named("c")
            isClosed.value = true
        }
        expectMessage(result, "reads itself: “a” → “c” → Node<Int>(1) → “a”")
    }

    @Test("a reader that is used after its call ends the process with a message", .enabled(if: Scale.runsTraps))
    func readerAfterTheCall() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let a = MutableNode(1)
            let kept = Locked<NodeReader?>(nil)
            let b = computed { read in
                kept.value = read
                return try read(a)
            }
            _ = try? kept.value!(b)
        }
        expectMessage(result, "a NodeReader was used outside of the call")
    }

    @Test(
        "a trap in a body begins with the file and line that made the computed or the effect",
        .enabled(if: Scale.runsTraps))
    func placesOfBodies() async {
        let file = "ComputedTests/MisuseTests.swift"
        let first = #line + 1
        let thrown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            struct Failure: Error {}
            let total = computed { (_: NodeReader) throws -> Int in throw Failure() }
            withExtendedLifetime(total) {}
        }
        #expect(placeOfMisuse(in: thrown?.standardErrorContent) == "\(file):\(first)")
        let second = #line + 1
        let ring = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let own = Later<Int>(), a = MutableNode(1)
            own.node = computed { read in try read(a) + (try own.node.map { try read($0) } ?? 0) }.named("own")
            a.value = 2
        }
        #expect(placeOfMisuse(in: ring?.standardErrorContent) == "\(file):\(second)")
        let third = #line + 1
        let kept = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let a = MutableNode(1), reader = Locked<NodeReader?>(nil), screen = Lifetime(named: "screen")
            screen.effect { read in reader.value = read }
            _ = try? reader.value!(a)
        }
        #expect(placeOfMisuse(in: kept?.standardErrorContent) == "\(file):\(third)")
        expectMessage(kept, "inside the body of an effect of Lifetime(named: screen)")
    }

    private func expectMessage(_ result: ExitTest.Result?, _ text: String) {
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains(text), "\(message)")
    }
}
