import ReactCore
import ReactOperators
import Testing

@testable import ReactGraph

@Suite("Places in the program")
struct PlacesTests {
    @Test("a node that an initializer makes has its place there, in a class and in a struct") func placeInInitializer()
        throws
    {
        final class Class {
            let node: Node<Int>
            init(_ source: Node<Int>) { node = source.map { $0 + 1 } }
        }
        struct Struct {
            let node: Node<Int>
            init(_ source: Node<Int>) { node = source.map { $0 + 1 } }
        }
        let line = #line - 2
        let recorder = GraphRecorder(onThisThreadOnly: true), source = MutableNode(1)
        let start = recorder.mark("start")
        let object = Class(source), value = Struct(source)
        let places = recorder.liveObjects(since: start).filter { $0.kind == .node }.compactMap(\.place)
        #if os(Linux)
        #expect(places == ["PlacesTests.swift:\(line - 4)", "PlacesTests.swift:\(line)"])
        #endif
        withExtendedLifetime((object, value)) {}
    }
}
