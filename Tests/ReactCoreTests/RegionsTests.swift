import TestSupport
import Testing

@testable import ReactCore

/// The transitions of regions and of the requests for them, without threads.
@Suite("Regions") struct RegionsTests {
    private let me: UInt = 64, other: UInt = 128

    @Test("a state is the same after it has been a word")
    func words() {
        for line in RegionState.Line.allCases {
            for state in [RegionState.free(line), .owned(by: me, line), .merged] {
                #expect(RegionState(word: state.word) == state)
            }
        }
        #expect(RegionState.free(.isEmpty).word == 0)
    }

    @Test("only a listener that asks for senders has its graph note the nodes that a value has passed")
    func senders() {
        let lifetime = Lifetime(), plain = MutableNode(0), asked = MutableNode(0)
        plain.listened(by: lifetime).with { _ in }
        plain.listened(by: lifetime).withOnMainActor { _ in }
        asked.listened(by: lifetime).withSenderListAndContext { _, _, _ in }
        #expect(!plain.vertex.region.notesSenders && asked.vertex.region.notesSenders)
    }

    @Test("a free region may be taken unless the line is ordered, and one that is owned or merged may not")
    func taking() {
        #expect(RegionState.free(.isEmpty).taken(by: me) == .owned(by: me, .isEmpty))
        #expect(RegionState.free(.sleeps).taken(by: me) == .owned(by: me, .sleeps))
        #expect(RegionState.free(.isAwake).taken(by: me) == .owned(by: me, .isAwake))
        #expect(RegionState.free(.isOrdered).taken(by: me) == nil)
        #expect(RegionState.owned(by: other, .isEmpty).taken(by: me) == nil)
        #expect(RegionState.merged.taken(by: me) == nil)
    }

    @Test("the owner leaves at once if nobody has to be called")
    func leaving() {
        #expect(RegionState.owned(by: me, .isEmpty).afterLeaving(by: me) == .free(.isEmpty))
        #expect(RegionState.owned(by: me, .isAwake).afterLeaving(by: me) == .free(.isAwake))
        #expect(RegionState.owned(by: me, .sleeps).afterLeaving(by: me) == nil)
        #expect(RegionState.owned(by: me, .isOrdered).afterLeaving(by: me) == nil)
        #expect(RegionState.owned(by: other, .isEmpty).afterLeaving(by: me) == nil)
    }

    @Test("an owner that leaves wakes the first in line, or makes it the owner if nobody may overtake")
    func settling() {
        let vertex = MutableNode(0).vertex
        func request(_ isOrdered: Bool = false) -> Request {
            Request(for: vertex, by: other, isOrdered: isOrdered, blocksLinks: false) { _ in }
        }
        var line = RegionLine()
        #expect(line.settled(.free(.isEmpty)) == (.free(.isEmpty), .nothing))
        let first = request()
        line.append(first)
        #expect(line.settled(.owned(by: me, .isEmpty)) == (.owned(by: me, .sleeps), .nothing))
        #expect(line.settled(.free(.isEmpty)) == (.free(.isAwake), .wakes))
        #expect(line.apply(.wakes) === first && first.progress == .isWoken)
        #expect(line.settled(.owned(by: me, .sleeps)) == (.owned(by: me, .isAwake), .nothing))
        #expect(line.settled(.free(.isEmpty)) == (.free(.isAwake), .nothing))
        line.append(request(true))
        #expect(line.settled(.owned(by: me, .isAwake)) == (.owned(by: me, .isOrdered), .nothing))
        #expect(line.settled(.free(.isEmpty)) == (.owned(by: other, .isOrdered), .grants))
        #expect(line.apply(.grants) === first && first.progress == .isGranted)
        line.remove(first)
        #expect(line.settled(.free(.isEmpty)) == (.owned(by: other, .isEmpty), .grants))
    }

    @Test("an owner that leaves a graph looks at its line while a node's end is left there")
    func ends() {
        let vertex = MutableNode(0).vertex
        var line = RegionLine(), other = RegionLine()
        line.add((vertex, { _ in }))
        #expect(line.settled(.owned(by: me, .isEmpty)) == (.owned(by: me, .sleeps), .nothing))
        #expect(line.settled(.free(.isEmpty)) == (.free(.sleeps), .nothing))
        other.add((vertex, { _ in }))
        _ = line.merge(&other)
        #expect(other.removals.isEmpty && line.takeRemovals().count == 2 && line.removals.isEmpty)
        #expect(line.settled(.owned(by: me, .sleeps)) == (.owned(by: me, .isEmpty), .nothing))
    }

    @Test("late work stands in the place of the first request that has waited in vain, as one request")
    func late() {
        let vertex = MutableNode(0).vertex
        func request() -> Request { Request(for: vertex, by: other, isOrdered: false, blocksLinks: false) { _ in } }
        var line = RegionLine()
        let (first, second, third) = (request(), request(), request())
        for one in [first, second, third] { line.append(one) }
        let made = Request(for: vertex, isOrdered: true, blocksLinks: true) { _ in }
        line.replace(second, by: { _ in }) { made }
        #expect(line.requests.map(ObjectIdentifier.init) == [first, made, third].map(ObjectIdentifier.init))
        line.replace(third, by: { _ in }) { request() }
        #expect(line.requests.map(ObjectIdentifier.init) == [first, made].map(ObjectIdentifier.init))
        #expect(line.openChanges == 2 && line.blocksLinks)
        #expect(line.takeLate().work.count == 2 && line.requestOfLate == nil)
        line.noteDone(2)
        #expect(line.openChanges == 0)
    }
}
