import ReactCore
import ReactOperators
import TestSupport
import Testing

/// The edges of a focus: what they hold, and what follows when they are pointed elsewhere, or cut.
@Suite("Edges of a focus") struct FocusEdgesTests {
    @Test("two edges are there to be drawn, one each way")
    func drawn() {
        let person = MutableNode(Person()).named("person")
        let age = person.focus(\.age).named("age")
        #expect(person.upstreamTransforms.map(\.name) == ["Focus"])
        #expect(age.upstreamTransforms.map(\.name) == ["Focus"])
        #expect(person.upstreamNodes == [age])
        #expect(age.upstreamNodes == [person])
    }

    @Test("a part keeps its whole alive, and the whole keeps no part: it goes with its edges")
    func lifetimes() throws {
        try withLifetimeTracking { tracker in
            struct Pair: Sendable {
                var first: Tracked
                var number = 0
            }
            var pair: MutableNode<Pair>? = MutableNode(Pair(first: tracker.track("first")))
            var number: MutableNode<Int>? = pair?.focus(\.number)
            let whole = pair!
            pair = nil
            number?.value = 1
            #expect(whole.value?.number == 1)
            number = nil
            #expect(!whole.hasUpstreamNode)
            #expect(!whole.hasDownstreamNode)
            number = whole.focus(\.number)
            #expect(number?.value == 1)
        }
        try withLifetimeTracking { tracker in
            struct Pair: Sendable {
                var first: Tracked
                var number = 0
            }
            let number = MutableNode(Pair(first: tracker.track("kept"))).focus(\.number)
            #expect(tracker.live == ["kept"])
            number.value = 2
        }
    }

    @Test("pointed at another whole, a focus follows that one's part")
    func anotherWhole() throws {
        let (ada, grace) = (MutableNode(Person(age: 36)), MutableNode(Person(age: 40)))
        let age = ada.focus(\.age)
        let edge = try #require(age.upstreamTransforms(from: ada).first as? Transform<Person, Int>)
        edge.from = grace
        #expect(age.value == 40)
        ada.value = Person(age: 37)
        grace.value = Person(age: 41)
        #expect(age.value == 41)
    }

    @Test("the edge from a part to its whole is disconnected by setting its from to nil")
    func backEdgeFromNowhere() throws {
        let person = MutableNode(Person(age: 36))
        let age = person.focus(\.age)
        let back = try backEdge(of: age)
        back.from = nil
        #expect(back.from == nil)
        age.value = 40
        #expect(person.value?.age == 36)
        back.from = age
        #expect(person.value?.age == 40)
        back.cancel()
    }

    @Test("the edge from a part to its whole stays as it is when its from is set to the part")
    func backEdgeFromTheSame() throws {
        weak var gone: MutableNode<Int>?
        let person = MutableNode(Person(age: 36))
        do {
            let age = person.focus(\.age)
            gone = age
            try backEdge(of: age).from = age
            age.value = 40
        }
        #expect(person.value?.age == 40)
        #expect(gone == nil)
    }

    @Test("the edge from a part to its whole may be pointed at another whole, and still holds no part")
    func backEdgeToAnotherWhole() throws {
        weak var gone: MutableNode<Int>?
        let (ada, grace) = (MutableNode(Person(age: 36)), MutableNode(Person(age: 40)))
        do {
            let age = ada.focus(\.age)
            gone = age
            let back = try backEdge(of: age)
            back.to = grace
            #expect(back.from === age && back.to === grace)
            #expect(grace.value?.age == 36)
            age.value = 37
            #expect(grace.value?.age == 37)
            #expect(ada.value?.age == 36)
        }
        #expect(gone == nil)
        #expect(grace.upstreamTransforms == [])
    }

    private func backEdge(of part: MutableNode<Int>) throws -> Transform<Int, Person> {
        try #require(part.downstreamTransforms.first as? Transform<Int, Person>)
    }
}
