import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Handles") struct HandlesTests {
    @Test("a node may be asked for in the very moment in which another thread lets it go")
    func askedForWhileGoing() {
        let source = MutableNode(0)
        let done = Locked(false)
        concurrently(2) { thread in
            if thread == 0 {
                for _ in 0..<Scale.scaled(50_000) { _ = source.map { $0 } }
                done.value = true
            } else {
                while !done.value { _ = source.downstreamNodes }
            }
        }
        waitForLate(at: source)
        #expect(source.downstreamNodes == [])
    }

    @Test("an object is handed out while it lives, and not once its deinit has begun")
    func whileAlive() {
        let seen = Locked<Bool?>(nil)
        do {
            let witness = Witness(seen)
            #expect(Unmanaged.passUnretained(witness).whileAlive === witness)
        }
        #expect(seen.value == false)
    }
}

/// Notes whether it can still be had when it goes.
private final class Witness {
    private let seen: Locked<Bool?>

    init(_ seen: Locked<Bool?>) { self.seen = seen }
    deinit { seen.value = Unmanaged.passUnretained(self).whileAlive != nil }
}
