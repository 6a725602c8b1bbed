import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

/// What one thread writes with every value shares no cache line with what another writes.
@Suite("Cache lines of their own") struct OwnLinesTests {
    @Test("places of any size begin and end with a line", arguments: [1, 7, 8, 64, 1_000])
    func places(capacity: Int) {
        let places = (0..<20).map { _ in UnsafeMutablePointer<(Int, Int)>.allocateOwnLines(capacity: capacity) }
        let lines = places.map { place in
            let first = UInt(bitPattern: place), end = UInt(bitPattern: place + capacity)
            return Set(first / 128...(end - 1) / 128)
        }
        #expect(Set(lines.joined()).count == lines.map(\.count).reduce(0, +))
        #expect(places.allSatisfy { UInt(bitPattern: $0) % 128 == 0 })
        for place in places { place.deallocate() }
    }
    @Test("a place that is moved keeps what is in it")
    func moved() {
        let place = UnsafeMutablePointer<String>.allocateOwnLines(capacity: 2)
        (place + 0).initialize(to: "first, and long enough for the heap")
        (place + 1).initialize(to: "second")
        let larger = place.moved(2, toOwnLinesFor: 4)
        #expect(larger[0] == "first, and long enough for the heap" && larger[1] == "second")
        #expect(UInt(bitPattern: larger) % 128 == 0)
        larger.deinitialize(count: 2)
        larger.deallocate()
    }

    @Test("the next thread is left nothing that lies among what the one before it has made")
    func spares() async {
        await #expect(processExitsWith: .success) {
            let former = Locked<UInt>(0), isLeftNothing = Locked<Bool?>(nil)
            Worker {
                let node = MutableNode(0), listener = Lifetime()
                // The library knows the thread from now on.
                node.value = 1
                node.listened(by: listener).with { _ in }
                node.setValue(2, context: "context")
                precondition(Propagation.current.spareStore != nil, "store")
                precondition(Propagation.current.spareBox != nil, "box")
                former.value = ownAddress
            }.join()
            // A next thread takes over what the one has left, once that has really ended: one of several, which are there at once.
            let isOver = eventually {
                let all = Latch(4)
                concurrently(4) { _ in
                    let own = ownAddress
                    all.arriveAndWait()
                    guard own == former.value else { return }
                    isLeftNothing.value =
                        Propagation.current.spareStore == nil && Propagation.current.spareBox == nil
                }
                return isLeftNothing.value != nil
            }
            precondition(isOver && isLeftNothing.value == true)
        }
    }
}

private var ownAddress: UInt { UInt(bitPattern: Propagation.currentUnretained.toOpaque()) }
