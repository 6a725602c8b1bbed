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
        withKnownIssue("the transform holds the combination's inside") { #expect(tracker.live == []) }
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
        withKnownIssue("the transform holds the row's inside") { #expect(tracker.live == []) }
        withExtendedLifetime(transforms) {}
    }
}
