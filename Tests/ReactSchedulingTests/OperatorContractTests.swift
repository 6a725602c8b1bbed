import ReactCore
import ReactScheduling
import Testing

@Suite("Promises that the operators share which pass values on later")
struct OperatorContractTests {
    let scheduler = VirtualScheduler()
    let lifetime = Lifetime()
    let log = Log<Int>()

    @Test("an empty source schedules nothing and gives an empty result", arguments: TimeOperator.all)
    func emptySource(operation: TimeOperator) {
        let result = operation.apply(to: MutableNode<Int>(), on: scheduler)
        #expect(scheduler.pendingCount == (operation.alwaysWaits ? 1 : 0))
        #expect(result.isEmpty)
        #expect(!result.isMutable)
    }

    @Test("the first value is taken over, and arrives by the scheduler, or at once", arguments: TimeOperator.all)
    func firstValue(operation: TimeOperator) {
        let result = operation.apply(to: Node(1), on: scheduler)
        #expect(result.isEmpty != operation.passesFirstAtOnce)
        scheduler.run()
        #expect(result.value == 1)
    }

    @Test("the transform bears the operator's name", arguments: TimeOperator.all)
    func name(operation: TimeOperator) {
        let result = operation.apply(to: Node(1), on: scheduler)
        #expect(operation.edge(to: result)?.name == operation.name)
    }

    @Test("an optional that holds nil is a value like any other", arguments: TimeOperator.all)
    func optional(operation: TimeOperator) {
        let source = MutableNode<Int?>()
        let result = operation.apply(to: source, on: scheduler)
        source.setValue(nil)
        scheduler.run()
        #expect(!result.isEmpty)
        #expect(result.value == .some(nil))
    }

    @Test("context and sender list cross the hop", arguments: TimeOperator.all)
    func contextAndSenders(operation: TimeOperator) {
        let source = MutableNode<Int>().named("source")
        let middle = Node<Int>().named("middle")
        middle.link(to: source)
        let result = operation.apply(to: middle, on: scheduler).named("result")
        let heard = Log<[String]>()
        lifetime.listen(to: result).withSenderListAndContext { value, senders, context in
            heard.add([String(value), context as? String ?? "-"] + senders.senders.map { $0.name ?? "-" })
        }
        source.setValue(1, context: "why")
        scheduler.run()
        let entry = heard.entries.first ?? []
        #expect(entry.prefix(2) == ["1", "why"])
        #expect(entry.contains("source") && entry.contains("middle"))
        #expect(heard.entries.count == 1)
    }

    @Test("a ring with the operator in it ends", arguments: TimeOperator.all)
    func ring(operation: TimeOperator) {
        let source = MutableNode<Int>()
        let result = operation.apply(to: source, on: scheduler)
        let link = source.link(to: result)
        lifetime.listen(to: source).with { [log] in log.add($0) }
        for value in 1...3 {
            source.value = value
            scheduler.run()
        }
        #expect(log.entries == [1, 2, 3])
        #expect(result.value == 3)
        #expect(scheduler.pendingCount == 0)
        link.cancel()
    }

    @Test("a listener that sets the source from inside works", arguments: TimeOperator.plain)
    func reentrancy(operation: TimeOperator) {
        let source = MutableNode(1)
        let result = operation.apply(to: source, on: scheduler)
        lifetime.listen(to: result).with { [log] value in
            log.add(value)
            if value < 5 { source.value = value + 1 }
        }
        scheduler.run()
        #expect(log.entries == [1, 2, 3, 4, 5])
    }

    @Test("a listener may set the source on a scheduler that runs everything at once", arguments: TimeOperator.plain)
    func inlineScheduler(operation: TimeOperator) {
        let source = MutableNode(1)
        let result = operation.apply(to: source, on: InlineScheduler())
        lifetime.listen(to: result).with { [log] value in
            log.add(value)
            if value < 5 { source.value = value + 1 }
        }
        #expect(log.entries == [1, 2, 3, 4, 5])
    }

    @Test("emptying the source is not passed on, and drops nothing", arguments: TimeOperator.all)
    func emptied(operation: TimeOperator) {
        let source = MutableNode(1)
        let result = operation.apply(to: source, on: scheduler)
        source.clean()
        scheduler.run()
        #expect(result.value == 1)
        source.value = 2
        scheduler.run()
        source.clean()
        scheduler.run()
        #expect(result.value == 2)
    }

    // MARK: Lifetime

    @Test(
        "a pending value keeps neither the node upstream nor the one downstream alive",
        arguments: TimeOperator.all.filter { !$0.isWork })
    func pendingKeepsNothing(operation: TimeOperator) {
        weak var upstream: Node<Payload>?
        weak var downstream: Node<Payload>?
        weak var value: Payload?
        do {
            let payload = Payload()
            let source = MutableNode(payload)
            let result = operation.apply(to: source, on: scheduler)
            (upstream, downstream, value) = (source, result, payload)
            #expect(scheduler.pendingCount == 1)
        }
        #expect(upstream == nil)
        #expect(downstream == nil)
        #expect(value == nil)
        if case .deliver = operation {} else { #expect(scheduler.pendingCount == 0, "a timer is left") }
        scheduler.run()
    }

    @Test(
        "releasing the result drops pending values, and leaves the source as it was",
        arguments: TimeOperator.all.filter { !$0.isWork })
    func releasedResult(operation: TimeOperator) {
        let source = MutableNode<Payload>()
        weak var value: Payload?
        weak var downstream: Node<Payload>?
        do {
            let result = operation.apply(to: source, on: scheduler)
            downstream = result
            let payload = Payload()
            value = payload
            source.value = payload
        }
        source.clean()
        #expect(downstream == nil)
        #expect(value == nil)
        #expect(!source.hasDownstreamNode)
        scheduler.run()
    }

    @Test("the result holds the nodes upstream of it", arguments: TimeOperator.all)
    func resultHoldsSource(operation: TimeOperator) {
        weak var upstream: Node<Int>?
        var result: Node<Int>?
        do {
            let source = MutableNode(1)
            upstream = source
            result = operation.apply(to: source, on: scheduler)
        }
        #expect(upstream != nil)
        scheduler.run()
        #expect(result?.value == 1)
        result = nil
        #expect(upstream == nil)
    }

    @Test("a value whose edge is cut first is not delivered", arguments: TimeOperator.all)
    func cut(operation: TimeOperator) {
        let source = MutableNode<Int>()
        let result = operation.apply(to: source, on: scheduler)
        source.value = 1
        source.value = 2
        let before = result.value
        operation.edge(to: result)?.cancel()
        scheduler.run()
        #expect(result.value == before)
        #expect(before == (operation.alwaysWaits ? 2 : operation.passesFirstAtOnce ? 1 : nil))
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a value whose edge is cut at the source's end is not delivered", arguments: TimeOperator.all)
    func cutDownstream(operation: TimeOperator) {
        let source = MutableNode<Int>()
        let result = operation.apply(to: source, on: scheduler)
        source.value = 1
        source.value = 2
        let before = result.value
        source.removeDownstreamNodes()
        scheduler.run()
        #expect(result.value == before)
    }

    @Test("a listener that cuts the transform keeps back the values that were to follow", arguments: TimeOperator.plain)
    func cutByListener(operation: TimeOperator) {
        let source = MutableNode<Int>()
        let result = operation.apply(to: source, on: scheduler)
        lifetime.listen(to: result).with { [log, weak result] value in
            log.add(value)
            if value == 2 { result?.removeUpstreamNodes() }
        }
        for value in 1...4 {
            source.value = value
            if operation.keepsNewest { scheduler.run() }
        }
        scheduler.run()
        #expect(log.entries == [1, 2])
    }

    @Test("a listener that lets go of the chain from inside ends it", arguments: TimeOperator.plain)
    func releasedByListener(operation: TimeOperator) {
        let source = MutableNode<Int>()
        let held = Box<Node<Int>>()
        held.value = operation.apply(to: source, on: scheduler)
        let listener = Box<Lifetime>()
        listener.value = Lifetime()
        held.value.map { result in
            _ = listener.value?.listen(to: result).with { [log] value in
                log.add(value)
                held.value = nil
                listener.value = nil
            }
        }
        for value in 1...3 {
            source.value = value
            if operation.keepsNewest { scheduler.run() }
        }
        scheduler.run()
        #expect(log.entries == [1])
        #expect(!source.hasDownstreamNode)
    }

    @Test(
        "re-pointing `from` drops the pending value; the new value waits its full time", arguments: TimeOperator.plain)
    func repoint(operation: TimeOperator) throws {
        let source = MutableNode(1)
        let result = operation.apply(to: source, on: scheduler)
        lifetime.listen(to: result).with { [log] in log.add($0) }
        scheduler.advance(by: .milliseconds(operation.name == "Deliver" ? 0 : 600))
        source.value = 2
        let transform = try #require(result.upstreamTransforms.first as? Transform<Int, Int>)
        transform.from = Node(3)
        if operation.passesFirstAtOnce { #expect(log.entries == [1, 3]) }
        if operation.name == "Deliver" || operation.passesFirstAtOnce {
            scheduler.advance(by: .seconds(operation.passesFirstAtOnce ? 1 : 0))
            #expect(log.entries == [1, 3])
        } else {
            scheduler.advance(by: .milliseconds(999))
            #expect(log.entries == [])
            scheduler.advance(by: .milliseconds(1))
            #expect(log.entries == [3])
        }
        #expect(scheduler.pendingCount == 0)
    }

    @Test("a transform that was cut and connected again works as before", arguments: TimeOperator.plain)
    func reconnect(operation: TimeOperator) throws {
        let source = MutableNode(1)
        let result = operation.apply(to: source, on: scheduler)
        let transform = try #require(result.upstreamTransforms.first as? Transform<Int, Int>)
        let before = result.value
        transform.from = nil
        scheduler.run()
        #expect(result.value == before)
        transform.from = source
        scheduler.run()
        #expect(result.value == 1)
        source.value = 2
        scheduler.run()
        #expect(result.value == 2)
    }
}
