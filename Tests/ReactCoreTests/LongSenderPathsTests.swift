import TestSupport
import Testing

@testable import ReactCore

/// Paths of more senders than a search walks one by one.
@Suite("Long paths of senders") struct LongSenderPathsTests {
    private let nodes = (0..<200).map { MutableNode($0) }

    /// The paths of a value that passes the nodes `range` in order, behind `path`.
    private func paths(_ range: Range<Int>, behind path: SenderPath? = nil) -> [SenderPath] {
        var paths: [SenderPath] = []
        for place in range { paths.append(SenderPath(nodes[place].vertex, after: paths.last ?? path)) }
        return paths
    }
    /// The places of the nodes that the path has.
    private func places(in path: SenderPath) -> [Int] { nodes.indices.filter { path.contains(nodes[$0].vertex) } }

    @Test("each path has the nodes up to its own, however far the value has come since")
    func oneWay() {
        let paths = paths(0..<200)
        for place in [0, 30, 31, 32, 63, 64, 100, 199] {
            #expect(places(in: paths[place]) == Array(0...place))
        }
    }
    @Test("ways that part have their own nodes, and those before", arguments: [20, 31, 32, 50, 99])
    func parting(place: Int) {
        let trunk = paths(0..<100)
        let (first, second) = (paths(100..<150, behind: trunk[place]), paths(150..<200, behind: trunk[place]))
        #expect(places(in: first[49]) == Array(0...place) + Array(100..<150))
        #expect(places(in: second[49]) == Array(0...place) + Array(150..<200))
        #expect(places(in: trunk[99]) == Array(0..<100))
        #expect(places(in: first[0]) == Array(0...place) + [100])
    }
    @Test("a way that comes of two has the nodes of both, and its own after that")
    func meeting() {
        let (first, second) = (paths(0..<70), paths(70..<110))
        let both = SenderPath(nil, after: first[69], and: second[39])
        #expect(places(in: both) == Array(0..<110))
        let further = paths(110..<200, behind: both)
        for place in [0, 20, 40, 89] { #expect(places(in: further[place]) == Array(0...(110 + place))) }
    }
    @Test("a path that has gone leaves nothing to a longer one in its place")
    func gone() {
        let trunk = paths(0..<50)
        for place in 50..<60 { #expect(places(in: paths(place..<(place + 5), behind: trunk[49])[4]).count == 55) }
        #expect(places(in: trunk[49]) == Array(0..<50))
    }
}
