import ReactCore
import ReactGraph
import ReactOperators
import Testing

@Suite("explain")
struct ExplainTests {
    @Test("explain tells a node's kind, its value and the value's source")
    func holds() {
        let price = MutableNode(20).named("price"), quantity = MutableNode(3).named("quantity")
        let total = combine(price, quantity).mapEach { $0 * $1 }.named("total")
        #expect(
            total.explain()
                == "“total” is a node of Int, and holds 60. Its values come from “price” and “quantity”, by Combine "
                + "and Map.")
        #expect(
            price.explain()
                == "“price” is a mutable node of Int, and holds 20. Nothing leads to it: it changes when it is set.")
        #expect(
            Node(1).explain()
                == "This is a node of Int, and holds 1. Nothing leads to it, and it cannot be set: it changes only if it is linked to another node."
        )
        let label = total.map { "\($0)" }
        #expect(label.explain() == "This is a node of String, and holds 60. Its values come from “total”, by Map.")
        let unnamed = MutableNode(1).map { $0 + 1 }.filter { $0 > 0 }
        #expect(
            unnamed.explain()
                == "This is a node of Int, and holds 2. Its values come from a node of Int, by Map and Filter.")
    }

    @Test("an empty node says which empty nodes it waits for, however far up they are")
    func waits() {
        let text = MutableNode<String>().named("text"), rate = MutableNode<Double>().named("rate")
        let factor = MutableNode(2.0).named("factor")
        let price = text.compactMap { Double($0) }.named("price")
        let total = combine(price, rate, factor).mapEach { $0 * $1 * $2 }.named("total")
        #expect(
            total.explain()
                == "“total” is a node of Double, and is empty. Its values come from “price”, “rate” and “factor”, "
                + "by Combine and Map. It waits for “rate” and “text”, which are empty.")
        rate.value = 1.5
        #expect(total.explain().hasSuffix("It waits for “text”, which is empty."))
        text.value = "twelve"
        #expect(total.explain().hasSuffix("It waits for “price”, which is empty."))
        #expect(price.explain().hasSuffix("“text” has a value, which CompactMap has not passed on."))
    }

    @Test("a node waits for nothing that it does not need, and for any one of those of which one is enough")
    func needs() {
        let number = MutableNode<Int>().named("number"), stop = MutableNode<Bool>().named("stop")
        #expect(
            number.take(until: stop).named("until").explain()
                == "“until” is a node of Int, and is empty. Its values come from “number”, by TakeUntil. "
                + "It waits for “number”, which is empty.")
        let (x, y, z) = (
            MutableNode<Int>().named("x"), MutableNode<Int>().named("y"), MutableNode<Int>().named("z")
        )
        #expect(merge(x, y).explain().hasSuffix("It waits for “x” or “y”, which are empty."))
        #expect(merge(x, x).explain().hasSuffix("It waits for “x”, which is empty."))
        #expect(
            combine(x, merge(y, z)).explain().hasSuffix(
                "It waits for “x”, “y” and “z”, which are empty; it does not need all of them."))
        let both = combine(x, y)
        x.value = 1
        x.clean()
        #expect(both.explain().hasSuffix("It waits for “x” and “y”, which are empty."))
    }

    @Test("explain tells which inputs a combination or a zip that holds a value waits for before it has another")
    func partners() throws {
        let (a, b) = (MutableNode(1).named("a"), MutableNode(2).named("b"))
        let sum = zip(a, b).mapEach { $0 + $1 }.named("sum")
        #expect(sum.explain().hasSuffix("by Zip and Map."))
        a.value = 3
        #expect(sum.explain().hasSuffix("by Zip and Map. Zip waits for “b”, and keeps one value of “a”."))
        a.value = 4
        #expect(sum.explain().hasSuffix("Zip waits for “b”, and keeps 2 values of “a”."))
        let both = combine(a, b)
        let edge = try #require(both.upstreamTransforms(from: a).first as? Transform<Int, (Int, Int)>)
        edge.from = MutableNode<Int>().named("other")
        #expect(both.explain().hasSuffix("Combine waits for “other”, which is empty."))
        edge.from = a
        #expect(both.explain().hasSuffix("by Combine."))
        b.clean()
        #expect(both.explain().hasSuffix("Combine waits for “b”, which is empty."))
    }

    @Test("a node in a ring of empty ones waits for the one before it")
    func rings() {
        struct Person: Sendable { var age: Int }
        let person = MutableNode<Person>().named("person")
        let age = person.focus(\.age).named("age")
        #expect(age.explain().hasSuffix("It waits for “person”, which is empty."))
        #expect(age.map { $0 }.explain().hasSuffix("It waits for “age”, which is empty."))
        let (a, b) = (MutableNode<Int>().named("a"), MutableNode<Int>().named("b"))
        let agreement = a.sync(with: b)
        defer { agreement.cancel() }
        #expect(a.explain().hasSuffix("It waits for “b”, which is empty."))
    }

    @Test("a node below a combination that lost an input says so")
    func lost() {
        let price = MutableNode(20).named("price"), quantity = MutableNode(3).named("quantity")
        let pair = combine(price, quantity)
        let total = pair.mapEach { $0 * $1 }.named("total")
        pair.removeUpstreamNode(quantity)
        #expect(
            total.explain()
                == "“total” is a node of Int, and holds 60. Its values come from “price”, by Combine and Map. "
                + "Combine was made of 2 inputs and has lost 1 of them, so it does not change any more: make it anew of the inputs that are left."
        )
    }

    @Test("a ring ends, and of many inputs the first few are named")
    func large() {
        let ring = MutableNode(1)
        ring.link(to: ring.map { $0 })
        defer { ring.removeUpstreamNodes() }
        #expect(ring.explain().hasPrefix("This is a mutable node of Int, and holds 1. Its values come from"))
        let inputs = (1...9).map { MutableNode($0).named("n\($0)") }
        #expect(
            Node.combine(inputs).explain()
                == "This is a node of Array<Int>, and holds [1, 2, 3, 4, 5, 6, 7, 8, 9]. "
                + "Its values come from “n1”, “n2”, “n3”, “n4” and 5 more, by Combine.")
    }
}
