import ReactCore
import ReactOperators
import TestSupport
import Testing

@MainActor private final class Model: Listener {
    let lifetime = Lifetime()
    var heard: [String] = []
    func hear(_ value: Int) {
        MainActor.preconditionIsolated()
        heard.append("\(value)")
    }
    func refresh() {
        MainActor.preconditionIsolated()
        heard.append("!")
    }
    func hearBoth(_ value: Int, _ context: NodeContext?) {
        MainActor.preconditionIsolated()
        heard.append("\(value) \(context ?? "-")")
    }
}

private final class Anywhere: Listener, Sendable {
    let lifetime = Lifetime()
    let threads = Recorder<String>()
    func hear(_ value: Int) { threads.record("\(value)") }
    @MainActor func hearOnMain(_ value: Int) {
        MainActor.preconditionIsolated()
        threads.record("main \(value)")
    }
}

/// A class of the main actor that is no `Listener`.
@MainActor private final class Plain {
    var heard: [Int] = []
    func hear(_ value: Int) { heard.append(value) }
}

@Suite("Listening on the main actor")
@MainActor struct MainActorTests {
    @Test("`call` of a main-actor method runs it on the main actor, in order, whichever thread sets the node")
    func fromAnotherThread() async {
        let node = MutableNode(0), model = Model()
        model.listen(to: node).call(Model.hear)
        let setter = Worker { for value in 1...200 { node.value = value } }
        while model.heard.count < 201 { await Task.yield() }
        setter.join()
        #expect(model.heard == (0...200).map { "\($0)" })
    }

    @Test("a value set on the main actor is heard at once, and waiting values just before it")
    func atOnce() {
        let node = MutableNode(0), model = Model()
        model.listen(to: node).call(Model.hear)
        #expect(model.heard == ["0"])
        node.value = 1
        #expect(model.heard == ["0", "1"])
        Worker { node.value = 2 }.join()
        #expect(model.heard == ["0", "1"])
        node.value = 3
        #expect(model.heard == ["0", "1", "2", "3"])
    }

    @Test("a main-actor method is called with the value, with the value and the context, or with nothing")
    func forms() {
        let node = MutableNode(1), model = Model()
        model.listen(to: node).call(Model.hear)
        model.listen(to: node).call(Model.hearBoth)
        model.listen(to: node).call(Model.refresh)
        node.setValue(2, context: "typed")
        #expect(model.heard == ["1", "1 -", "!", "2", "2 typed", "!"])
    }

    @Test("the compiler takes the main actor's call for a main-actor method alone, wherever it is written")
    func ranking() {
        let node = MutableNode(0), listener = Anywhere()
        nonisolated func attach() {
            listener.listen(to: node).call(Anywhere.hear)
            listener.listen(to: node).call(Anywhere.hearOnMain)
        }
        attach()
        Worker { node.value = 1 }.join()
        #expect(listener.threads.events == ["0", "main 0", "1"])
        node.value = 2
        #expect(listener.threads.events == ["0", "main 0", "1", "2", "main 1", "main 2"])
    }

    @Test("a value that the method sets itself is heard after the method")
    func reentrancy() {
        let node = MutableNode(1), lifetime = Lifetime()
        let heard = Recorder<String>()
        node.listened(by: lifetime).withOnMainActor { value in
            heard.record("in \(value)")
            if value < 3 { node.value = value + 1 }
            heard.record("out \(value)")
        }
        #expect(heard.events == ["in 1", "out 1", "in 2", "out 2", "in 3", "out 3"])
    }

    @Test("values that still wait when the listening is cancelled, or the listener is released, are not heard")
    func cancelledWhileWaiting() async {
        let node = MutableNode(0), lifetime = Lifetime()
        let heard = Recorder<Int>()
        let listening = node.listened(by: lifetime).withOnMainActor { heard.record($0) }
        var model: Model? = Model()
        model?.listen(to: node).call(Model.hear)
        weak let weakModel = model
        var plain: Plain? = Plain()
        node.listened(by: plain!).call(Plain.hear)
        weak let weakPlain = plain
        Worker { node.value = 1 }.join()
        listening.cancel()
        model = nil
        plain = nil
        #expect(weakModel == nil)
        #expect(eventually { weakPlain == nil })
        for _ in 0..<100 { await Task.yield() }
        node.value = 2
        #expect(heard.events == [0])
    }

    @Test("values that wait for the main actor are not heard once the edge has been given another node")
    func repointedWhileWaiting() throws {
        let old = MutableNode(0), new = MutableNode(10), lifetime = Lifetime()
        let heard = Recorder<Int>()
        old.listened(by: lifetime).withOnMainActor { heard.record($0) }
        Worker { old.value = 1 }.join()
        let edge = try #require(old.listenEdges.first as? ListenEdge<Int>)
        edge.from = new
        new.value = 11
        #expect(heard.events == [0, 10, 11])
    }

    @Test("a class of the main actor that is no Listener hears its node, and is not held")
    func plainListener() {
        let node = MutableNode(1)
        var plain: Plain? = Plain()
        node.listened(by: plain!).call(Plain.hear)
        node.value = 2
        #expect(plain?.heard == [1, 2])
        weak let gone = plain
        plain = nil
        #expect(eventually { gone == nil })
        #expect(!node.hasListener)
    }
}
