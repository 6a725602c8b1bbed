import ReactCore
import ReactOperators
import TestSupport
import Testing

/// `clean()` of a node that a body reads calls the body.
@Suite("Inputs of a body that are emptied") struct EmptiedInputsTests {
    let room = MutableNode("hall")
    let log = Recorder<String>()
    let lifetime = Lifetime()

    @Test("clean calls a body that reads the node by try read: it ends at the read, and its lifetime ends with it")
    func effectEnds() {
        let log = log
        lifetime.effect { [room] read in
            log.record("begins")
            let name = try read(room)
            log.record("enters \(name)")
            read.lifetime.hold(BlockCancelable { log.record("leaves \(name)") })
        }
        room.clean()
        #expect(log.take() == ["begins", "enters hall", "leaves hall", "begins"])
        room.value = "hall"
        #expect(log.take() == ["begins", "enters hall"])
    }

    @Test("clean leaves a computed its value, and setting the same value calls the body again")
    func computedKeepsItsValue() {
        let log = log
        let shown = computed { [room] read in
            log.record("called")
            return try read(room) + "!"
        }
        room.clean()
        #expect(shown.value == "hall!")
        room.value = "hall"
        #expect(shown.value == "hall!")
        #expect(log.take() == ["called", "called", "called"])
    }

    @Test("a body that reads by ifAny goes on without the value")
    func ifAny() {
        let log = log
        lifetime.effect { [room] read in log.record(read.ifAny(room) ?? "nowhere") }
        room.clean()
        #expect(log.take() == ["hall", "nowhere"])
    }
}
