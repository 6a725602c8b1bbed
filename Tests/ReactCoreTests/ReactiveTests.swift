import ReactCore
import ReactOperators
import TestSupport
import Testing

@Suite("Properties that are nodes")
struct ReactiveTests {
    /// Unchecked, because the compiler takes the wrappers' storage for mutable.
    final class Cart: @unchecked Sendable {
        @Reactive var count = 0
        @Reactive var coupon: String? = nil
    }
    struct Model: Sendable {
        @Reactive var width = 3
        @Reactive var height = 4
    }

    @Test("a reactive property is read and set without optionals, and its node hears of it")
    func property() {
        let cart = Cart(), listener = Lifetime()
        let heard = cart.$count.heard(by: listener)
        cart.count += 1
        cart.count += 1
        #expect(cart.count == 2)
        #expect(heard.events == [0, 1, 2])
        cart.$count.value = 7
        #expect(cart.count == 7)
    }

    @Test("a reactive property of an optional type holds nil, and is heard")
    func optionalProperty() {
        let cart = Cart(), listener = Lifetime()
        let heard = cart.$coupon.heard(by: listener)
        cart.coupon = "X"
        cart.coupon = nil
        #expect(cart.coupon == nil)
        #expect(heard.events == [nil, "X", nil])
    }

    @Test("nodes derived from reactive properties follow them, in a struct and its copies, and as local variables")
    func derived() {
        let model = Model()
        let area = combine(model.$width, model.$height) { $0 * $1 }
        let copy = model
        copy.width = 5
        #expect(model.width == 5)
        #expect(area.current == 20)
        @Reactive var local = 1
        let double = $local.map { $0 * 2 }
        local = 4
        #expect(double.current == 8)
    }

    @Test("a class with reactive properties may be used from several threads")
    func threads() {
        let cart = Cart()
        concurrently(4) { _ in for _ in 0..<500 { cart.$count.update { $0 += 1 } } }
        waitForLate(at: cart.$count)
        #expect(cart.count == 2_000)
    }

    @Test("current is the value, and nil where that is held")
    func current() {
        #expect(Node(3).current == 3)
        #expect(Node<Int?>(nil).current == nil)
    }

    @Test("setting current sets the node, and holds nil where that is a value")
    func settingCurrent() {
        let count = MutableNode(1), choice = MutableNode<Int?>(1), listener = Lifetime()
        let double = count.map { $0 * 2 }
        let heard = count.heard(by: listener), choices = choice.heard(by: listener)
        count.current += 1
        count.current = 5
        #expect(double.current == 10)
        #expect(heard.events == [1, 2, 5])
        choice.current = nil
        #expect(choices.events == [1, nil])
        let empty = MutableNode<[Int]>()
        empty.current = [1]
        empty.current.append(2)
        #expect(empty.value == [1, 2])
    }

    @Test("a stored node and one derived from it are properties that an initialiser makes")
    func storedAndDerived() {
        final class Basket: Sendable {
            let prices = MutableNode<[Int]>([])
            let total: Node<Int>
            init() { total = prices.map { $0.reduce(0, +) } }
        }
        let basket = Basket()
        basket.prices.current.append(3)
        basket.prices.current += [4]
        #expect(basket.total.current == 7)
    }

    @Test(
        "setting the current value of an immutable node ends the program and names the node",
        .enabled(if: Scale.runsTraps))
    func settingCurrentOfImmutable() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            (Node(1).named("total") as? MutableNode<Int>)?.current = 2
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("total") && message.contains("immutable"))
    }

    @Test(
        "asking an empty node for its current value ends the program and names the node", .enabled(if: Scale.runsTraps))
    func currentOfEmpty() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode<Int>().named("total").current
        }
        let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(message.contains("total") && message.contains("holds nothing"))
    }

    @Test(
        "the message of an empty node without a name tells how the node was made, or to give it a name",
        .enabled(if: Scale.runsTraps))
    func originOfEmpty() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode(3).named("price").map { $0 * 2 }.filter { $0 > 9 }.current
        }
        let message = misuse(in: result?.standardErrorContent)
        #expect(
            message.hasPrefix(
                "current: Node<Int>(empty), which “Filter” makes of Node<Int>(6), which “Map” makes of Node(named: price, value: 3), holds nothing"
            ))
        let source = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MutableNode<Int>().current
        }
        let sourceMessage = misuse(in: source?.standardErrorContent)
        #expect(
            sourceMessage.hasPrefix("current: Node<Int>(empty), which has no name (give it one by named(_:)), holds"))
    }
}
