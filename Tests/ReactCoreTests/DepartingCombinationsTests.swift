import ReactCore
import ReactOperators
import TestSupport
import Testing

private typealias Pair = Node<(Tracked, Tracked)>

/// Combinations whose nodes are let go of after a value has arrived, and before they have fired or while they do.
@Suite("Combinations that go") struct DepartingCombinationsTests {
    /// Two inputs with values, and some combinations of them, each with one below it; all of it is to be let go of.
    private final class Inputs: Sendable {
        let left: MutableNode<Tracked>
        let right: MutableNode<Tracked>
        let tracker: LifetimeTracker

        init(_ tracker: LifetimeTracker) {
            self.tracker = tracker
            left = MutableNode(tracker.track("first left"))
            right = MutableNode(tracker.track("first right"))
        }
        func combined() -> Pair { combine(left, right) }
        func setLeft() { left.value = tracker.track("left") }
        func setRight() { right.value = tracker.track("right") }
        func empty() {
            left.clean()
            right.clean()
        }
        var areForgotten: Bool { left.downstreamTransforms == [] && right.downstreamTransforms == [] }
    }
    @Test(
        "several that go inside a batch, after arrivals: nothing of them is looked at again, nor left over",
        arguments: 1...4)
    func inBatch(count: Int) throws {
        try withLifetimeTracking { tracker in
            let inputs = Inputs(tracker)
            let stays = inputs.combined()
            let heard = Locked(0)
            let listener = Lifetime()
            stays.listened(by: listener).with { _ in heard.increment() }
            var pairs = (0..<count).map { _ in inputs.combined() }
            batch {
                inputs.setLeft()
                inputs.setRight()
                pairs = []
                reuseMemory()
                inputs.setLeft()
            }
            #expect(heard.value == 2)
            #expect(pairs.isEmpty)
            inputs.empty()
            stays.removeUpstreamNodes()
            #expect(inputs.areForgotten)
        }
    }

    @Test("a combination that another thread releases while a batch is under way")
    func byAnotherThread() throws {
        try withLifetimeTracking { tracker in
            let inputs = Inputs(tracker)
            let pair = Locked<Pair?>(inputs.combined())
            batch {
                inputs.setLeft()
                Worker { pair.value = nil }.join()
                reuseMemory()
            }
            #expect(inputs.areForgotten)
            inputs.empty()
        }
    }

    @Test("a combination that its own listener releases while it fires", arguments: [false, true])
    func whileFiring(setsAgain: Bool) throws {
        try withLifetimeTracking { tracker in
            let inputs = Inputs(tracker)
            let pair = Locked<Pair?>(inputs.combined())
            let heard = Recorder<String>()
            let listener = Lifetime()
            pair.value?.listened(by: listener).with {
                heard.record("\($0.0) \($0.1)")
                guard $0.0.label == "left" else { return }
                if setsAgain { inputs.setRight() }
                pair.value?.removeUpstreamNodes()
                pair.value?.stopListening(by: listener)
                pair.value = nil
                reuseMemory()
            }
            inputs.setLeft()
            reuseMemory()
            inputs.setRight()
            #expect(heard.events == ["first left first right", "left first right"])
            #expect(inputs.areForgotten)
            inputs.empty()
        }
    }

    /// When, and on which thread, a combination goes whose inputs two batches set.
    enum Departure: CaseIterable { case beforeItIsLeft, afterItWasLeft, inTheOtherBatch }

    @Test(
        "a combination whose inputs two batches set, and that is released before they are over",
        arguments: Departure.allCases)
    func leftToBatch(departure: Departure) throws {
        try withLifetimeTracking { tracker in
            let inputs = Inputs(tracker)
            let pair = Locked<Pair?>(inputs.combined())
            let below = Locked<Pair?>(combine(pair.value!, Node(0)).mapEach { pair, _ in pair })
            @Sendable func depart(_ now: Departure) {
                if now == departure { (pair.value, below.value) = (nil, nil) }
            }
            let isHeld = Latch()
            let isLeft = Latch()
            let worker = Worker {
                batch {
                    inputs.setLeft()
                    isHeld.arrive()
                    isLeft.wait()
                    depart(.inTheOtherBatch)
                    reuseMemory()
                }
            }
            isHeld.wait()
            batch {
                inputs.setRight()
                depart(.beforeItIsLeft)
            }
            #expect(below.value?.value.map { $0.1.label == "first right" } != false, "the other batch has yet to end")
            depart(.afterItWasLeft)
            reuseMemory()
            isLeft.arrive()
            worker.join()
            #expect(inputs.areForgotten)
            inputs.empty()
        }
    }

    @Test("a combination that another thread's firing waits for, and that is released before its turn")
    func whileAnotherFiringWaits() throws {
        try withLifetimeTracking { tracker in
            let inputs = Inputs(tracker)
            let pair = Locked<Pair?>(inputs.combined())
            let listener = Lifetime()
            let isFiring = Latch()
            let waits = Latch()
            let heard = Recorder<String>()
            pair.value?.listened(by: listener).with {
                heard.record("\($0.0) \($0.1)")
                guard $0.0.label == "left" else { return }
                isFiring.arrive()
                waits.wait()
                pair.value?.stopListening(by: listener)
                pair.value = nil
                reuseMemory()
            }
            let worker = Worker { inputs.setLeft() }
            isFiring.wait()
            inputs.setRight()
            waits.arrive()
            worker.join()
            #expect(heard.events == ["first left first right", "left first right"])
            #expect(inputs.areForgotten)
            inputs.empty()
        }
    }

    @Test("a combination without a value that two threads hold, and that is released before either fires it")
    func heldByTwo() throws {
        try withLifetimeTracking { tracker in
            let inputs = Inputs(tracker)
            inputs.right.clean()
            var pair: Pair? = inputs.combined()
            let isHeld = Latch()
            let isGone = Latch()
            let worker = Worker {
                batch {
                    inputs.setRight()
                    isHeld.arrive()
                    isGone.wait()
                    reuseMemory()
                }
            }
            isHeld.wait()
            batch {
                inputs.setLeft()
                #expect(pair?.isEmpty == true)
                pair = nil
            }
            reuseMemory()
            isGone.arrive()
            worker.join()
            #expect(inputs.areForgotten)
            inputs.empty()
        }
    }

    @Test("nothing is left over after threads have set, batched and released combinations at random")
    func onThreads() throws {
        try withLifetimeTracking { tracker in
            let inputs = Inputs(tracker)
            let pairs = Locked<[Pair]>([])
            concurrently(3) { thread in
                for turn in 0..<Scale.scaled(3_000) {
                    switch thread {
                    case 0: inputs.setLeft()
                    case 1:
                        batch {
                            inputs.setRight()
                            inputs.setLeft()
                        }
                    default:
                        let made = inputs.combined()
                        let old = pairs.withLock { pairs -> [Pair] in
                            defer { pairs = turn % 3 == 0 ? [] : pairs + [made] }
                            return turn % 3 == 0 ? pairs : []
                        }
                        withExtendedLifetime(old) {}
                    }
                }
            }
            pairs.value = []
            #expect(eventually { inputs.areForgotten })
            inputs.empty()
        }
    }

    @Test("a combination that is released with a context on its way to it releases the context")
    func context() throws {
        try withLifetimeTracking { tracker in
            let inputs = Inputs(tracker)
            var pair: Pair? = inputs.combined()
            batch {
                inputs.left.setValue(tracker.track("left"), context: tracker.track("context"))
                pair = nil
            }
            #expect(pair == nil)
            #expect(!tracker.live.contains("context"))
            inputs.empty()
        }
    }
}
