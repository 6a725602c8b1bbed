import ReactOperators
import Testing

/// The transitions of a body's state, one by one, without threads.
@Suite("States of a body") struct BodyStateTests {
    static let all: [BodyState] = [
        .resting(mustCall: false), .resting(mustCall: true), .givenUp(read: 2),
        .calling(mustCall: false), .calling(mustCall: true),
        .void(.cut, mustCall: false), .void(.cut, mustCall: true),
        .void(.givenUp, mustCall: false), .void(.givenUp, mustCall: true),
        .void(.outdated, mustCall: false), .void(.outdated, mustCall: true),
        .void(.unlinked, mustCall: false), .void(.unlinked, mustCall: true),
    ]
    private func check(
        _ expected: [BodyState], _ transition: (inout BodyState) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (before, after) in zip(Self.all, expected) {
            var state = before
            transition(&state)
            #expect(state == after, "after \(before)", sourceLocation: sourceLocation)
        }
    }

    @Test("a call compares its inputs first only if nothing asks for the call")
    func begin() {
        for (state, mustCall) in zip(Self.all, [false, true, true]) {
            var state = state
            #expect(state.begin() == mustCall)
            #expect(state == .calling(mustCall: false))
        }
    }
    @Test(
        "a call of equal values is skipped, repeated if another thread brings a value, and made if something asks for it"
    )
    func skip() {
        let expected: [BodyState: (BodyState.Skip, BodyState)] = [
            .calling(mustCall: false): (.isSkipped, .resting(mustCall: false)),
            .calling(mustCall: true): (.mustCall, .calling(mustCall: false)),
            .void(.cut, mustCall: false): (.isSkipped, .resting(mustCall: false)),
            .void(.outdated, mustCall: false): (.isRepeated, .resting(mustCall: true)),
        ]
        for (before, (skip, after)) in expected {
            var state = before
            #expect(state.skip() == skip)
            #expect(state == after)
        }
    }
    @Test("a value of another thread makes a call void; one that the call's own thread brings does not")
    func arrive() {
        check([
            .resting(mustCall: false), .resting(mustCall: true), .resting(mustCall: true),
            .void(.outdated, mustCall: false), .void(.outdated, mustCall: true),
            .void(.outdated, mustCall: false), .void(.outdated, mustCall: true),
            .void(.outdated, mustCall: false), .void(.outdated, mustCall: true),
            .void(.outdated, mustCall: false), .void(.outdated, mustCall: true),
            .void(.outdated, mustCall: false), .void(.outdated, mustCall: true),
        ]) { $0.arrive(byCaller: false) }
        check([
            .resting(mustCall: false), .resting(mustCall: true), .resting(mustCall: true),
            .calling(mustCall: false), .calling(mustCall: true),
            .void(.cut, mustCall: false), .void(.cut, mustCall: true),
            .void(.givenUp, mustCall: false), .void(.givenUp, mustCall: true),
            .void(.outdated, mustCall: false), .void(.outdated, mustCall: true),
            .void(.unlinked, mustCall: false), .void(.unlinked, mustCall: true),
        ]) { $0.arrive(byCaller: true) }
    }
    @Test("a demand for a call is kept until the next call begins")
    func requireCall() {
        check([
            .resting(mustCall: true), .resting(mustCall: true), .givenUp(read: 2),
            .calling(mustCall: true), .calling(mustCall: true),
            .void(.cut, mustCall: true), .void(.cut, mustCall: true),
            .void(.givenUp, mustCall: true), .void(.givenUp, mustCall: true),
            .void(.outdated, mustCall: true), .void(.outdated, mustCall: true),
            .void(.unlinked, mustCall: true), .void(.unlinked, mustCall: true),
        ]) { $0.requireCall() }
    }
    @Test("a call that is given up stays so, and one that is outdated stays outdated")
    func giveUp() {
        check([
            .resting(mustCall: false), .resting(mustCall: true), .givenUp(read: 2),
            .void(.givenUp, mustCall: false), .void(.givenUp, mustCall: true),
            .void(.givenUp, mustCall: false), .void(.givenUp, mustCall: true),
            .void(.givenUp, mustCall: false), .void(.givenUp, mustCall: true),
            .void(.outdated, mustCall: false), .void(.outdated, mustCall: true),
            .void(.unlinked, mustCall: false), .void(.unlinked, mustCall: true),
        ]) { $0.giveUp() }
    }
    @Test("a call that waits for a link reads nothing more, and is not repeated before that")
    func awaitLink() {
        check([
            .resting(mustCall: false), .resting(mustCall: true), .givenUp(read: 2),
            .void(.unlinked, mustCall: false), .void(.unlinked, mustCall: true),
        ]) { $0.awaitLink() }
    }
    @Test("an edge that is cut makes a call void only if the call has read it")
    func lose() {
        check(Self.all) { $0.lose(wasRead: false) }
        check([
            .resting(mustCall: false), .resting(mustCall: true), .givenUp(read: 2),
            .void(.cut, mustCall: false), .void(.cut, mustCall: true),
            .void(.cut, mustCall: false), .void(.cut, mustCall: true),
            .void(.givenUp, mustCall: false), .void(.givenUp, mustCall: true),
            .void(.outdated, mustCall: false), .void(.outdated, mustCall: true),
            .void(.unlinked, mustCall: false), .void(.unlinked, mustCall: true),
        ]) { $0.lose(wasRead: true) }
    }
    @Test("a call that was given up is repeated, and confirms its reads; an outdated call confirms none")
    func end() {
        let expected: [(BodyState, isRepeated: Bool)] = [
            (.resting(mustCall: false), false), (.resting(mustCall: true), false),
            (.resting(mustCall: false), false), (.resting(mustCall: true), false),
            (.givenUp(read: 3), true), (.givenUp(read: 3), true),
            (.resting(mustCall: true), true), (.resting(mustCall: true), true),
            (.resting(mustCall: false), false), (.resting(mustCall: true), false),
        ]
        for (before, after) in zip(Self.all.dropFirst(3), expected) {
            var state = before
            let isUnlinked = [.void(.unlinked, mustCall: false), .void(.unlinked, mustCall: true)].contains(before)
            #expect(state.isRepeated == (after.isRepeated || isUnlinked), "\(before)")
            #expect(state.end(read: 3) == after.isRepeated, "\(before)")
            #expect(state == after.0, "\(before)")
        }
    }
    @Test("only a call that is not void may read")
    func mayRead() {
        #expect(Self.all.filter(\.isOpen) == [.calling(mustCall: false), .calling(mustCall: true)])
        #expect(Self.all.map(\.confirmed) == [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }
}
