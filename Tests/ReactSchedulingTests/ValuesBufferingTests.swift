import ReactCore
import ReactScheduling
import TestSupport
import Testing

@Suite("Buffering of values")
struct ValuesBufferingTests {
    /// All that waits for a loop that comes late, and then what comes next.
    private func line(_ buffering: NodeBuffering, setting values: [Int]) -> [Int] {
        let node = MutableNode(0)
        let seen = Recorder<Int>()
        let executor = HandExecutor()
        let task = Task(executorPreference: executor) {
            var iterator = node.values(buffering: buffering).makeAsyncIterator()
            for value in values { node.value = value }
            while let value = await iterator.next() { seen.record(value) }
        }
        executor.run()
        task.cancel()
        executor.run()
        return seen.take()
    }

    @Test("newest keeps the newest so many, oldest the oldest, all keeps all", arguments: 1...6)
    func late(limit: Int) {
        #expect(line(.newest(limit), setting: [1, 2, 3, 4]) == Array([0, 1, 2, 3, 4].suffix(limit)))
        #expect(line(.oldest(limit), setting: [1, 2, 3, 4]) == Array([0, 1, 2, 3, 4].prefix(limit)))
        #expect(line(.all, setting: [1, 2, 3, 4]) == [0, 1, 2, 3, 4])
    }

    @Test("a loop gets the value that it waits for at once; the limit is for later values", arguments: [1, 2, 3])
    func afterTheOneAwaited(limit: Int) {
        for isBatched in [false, true] {
            let node = MutableNode<Int>()
            let loop = Loop(node.values(buffering: .oldest(limit)))
            if isBatched {
                batch { for value in 1...9 { node.value = value } }
            } else {
                for value in 1...9 { node.value = value }
            }
            #expect(loop.run() == Array(1...limit + 1))
            // There is room again.
            node.value = 10
            #expect(loop.run() == [10])
            loop.cancel()
        }
    }

    @Test("a loop gets the newest of the values after the one that resumed it", arguments: [1, 2, 3])
    func newestAfterTheOneAwaited(limit: Int) {
        let node = MutableNode<Int>()
        let loop = Loop(node.values(buffering: .newest(limit)))
        for value in 1...9 { node.value = value }
        #expect(loop.run() == [1] + Array((1...9).suffix(limit)))
        loop.cancel()
    }

    @Test("a line of all may be long, and is passed on in order")
    func long() {
        let count = Scale.scaled(100_000)
        #expect(line(.all, setting: Array(1...count)) == Array(0...count))
    }

    @Test("a limit below one ends the process with a message", .enabled(if: Scale.runsTraps))
    func noRoom() async {
        let newest = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode(1).values(buffering: .newest(0))
        }
        let oldest = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode(1).values(buffering: .oldest(-1))
        }
        for (result, limit) in [(newest, "newest(0)"), (oldest, "oldest(-1)")] {
            let message = misuse(in: result?.standardErrorContent)
            #expect(message.contains("\(limit) keeps no value"))
            #expect(message.contains("keep at least 1"))
        }
        #expect(placeOfMisuse(in: newest?.standardErrorContent) == "\(#fileID):\(#line - 11)")
    }

    @Test("an iterator counts the values that its line has dropped", arguments: 1...4)
    func droppedCount(limit: Int) async {
        let node = MutableNode(0)
        var newest = node.values(buffering: .newest(limit)).makeAsyncIterator()
        var oldest = node.values(buffering: .oldest(limit)).makeAsyncIterator()
        var all = node.values(buffering: .all).makeAsyncIterator()
        for value in 1...9 { node.value = value }
        #expect([newest.droppedCount, oldest.droppedCount, all.droppedCount] == [10 - limit, 10 - limit, 0])
        #expect(await newest.next() == 10 - limit)
        #expect(await oldest.next() == 0)
        #expect(await all.next() == 0)
        // There is room for one more value.
        node.value = 10
        #expect([newest.droppedCount, oldest.droppedCount, all.droppedCount] == [10 - limit, 10 - limit, 0])
        node.value = 11
        #expect([newest.droppedCount, oldest.droppedCount, all.droppedCount] == [11 - limit, 11 - limit, 0])
    }

    @Test("the count and the values that a loop gets make up all values, while another thread sets", arguments: [1, 2])
    func countedFromAnotherThread(limit: Int) async {
        let node = MutableNode<Int>(), count = Scale.scaled(20_000)
        let values = node.values(buffering: .newest(limit))
        var iterator = values.makeAsyncIterator()
        let setter = Worker { for value in 1...count { node.value = value } }
        var got = 0
        while let value = await iterator.next() {
            got += 1
            _ = iterator.droppedCount
            if value == count { break }
        }
        setter.join()
        #expect(got + iterator.droppedCount == count)
    }
}
