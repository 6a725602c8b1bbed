import ReactCore
import ReactOperators
import TestSupport
import Testing

/// The same questions, asked of every operator.
@Suite("The operator contract")
struct OperatorContractTests {
    @Test("an empty source gives an empty result", arguments: OperatorUnderTest.all)
    func emptySource(of op: OperatorUnderTest) {
        let source = MutableNode<Int?>()
        let result = op.apply(source)
        let hearing = result.recorded()
        #expect(result.node.isEmpty)
        #expect(hearing.texts.isEmpty)
        #expect(source.isEmpty)
    }

    @Test("the result takes the source's value over at once", arguments: OperatorUnderTest.all)
    func firstValue(of op: OperatorUnderTest) {
        let source = MutableNode<Int?>(1)
        let result = op.apply(source)
        #expect(result.node.valueDescription == op.results[0])
        #expect(result.recorded().texts == [op.results[0]])
    }

    @Test("every value arrives once, in order, nil like any other", arguments: OperatorUnderTest.all)
    func laterValues(of op: OperatorUnderTest) {
        let source = MutableNode<Int?>()
        let result = op.apply(source)
        let hearing = result.recorded()
        for value in OperatorUnderTest.inputs { source.setValue(value) }
        #expect(hearing.texts == op.texts)
        #expect(result.node.valueDescription == op.texts.last)
    }

    @Test(
        "a set of the source by a listener of the result comes after the value that the listener heard",
        arguments: OperatorUnderTest.all
    )
    func setAgainByListener(of op: OperatorUnderTest) {
        let source = MutableNode<Int?>()
        let result = op.apply(source)
        let early = result.recorded()
        let setter = Setter(source)
        let setting = result.onValue { setter.setAgain() }
        let late = result.recorded()
        source.setValue(1)
        let expected = op.isCombined ? [op.texts[0], op.texts[2]] : op.texts
        #expect(early.texts == expected)
        #expect(late.texts == expected)
        #expect(source.value == .some(3))
        _ = setting
    }

    @Test(
        "an edge cut by a listener of the source hears no more of the value under way",
        arguments: OperatorUnderTest.all
    )
    func cutInMidDelivery(of op: OperatorUnderTest) {
        let source = MutableNode<Int?>()
        let result = op.apply(source)
        let hearing = result.recorded()
        let cutter = Lifetime()
        source.listened(by: cutter).with { [unowned source] value in
            if value == nil { source.removeDownstreamNodes() }
        }
        for value in OperatorUnderTest.inputs { source.setValue(value) }
        #expect(hearing.texts == [op.results[0]])
        #expect(!source.hasDownstreamNode)
    }

    @Test("the context travels with the value", arguments: OperatorUnderTest.all)
    func context(of op: OperatorUnderTest) {
        let source = MutableNode<Int?>()
        let result = op.apply(source)
        let hearing = result.recorded()
        for (index, value) in OperatorUnderTest.inputs.enumerated() { source.setValue(value, context: index) }
        let expected = op.results.indices.filter { op.results[$0] != nil }
        #expect(hearing.heard.map { $0.context as? Int } == expected)
    }

    @Test("the sender list leads back to the source", arguments: OperatorUnderTest.all)
    func senderList(of op: OperatorUnderTest) {
        let source = MutableNode<Int?>()
        let hearing = op.apply(source).recorded()
        for value in OperatorUnderTest.inputs { source.setValue(value) }
        #expect(hearing.heard.count == op.texts.count)
        for heard in hearing.heard {
            #expect(heard.senders.contains(source))
            #expect(heard.senders.senders.last === source)
        }
    }

    @Test("release of the result frees its edges and nothing else", arguments: OperatorUnderTest.all)
    func releaseOfResult(of op: OperatorUnderTest) {
        let source = MutableNode<Int?>(1)
        let bystander = source.fork()
        let result = Weak<AnyNode>()
        func use() {
            let applied = op.apply(source)
            result.object = applied.node
            #expect(source.downstreamTransforms.count > 1)
        }
        use()
        #expect(result.object == nil)
        #expect(source.downstreamNodes == [bystander])
        #expect(source.downstreamTransforms.count == 1)
        let heard = bystander.recorded()
        source.setValue(3)
        #expect(heard.events == [1, 3])
    }

    @Test("the result keeps all that is above it alive, and lets go of it at the end", arguments: OperatorUnderTest.all)
    func releaseOfSource(of op: OperatorUnderTest) {
        let source = Weak<MutableNode<Int?>>()
        func use() {
            let result = applyToHidden(op, source)
            let hearing = result.recorded()
            source.object?.setValue(nil)
            source.object?.setValue(3)
            #expect(hearing.texts == op.texts)
        }
        use()
        #expect(source.object == nil)
    }

    @Test(
        "re-pointed at another node, it starts over with that node and hears the old one no more",
        arguments: OperatorUnderTest.all
    )
    func repointing(of op: OperatorUnderTest) {
        let old = MutableNode<Int?>()
        let result = op.apply(old)
        old.setValue(3)
        old.setValue(1)
        let new = MutableNode<Int?>(1)
        for transform in old.downstreamTransforms { (transform as? any TakesOptionalNumbers)?.point(at: new) }
        #expect(!old.hasDownstreamNode)
        #expect(result.node.valueDescription == op.results[0])
        let hearing = result.recorded()
        old.setValue(5)
        new.setValue(nil)
        old.setValue(7)
        new.setValue(3)
        #expect(hearing.texts == op.texts)
    }

    @Test(
        "emptying the source empties the result only where that is promised, and the next value arrives",
        arguments: OperatorUnderTest.all
    )
    func clean(of op: OperatorUnderTest) {
        let source = MutableNode<Int?>(1)
        let result = op.apply(source)
        let hearing = result.recorded()
        source.clean()
        #expect(result.node.valueDescription == (op.isEmptiedWithSource ? nil : op.results[0]))
        source.setValue(nil)
        source.setValue(3)
        #expect(hearing.texts == op.texts)
    }
}

// MARK: - Helpers

/// Sets a node to `nil` and 3, once.
private final class Setter: Sendable {
    private let source: MutableNode<Int?>
    private let isDone = Lock(false)

    init(_ source: MutableNode<Int?>) { self.source = source }

    func setAgain() {
        let isFirst = isDone.withLock { done in
            defer { done = true }
            return !done
        }
        guard isFirst else { return }
        source.setValue(nil)
        source.setValue(3)
    }
}

/// A transform that can be made to follow a node of optional numbers, whatever it makes of them.
private protocol TakesOptionalNumbers {
    func point(at node: Node<Int?>)
}
extension Transform: TakesOptionalNumbers where Input == Int? {
    fileprivate func point(at node: Node<Int?>) { from = node }
}

/// Applies the operator to a node that holds 1, which nothing but the result keeps.
private func applyToHidden(_ op: OperatorUnderTest, _ source: Weak<MutableNode<Int?>>) -> OperatorResult {
    let node = MutableNode<Int?>(1)
    source.object = node
    return op.apply(node)
}
