import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

@Suite("Room on the stack")
struct StackRoomTests {
    @Test("a set that needs a large stack gives it back at its end, and one that needs less keeps its stack")
    func givesBack() {
        Worker {
            let lifetime = Lifetime(), meanwhile = Locked(0)
            let (top, end) = longChain(Engine.mostKept), (smaller, smallerEnd) = longChain(Engine.mostKept - 100)
            end.listened(by: lifetime).with { _ in meanwhile.value = roomOnStack }
            top.value = 1
            #expect(meanwhile.value == 2 * Engine.mostKept)
            #expect(roomOnStack == Engine.firstCapacity)
            for value in 1...3 {
                smaller.value = value
                #expect(smallerEnd.value == value + Engine.mostKept - 100)
                #expect(roomOnStack == Engine.mostKept)
            }
            top.value = 2
            #expect(end.value == 2 + Engine.mostKept)
            #expect(roomOnStack == Engine.firstCapacity)
        }.join()
    }

    @Test("a batch of sets that need a large stack keeps it until the batch ends")
    func batches() {
        Worker {
            let (top, end) = longChain(Engine.mostKept)
            batch {
                for value in 1...3 {
                    top.value = value
                    #expect(roomOnStack == 2 * Engine.mostKept)
                }
            }
            #expect(end.value == 3 + Engine.mostKept)
            #expect(roomOnStack == Engine.firstCapacity)
        }.join()
    }
}

private func longChain(_ length: Int) -> (top: MutableNode<Int>, end: Node<Int>) {
    let top = MutableNode<Int>()
    return (top, (0..<length).reduce(top as Node<Int>) { end, _ in end.map { $0 + 1 } })
}
/// For so many frames there is room on this thread's stack.
private var roomOnStack: Int {
    let engine = Engine.current
    return engine.limit - engine.frames
}
