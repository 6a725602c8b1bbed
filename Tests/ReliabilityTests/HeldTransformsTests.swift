import ReactCore
import ReactOperators
import TestSupport
import Testing

/// Who holds an operator's transform holds neither its result nor what that had.
@Suite("Held transforms") struct HeldTransformsTests {
    @Test("a transform of a combination that is gone keeps none of its values")
    func combination() {
        let tracker = LifetimeTracker()
        let (a, b) = (MutableNode(tracker.track("a")), MutableNode(tracker.track("b")))
        let transforms = combine(a, b).upstreamTransforms
        a.clean()
        b.clean()
        #expect(transforms.count == 2)
        #expect(tracker.live == [])
        withExtendedLifetime(transforms) {}
    }

    @Test("a transform of a map that is gone keeps none of its values")
    func map() {
        let tracker = LifetimeTracker()
        let source = MutableNode(tracker.track("value"))
        let transforms = source.map { [$0] }.upstreamTransforms
        source.clean()
        #expect(tracker.live == [])
        withExtendedLifetime(transforms) {}
    }

    @Test("a transform of a zip that is gone keeps none of its values")
    func zip() {
        let tracker = LifetimeTracker()
        let (a, b) = (MutableNode(tracker.track("a")), MutableNode(tracker.track("b")))
        let transforms = a.zip(b).upstreamTransforms
        a.clean()
        b.clean()
        #expect(tracker.live == [])
        withExtendedLifetime(transforms) {}
    }

    @Test("a transform of any operator that is gone keeps none of its values", arguments: 0..<6)
    func anyOperator(number: Int) {
        typealias Source = Node<Tracked>
        let operators: [(Source) -> AnyNode] = [
            { $0.scan([]) { $0 + [$1] } },
            { $0.take(1) },
            { $0.flattenMap { Node($0) } },
            { merge($0, $0) },
            { source in computed { read in try read(source) } },
            { $0.distinctUntilChanged { $0 === $1 } },
        ]
        let tracker = LifetimeTracker()
        let source = MutableNode(tracker.track("value"))
        let transforms = operators[number](source).upstreamTransforms
        #expect(!transforms.isEmpty)
        source.clean()
        #expect(tracker.live == [])
        withExtendedLifetime(transforms) {}
    }

    @Test(
        "a combination that is let go of while it delivers, and a transform of which is held, keeps none of its values")
    func inMidDelivery() {
        let tracker = LifetimeTracker()
        let (a, b) = (MutableNode(tracker.track("a")), MutableNode(tracker.track("b")))
        let listener = Lifetime()
        let kept = Locked<(node: AnyNode, listening: any Cancelable)?>(nil)
        var transforms: [AnyTransform] = []
        do {
            let both = combine(a, b)
            transforms = both.upstreamTransforms
            let listening = both.listened(by: listener).with { _ in
                let last = kept.withLock { $0.take() }
                last?.listening.cancel()
            }
            kept.value = (both, listening)
        }
        a.value = tracker.track("next")
        #expect(kept.value == nil)
        a.clean()
        b.clean()
        #expect(tracker.live == [])
        withExtendedLifetime(transforms) {}
    }
}
