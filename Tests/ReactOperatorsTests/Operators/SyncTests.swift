import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Nodes kept the same")
struct SyncTests {
    @Test("a node that is synced with an empty one gives that its value")
    func syncWithEmpty() {
        let a = MutableNode(1)
        let b = MutableNode<Int>()
        let sync = a.sync(with: b)
        defer { sync.cancel() }
        #expect(b.value == 1)
        #expect(a.value == 1)
    }

    @Test("functions that are not inverse: a value goes round once")
    func notInverse() {
        let a = MutableNode<Int>()
        let b = MutableNode<Int>()
        let sync = a.sync(with: b, transform: { $0 + 1 }, revert: { $0 + 1 })
        defer { sync.cancel() }
        let heard = [a.recorded(), b.recorded()]
        a.value = 1
        b.value = 10
        #expect(heard[0].events == [1, 11])
        #expect(heard[1].events == [2, 10])
    }

    @Test("a ring of three syncs comes to rest")
    func ringOfSyncs() {
        let nodes = (0..<3).map { MutableNode($0) }
        let syncs = (0..<3).map { nodes[$0].sync(with: nodes[($0 + 1) % 3]) }
        defer { for sync in syncs { sync.cancel() } }
        for (index, node) in nodes.enumerated() {
            node.value = 100 + index
            #expect(nodes.map(\.value) == Array(repeating: 100 + index, count: 3))
        }
    }

    @Test("two that nobody cancels hold each other; two that were cancelled go")
    func lifetime() {
        for isCancelled in [false, true] {
            let a = Weak<MutableNode<Int>>()
            let b = Weak<MutableNode<Int>>()
            let cancelables = Recorder<any Cancelable>()
            func sync() {
                let first = MutableNode(1)
                let second = MutableNode(2)
                a.object = first
                b.object = second
                let sync = first.sync(with: second)
                if isCancelled { cancelables.record(sync) }
            }
            sync()
            #expect(a.object != nil && b.object != nil)
            for cancelable in cancelables.events { cancelable.cancel() }
            #expect((a.object == nil) == isCancelled)
            #expect((b.object == nil) == isCancelled)
            a.object?.removeUpstreamNodes()
        }
    }

    @Test("a node cannot be synced with itself", .enabled(if: Scale.runsTraps))
    func syncWithItself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let node = MutableNode(1)
            node.sync(with: node)
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(message.contains("Node<Int>(1) cannot be kept the same as itself; sync it with another node"))
        #expect(placeOfMisuse(in: result?.standardErrorContent) == "\(#fileID):\(#line - 6)")
    }
}
