import Observation
import ReactCore
import ReactScheduling
import ReactTesting
import TestSupport
import Testing

@MainActor private final class Model: Listener {
    let lifetime = Lifetime()
    var heard: [Int] = []
    func hear(_ value: Int) { heard.append(value) }
}
@MainActor @Observable private final class Cart {
    var count = 1
}

@Suite("Waiting for the main actor")
@MainActor struct MainActorDeliveredTests {
    @Test("a value that another thread has set has been heard by the main actor when mainActorDelivered returns")
    func delivered() async {
        let node = MutableNode(0), model = Model(), closures = Locked<[Int]>([])
        model.listen(to: node).call(Model.hear)
        node.listened(by: model).withOnMainActor { value in closures.withLock { $0.append(value) } }
        let observed = ObservedNode(node)
        Worker { for value in 1...200 { node.value = value } }.join()
        #expect(model.heard == [0])
        await mainActorDelivered()
        #expect(model.heard == Array(0...200))
        #expect(closures.value == Array(0...200))
        #expect(observed.value == 200)
    }

    @Test("a change of an observed object is in the node when mainActorDelivered returns")
    func observing() async {
        let cart = Cart(), lifetime = Lifetime()
        let count = Node.observing(in: lifetime) { cart.count }
        cart.count = 2
        #expect(count.value == 1)
        await mainActorDelivered()
        #expect(count.value == 2)
    }

    @Test("mainActorDelivered returns if nothing was sent")
    func nothing() async {
        await mainActorDelivered()
        await mainActorDelivered()
    }
}
