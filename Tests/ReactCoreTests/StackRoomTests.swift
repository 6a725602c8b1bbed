import ReactOperators
import TestSupport
import Testing

@testable import ReactCore

@Suite("Room on the stack")
struct StackRoomTests {
    @Test("a thread keeps a large stack while its sets need it, and gives it back after 256 in a row that do not")
    func keeps() {
        Worker {
            let (top, end) = longChain(20_000)
            let flat = MutableNode(0)
            var rooms: [Int] = []
            for value in 1...3 {
                top.value = value
                #expect(end.value == value + 20_000)
                rooms.append(roomOnStack)
            }
            #expect(rooms.allSatisfy { $0 > 20_000 && $0 == rooms[0] })
            for value in 1...255 { flat.value = value }
            #expect(roomOnStack == rooms[0])
            top.value = 4
            for value in 1...255 { flat.value = value }
            #expect(roomOnStack == rooms[0])
            flat.value = 256
            #expect(roomOnStack == Engine.firstCapacity)
        }.join()
    }

    @Test("a set that needs a quarter of it keeps it, one that needs less does not")
    func quarter() {
        Worker {
            let (top, end) = longChain(20_000), flat = MutableNode(0)
            // The smallest stack that counts as large.
            let size = 32_768
            let quarters = [size / 4, size / 4 - 10].map { (length: $0, chain: longChain($0)) }
            top.value = 1
            #expect(end.value == 20_001)
            #expect(roomOnStack == size)
            for (length, chain) in quarters {
                for value in 1...255 { flat.value = value }
                chain.top.value = 1
                #expect(chain.end.value == 1 + length)
                #expect(roomOnStack == (length == size / 4 ? size : Engine.firstCapacity))
            }
        }.join()
    }

    @Test("a thread that has ended keeps no large stack")
    func ends() async {
        await #expect(processExitsWith: .success) {
            let deep = Locked<UInt>(0), isSmall = Locked<Bool?>(nil)
            Worker {
                let (top, end) = longChain(20_000)
                top.value = 1
                precondition(end.value == 20_001 && roomOnStack > 20_000)
                deep.value = ownAddress
            }.join()
            // The next thread takes over what the one has left, once that has really ended. The threads that come too
            // early stay, because the next would otherwise take over from the last of these.
            let isOver = Latch()
            let isFound = eventually {
                let hasLooked = Latch()
                Worker {
                    if ownAddress == deep.value { isSmall.value = roomOnStack < 20_000 }
                    hasLooked.arrive()
                    isOver.wait()
                }
                hasLooked.wait()
                return isSmall.value != nil
            }
            isOver.arrive()
            precondition(isFound && isSmall.value == true)
        }
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
private var ownAddress: UInt { UInt(bitPattern: Engine.currentUnretained.toOpaque()) }
