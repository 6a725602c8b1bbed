import ReactCore
import ReactOperators
import TestSupport
import Testing

/// The three kinds of listeners: a `Lifetime`, a conformer of `Listener`, and any other object.
enum ListenerKind: CaseIterable {
    case lifetime, conformer, object

    func make() -> any AnyObject & Sendable {
        switch self {
        case .lifetime: Lifetime()
        case .conformer: Screen()
        case .object: Plain()
        }
    }
    private final class Screen: Listener, Sendable { let lifetime = Lifetime() }
    private final class Plain: Sendable {}
}

@Suite("Listeners of any kind", .serialized) struct MortalListenersTests {
    @Test("listeners of every kind may go on two threads while two others deliver to them, and leave nothing over")
    func listenersGo() throws {
        let sets = Scale.heavy(50_000)
        let count = Scale.heavy(10_000)
        let seed = SeededGenerator.announced().seed
        try withLifetimeTracking { tracker in
            let node = MutableNode(0)
            let stays = Lifetime()
            let heard = Locked(0)
            node.listened(by: stays).with { _ in heard.increment() }
            concurrently(4) { thread in
                if thread < 2 {
                    for turn in 0..<sets { node.value = turn }
                    return
                }
                var random = SeededGenerator(seed: seed &+ UInt64(thread))
                var alive: [AnyObject] = []
                for turn in 0..<count {
                    let listener = ListenerKind.allCases[turn % 3].make()
                    let payload = tracker.track("captured \(turn)")
                    let mapped = node.map { value in withExtendedLifetime(payload) { value } }
                    mapped.listened(by: listener).with { _ in withExtendedLifetime(payload) {} }
                    node.listened(by: listener).with { _ in withExtendedLifetime(payload) {} }
                    alive.append(listener)
                    if alive.count > 8 { alive.remove(at: Int.random(in: 0..<8, using: &random)) }
                }
            }
            #expect(heard.value == 2 * sets + 1)
            // What plain objects held follows, at the latest, when somebody listens.
            // More than once only if another test's listening came first, and is still at it.
            let isLetGo = eventually {
                node.listened(by: stays).with { _ in }.cancel()
                return node.listenEdges.count == 1 && node.downstreamTransforms == []
            }
            #expect(isLetGo)
        }
    }

    @Test(
        "a listener that is released on another thread in mid-delivery is not called any more",
        arguments: ListenerKind.allCases)
    func goesInMidDelivery(kind: ListenerKind) {
        let stays = Lifetime()
        let node = MutableNode<Int>()
        let entered = Latch()
        let release = Latch()
        node.listened(by: stays).with { _ in
            entered.arrive()
            release.wait()
        }
        let heard = Recorder<Int>()
        let dying = Locked<AnyObject?>(kind.make())
        if let listener = dying.value {
            node.listened(by: listener).with { heard.record($0) }
            node.map { $0 }.listened(by: listener).with { heard.record($0) }
        }
        let worker = Worker { node.value = 1 }
        entered.wait()
        weak let gone = dying.value
        dying.value = nil
        #expect(eventually { gone == nil })
        release.arrive()
        worker.join()
        #expect(heard.events == [])
    }

    @Test("a listening may be cancelled, and its listener gone, while another thread asks whether it is there")
    func cancelledWhileAsked() {
        let node = MutableNode(0)
        let done = Locked(false)
        concurrently(2) { thread in
            if thread == 0 {
                while !done.value { node.update { $0 += 1 } }
            } else {
                for _ in 0..<Scale.scaled(50_000) {
                    node.listened(by: ListenerKind.object.make()).with { _ in }
                    let plain = ListenerKind.object.make()
                    node.listened(by: plain).with { _ in }.cancel()
                    withExtendedLifetime(plain) {}
                }
                done.value = true
            }
        }
        #expect(eventually { !node.hasListener })
    }

    @Test("an edge may be cancelled by two threads while a third releases it, and leaves nothing over")
    func cancelledWhileGoing() throws {
        final class Holder: ListenEdge<Int>, @unchecked Sendable {
            let payload: Tracked
            init(_ payload: Tracked) { self.payload = payload }
        }
        struct Known { weak var edge: Holder? }
        let count = Scale.scaled(20_000)
        try withLifetimeTracking { tracker in
            let node = MutableNode(0)
            var cancelables: [any Cancelable] = []
            var ends: [Locked<AnyObject?>] = []
            var known: [Known] = []
            for index in 0..<count {
                let payload = tracker.track("\(index)"), lifetime = Lifetime()
                var end: AnyObject = lifetime
                switch index % 4 {
                case 0:
                    cancelables.append(node.listened(by: lifetime).with { _ in withExtendedLifetime(payload) {} })
                case 1:
                    let target = Node<Int>()
                    cancelables.append(target.link(to: node))
                    end = target
                default:
                    // One that somebody knows weakly; and one that is linked no more, and so found in another way.
                    let edge = Holder(payload)
                    cancelables.append(node.listened(by: lifetime).with(edge: edge))
                    if index % 4 == 2 { known.append(Known(edge: edge)) } else { edge.from = nil }
                }
                ends.append(Locked(end))
            }
            let (all, going) = (cancelables, ends)
            concurrently(3) { thread in
                for index in 0..<count {
                    if thread == 0 { going[index].value = nil } else { all[index].cancel() }
                }
            }
            #expect(tracker.live == [])
            #expect(known.allSatisfy { $0.edge == nil })
            #expect(node.listenEdges.isEmpty && node.downstreamTransforms.isEmpty)
            for cancelable in cancelables { cancelable.cancel() }
        }
    }
}
