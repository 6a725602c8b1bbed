import ReactCore
import ReactScheduling
import TestSupport
import Testing

/// Remembers what it was told, on itself.
private actor Diary {
    private(set) var entries: [Int] = []

    func add(_ entry: Int) {
        assertIsolated()
        entries.append(entry)
    }
    /// What it has when `count` entries are there.
    func entries(_ count: Int) async -> [Int] {
        while entries.count < count { await Task.yield() }
        return entries
    }
    /// Sets a node from here, and answers what has been heard by then.
    func set(_ node: MutableNode<Int>, to value: Int) -> [Int] {
        node.value = value
        return entries
    }
    func listen(to node: MutableNode<Int>, _ lifetime: Lifetime) -> [Int] {
        node.listened(by: lifetime).with(on: self) { diary, value in diary.add(value) }
        return entries
    }
}

@Suite("Listening on an actor")
struct ListenOnActorTests {
    let node = MutableNode<Int>(), lifetime = Lifetime()

    @Test("values from elsewhere are heard on the actor, in order, the present one included")
    func fromElsewhere() async {
        let diary = Diary()
        node.value = 1
        node.listened(by: lifetime).with(on: diary) { diary, value in diary.add(value) }
        for value in 2...100 { node.value = value }
        #expect(await diary.entries(100) == Array(1...100))
    }

    @Test(
        "a value that is set on the actor is heard at once, and so is the present one of a listening begun there",
        .enabled(if: Platform.startsTasksAtOnce))
    func atOnce() async {
        let diary = Diary()
        node.value = 1
        #expect(await diary.listen(to: node, lifetime) == [1])
        #expect(await diary.set(node, to: 2) == [1, 2])
    }

    @Test(
        "waiting values are heard just before a value that is set on the actor, and not again",
        .enabled(if: Platform.startsTasksAtOnce))
    func afterWhatWaits() {
        let actor = HandActor(), heard = Recorder<Int>()
        node.listened(by: lifetime).with(on: actor) { _, value in heard.record(value) }
        for value in 1...3 { node.value = value }
        #expect(heard.events == [])
        actor.executor.perform { node.value = 4 }
        #expect(heard.events == [1, 2, 3, 4])
        actor.executor.run()
        #expect(heard.events == [1, 2, 3, 4])
    }

    @Test("the main actor hears at once a value that is set there", .enabled(if: Platform.startsTasksAtOnce))
    @MainActor func mainActor() {
        let heard = Recorder<Int>()
        node.listened(by: lifetime).with(on: MainActor.shared) { _, value in
            MainActor.assertIsolated()
            heard.record(value)
        }
        node.value = 1
        #expect(heard.take() == [1])
    }

    @Test("the closure uses state that is isolated to the actor")
    @MainActor func captures() {
        @MainActor final class Model { var shown = 0 }
        let model = Model()
        node.listened(by: lifetime).withOnMainActor { model.shown = $0 }
        node.value = 1
        #expect(model.shown == 1)
    }

    @Test("a body that sets the node hears the new value after it has returned")
    func reentrant() async {
        let diary = Diary()
        node.listened(by: lifetime).with(on: diary) { [node] diary, value in
            if value < 3 { node.value = value + 1 }
            diary.add(value)
        }
        node.value = 1
        #expect(await diary.entries(3) == [1, 2, 3])
    }

    @Test("the actor is not held, and when it has gone nothing is heard")
    func notHeld() async {
        weak var gone: Diary?
        let heard = Recorder<Int>()
        do {
            let diary = Diary()
            gone = diary
            node.listened(by: lifetime).with(on: diary) { _, value in heard.record(value) }
            node.value = 1
            #expect(await eventuallyAsync { heard.count == 1 })
        }
        #expect(await eventuallyAsync { gone == nil })
        node.value = 2
        for _ in 0..<100 { await Task.yield() }
        #expect(heard.events == [1])
    }

    @Test("a value that is set when the actor has gone is not kept")
    func actorHasGone() {
        let node = MutableNode<Payload>()
        do {
            let actor = HandActor()
            node.listened(by: lifetime).with(on: actor) { _, _ in }
        }
        weak var gone: Payload?
        do {
            let payload = Payload()
            gone = payload
            node.value = payload
        }
        node.clean()
        #expect(gone == nil)
        #expect(node.hasListener)
    }

    @Test(
        "values that wait when the listening is cancelled, or its listener is released, are not heard",
        arguments: [false, true])
    func ended(byCancelling isCancelled: Bool) {
        let actor = HandActor(), heard = Recorder<Int>()
        var lifetime: Lifetime? = Lifetime()
        let listening = node.listened(by: lifetime!).with(on: actor) { _, value in heard.record(value) }
        node.value = 1
        if isCancelled { listening.cancel() } else { lifetime = nil }
        actor.executor.run()
        #expect(heard.events == [])
        withExtendedLifetime(lifetime) {}
    }

    @Test("a method of the main actor is called there, without holding its object")
    @MainActor func calledOnMainActor() {
        @MainActor final class Screen: Listener {
            let lifetime = Lifetime()
            var shown: [Int] = []
            var refreshes = 0
            func show(_ value: Int) { shown.append(value) }
            func refresh() { refreshes += 1 }
        }
        var screen: Screen? = Screen()
        weak let gone = screen
        screen!.listen(to: node).call(Screen.show)
        screen!.listen(to: node).call(Screen.refresh)
        node.value = 1
        node.value = 2
        #expect(screen!.shown == [1, 2])
        #expect(screen!.refreshes == 2)
        screen = nil
        #expect(gone == nil)
        #expect(!node.hasListener)
    }
}
