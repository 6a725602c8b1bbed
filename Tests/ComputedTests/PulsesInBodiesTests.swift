import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Pulses that a body reads") struct PulsesInBodiesTests {
    let calls = Recorder<String>()
    let lifetime = Lifetime()

    @Test("an effect reads a pulse in the set that brings it, and finds nothing there afterwards")
    func overInEffects() {
        let (save, text) = (MutableNode<String>(), MutableNode("a"))
        let calls = calls
        lifetime.effect { read in
            let text = try read(text)
            calls.record("\(read.ifAny(save) ?? "–") \(text)")
        }
        save.pulse("save")
        text.value = "b"
        #expect(calls.take() == ["– a", "save a", "– b"])
    }

    @Test("a pulse that came through stateless operators is read only while it lasts; values that were set stay")
    func throughOperators() {
        let (save, text) = (MutableNode<String>(), MutableNode("a"))
        let calls = calls
        let loud = save.map { $0.uppercased() }
        let said = computed { read in "\(read.ifAny(loud) ?? "–") \(try read(text))" }
        said.listened(by: lifetime).with { calls.record($0) }
        save.pulse("save")
        text.value = "b"
        save.value = "set"
        text.value = "c"
        #expect(calls.take() == ["– a", "SAVE a", "– b", "SET b", "SET c"])
    }

    @Test("two calls in the set that brings a pulse: a call that is given up leaves it to the one that follows")
    func givenUp() {
        let (save, on, a) = (MutableNode<String>(), MutableNode(false), MutableNode(1))
        let calls = calls
        let above = (0..<3).reduce(a as Node<Int>) { node, _ in computed { read in try read(node) + 1 } }
        lifetime.effect { read in calls.record("first \(try read(a))") }
        let said = computed { read in
            let event = read.ifAny(save)
            guard try read(on) else { return "off" }
            return "\(event ?? "–") \(try read(above))"
        }
        said.listened(by: lifetime).with { calls.record($0) }
        _ = calls.take()
        batch {
            a.value = 2
            on.value = true
            save.pulse("save")
        }
        a.value = 3
        #expect(calls.take() == ["save 5", "first 2", "– 6", "first 3"])
    }

    @Test("a body that is made in the middle of a pulse reads it, and finds nothing there afterwards")
    func madeInMidPulse() {
        let (save, text, go) = (MutableNode<String>(), MutableNode("a"), MutableNode(0))
        let calls = calls
        save.listened(by: lifetime).with { [unowned lifetime] _ in
            lifetime.effect { read in
                let text = try read(text)
                calls.record("\(read.ifAny(save) ?? "–") \(text)")
            }
        }
        lifetime.effect { read in
            if try read(go) == 1 { save.pulse("save") }
        }
        go.value = 1
        text.value = "b"
        #expect(calls.take() == ["save a", "– b"])
    }

    @Test("a pulse's value is released with the call that read it")
    func isLetGoOf() throws {
        try withLifetimeTracking { tracker in
            let save = MutableNode<Tracked>()
            let calls = calls
            lifetime.effect { read in calls.record(read.ifAny(save) == nil ? "–" : "save") }
            save.pulse(tracker.track("pulse"))
            #expect(tracker.live == [])
            #expect(calls.take() == ["–", "save"])
        }
    }
}
