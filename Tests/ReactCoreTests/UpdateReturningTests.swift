import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Updates that return") struct UpdateReturningTests {
    @Test("an update returns the result of its closure, and everything derived is current by then")
    func returns() async {
        let listener = Lifetime()
        let node = MutableNode([1]), counts = node.map { $0.count }
        let heard = counts.heard(by: listener)
        let popped = await node.withUpdate { $0.removeLast() }
        #expect(popped == 1)
        #expect(counts.value == 0)
        #expect(heard.events == [1, 0])
    }

    @Test("an update of an empty node returns nil, and its closure does not run")
    func onEmpty() async {
        let node = MutableNode<Int>()
        let result: Void? = await node.withUpdate { _ in Issue.record("called for an empty node") }
        #expect(result == nil)
        #expect(node.isEmpty)
    }

    @Test("an update carries its context")
    func withContext() async {
        let listener = Lifetime(), node = MutableNode(1), contexts = Recorder<String?>()
        node.listened(by: listener).withContext { contexts.record($1 as? String) }
        let result: Void? = await node.withUpdate(context: "typed") { $0 += 1 }
        #expect(result != nil)
        #expect(contexts.events == [nil, "typed"])
    }

    @Test("an update by a task that a listener begins waits its turn, and returns when its value is stored")
    func queued() async throws {
        let listener = Lifetime(), node = MutableNode(0)
        let heard = Recorder<Int>(), task = Locked<Task<(Int?, Int?), Never>?>(nil)
        node.listened(by: listener).with { value in
            heard.record(value)
            guard value == 1 else { return }
            task.value = Task.immediate {
                let old = await node.withUpdate { value in
                    defer { value += 10 }
                    return value
                }
                return (old, node.value)
            }
            node.value = 100
            if node.value != 1 { Issue.record("changed before its turn") }
        }
        node.value = 1
        #expect(heard.events == [0, 1, 11, 100])
        let (old, after) = try await #require(task.value).value
        #expect(old == 1)
        #expect(after == 11 || after == 100)
    }

    @Test("an update that waits behind a clean returns nil")
    func behindClean() async throws {
        let listener = Lifetime(), node = MutableNode(0), task = Locked<Task<Int?, Never>?>(nil)
        node.listened(by: listener).with { value in
            guard value == 1 else { return }
            node.clean()
            task.value = Task.immediate { await node.withUpdate { $0 } }
        }
        node.value = 1
        let result = try await #require(task.value).value
        #expect(result == nil)
    }

    @Test("updates from many tasks are each one step: every result is there once")
    func oneStep() async {
        let node = MutableNode(0), count = Scale.scaled(2_000)
        let results = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var results: [Int] = []
                    for _ in 0..<count {
                        results.append(
                            await node.withUpdate { value in
                                value += 1
                                return value
                            } ?? 0)
                    }
                    return results
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(results.sorted() == Array(1...(4 * count)))
        #expect(node.value == 4 * count)
    }

    @Test("tryUpdate changes nothing while the node is empty, delivers, or another thread keeps its graph busy")
    func tryUpdate() {
        let node = MutableNode<Int>(), double = node.map { $0 * 2 }, listener = Lifetime()
        #expect(node.tryUpdate { $0 += 1 } == nil)
        node.value = 1
        let result = node.tryUpdate(context: "c") { value in
            value += 1
            return "\(value)"
        }
        #expect(result == "2" && double.current == 4)
        let (isInside, mayEnd) = (Latch(), Latch()), inside = Locked<Int?>(0)
        node.listened(by: listener).with { [unowned node] value in
            guard value == 5 else { return }
            inside.value = node.tryUpdate { _ in 1 }
            isInside.arrive()
            mayEnd.wait()
        }
        let worker = Worker { node.value = 5 }
        isInside.wait()
        #expect(node.tryUpdate { _ in 1 } == nil)
        mayEnd.arrive()
        worker.join()
        #expect(inside.value == nil && node.current == 5)
        #expect(node.tryUpdate { $0 -= 5 } != nil && node.current == 0)
    }

    @Test("an update waits for a busy graph without a thread")
    func whileBusy() async {
        let node = MutableNode(1), listener = Lifetime(), (isInside, mayEnd) = (Latch(), Latch())
        node.listened(by: listener).with { value in
            guard value == 5 else { return }
            isInside.arrive()
            mayEnd.wait()
        }
        let worker = Worker { node.value = 5 }
        isInside.wait()
        let task = Task.immediate {
            await node.withUpdate { value in
                value += 1; return value
            }
        }
        #expect(node.current == 5)
        mayEnd.arrive()
        #expect(await task.value == 6)
        worker.join()
    }

    @Test("the caller goes on on its actor")
    @MainActor func onTheCallersActor() async {
        let node = MutableNode(1)
        var results: [Int] = []
        results.append(await node.withUpdate { $0 } ?? 0)
        MainActor.assertIsolated()
        #expect(results == [1])
    }
}
