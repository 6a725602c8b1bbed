import ReactCore
import ReactTables
import TestSupport
import Testing

/// How often an operator calls its closures: once for each row that changed, whatever the size of the table.
@Suite("Closure calls of table operators")
struct ClosureCountsTests {
    static let sizes = [1_000, Scale.scaled(100_000)]

    /// Applies an operator to `size` orders, and counts the calls for each of some edits: a row changed, one inserted, one removed, none
    /// changed, ten changed in one set.
    private func counts<Output>(_ size: Int, _ apply: (Node<Orders>, Counter) -> Node<Output>) -> [Int] {
        let source = MutableNode(someOrders(size)), counter = Counter()
        let result = apply(source, counter)
        #expect(counter.take() >= size)
        let edits: [@Sendable (inout Orders) -> Void] = [
            { $0[5] = Order(customer: 5, amount: 1_000) },
            { $0[size] = Order(customer: 1, amount: 50) },
            { $0[7] = nil },
            { $0[5] = Order(customer: 5, amount: 1_000) },
            { for key in 10..<20 { $0[key]?.amount += 1 } },
        ]
        let counts = edits.map { edit in
            source.update(edit)
            return counter.take()
        }
        withExtendedLifetime(result) {}
        return counts
    }

    @Test("filterRows asks once for each changed row", arguments: sizes) func filter(size: Int) {
        #expect(counts(size) { $0.filterRows($1.counting { $0.amount > 20 }) } == [1, 1, 0, 0, 10])
    }
    @Test("filterRows by a condition asks once for each changed row", arguments: sizes) func filterBy(size: Int) {
        #expect(
            counts(size) { $0.filterRows(by: Node<Condition>($1.counting { $0.amount > 20 })) } == [1, 1, 0, 0, 10])
    }
    @Test("a new condition is asked of every row once", arguments: sizes) func newCondition(size: Int) {
        let counter = Counter(), source = MutableNode(someOrders(size))
        let condition = MutableNode<Condition> { _ in true }
        let result = source.filterRows(by: condition)
        condition.value = counter.counting { $0.amount > 20 }
        #expect(counter.take() == size)
        #expect(result.value?.count == size / 100 * 79)
    }
    @Test("mapRows transforms once for each changed row", arguments: sizes) func map(size: Int) {
        #expect(counts(size) { $0.mapRows($1.counting { $0.amount * 2 }) } == [1, 1, 0, 0, 10])
    }
    @Test("compactMapRows transforms once for each changed row", arguments: sizes) func compactMap(size: Int) {
        #expect(
            counts(size) { $0.compactMapRows($1.counting { $0.amount > 20 ? $0.amount : nil }) } == [1, 1, 0, 0, 10])
    }
    @Test("fold adds the new rows and removes the old ones, once each", arguments: sizes) func fold(size: Int) {
        let removals = Counter()
        let additions = counts(size) { source, counter in
            source.fold(0) { sum, row in
                counter.count()
                sum += row.amount
            } removing: { sum, row in
                removals.count()
                sum -= row.amount
            }
        }
        #expect(additions == [1, 1, 0, 0, 10])
        #expect(removals.take() == 12)
    }
    @Test("sum and count ask once for each row that came or went, and twice for each that changed", arguments: sizes)
    func sum(size: Int) {
        #expect(counts(size) { $0.sum(of: $1.counting { $0.amount }) } == [2, 1, 1, 0, 20])
        #expect(counts(size) { $0.count(where: $1.counting { $0.amount > 20 }) } == [2, 1, 1, 0, 20])
    }
    @Test("min and max ask once for each row that came or changed", arguments: sizes)
    func minAndMax(size: Int) {
        #expect(counts(size) { $0.min(of: $1.counting { $0.amount }) } == [1, 1, 0, 0, 10])
        #expect(counts(size) { $0.max(of: $1.counting { $0.amount }) } == [1, 1, 0, 0, 10])
    }
    @Test("grouped asks once for each changed row", arguments: sizes) func group(size: Int) {
        #expect(counts(size) { $0.grouped(by: $1.counting { $0.customer }) } == [1, 1, 0, 0, 10])
    }
    @Test("fold by group asks, adds and removes once for each changed row", arguments: sizes) func foldGroups(size: Int)
    {
        let additions = Counter(), removals = Counter()
        let asked = counts(size) { source, counter in
            source.fold(by: counter.counting { $0.customer }, 0) { sum, row in
                additions.count()
                sum += row.amount
            } removing: { sum, row in
                removals.count()
                sum -= row.amount
            }
        }
        #expect(asked == [1, 1, 0, 0, 10])
        #expect(additions.take() == size + 12)
        #expect(removals.take() == 12)
    }
    @Test("sorted asks once for each changed row", arguments: sizes) func sort(size: Int) {
        #expect(counts(size) { $0.sorted(by: $1.counting { $0.amount }) } == [1, 1, 0, 0, 10])
    }
    @Test("joined asks for the reference and combines once for each changed row", arguments: sizes) func join(size: Int)
    {
        let references = Counter()
        let combinations = counts(size) { source, counter in
            source.joined(with: Node(someCustomers()), on: references.counting { $0.customer }) { order, discount in
                counter.count()
                return order.amount - discount
            }
        }
        #expect(combinations == [1, 1, 0, 0, 10])
        #expect(references.take() == size + 12)
    }
    @Test("leftJoined combines once for each changed row", arguments: sizes) func leftJoin(size: Int) {
        #expect(
            counts(size) { source, counter in
                source.leftJoined(with: Node(someCustomers()), on: \.customer) { order, discount in
                    counter.count()
                    return order.amount - (discount ?? 0)
                }
            } == [1, 1, 0, 0, 10])
    }
    @Test("a change of the other table combines the rows that refer to it, once each") func joinOther() {
        let counter = Counter(), other = MutableNode(someCustomers()), source = MutableNode(someOrders(1_000))
        let joined = source.joined(with: other, on: \.customer) { order, discount in
            counter.count()
            return order.amount - discount
        }
        _ = counter.take()
        other.update { $0[3] = 50 }
        #expect(counter.take() == 100)
        other.update { $0[99] = 1 }
        #expect(counter.take() == 0)
        other.update { $0[3] = nil }
        #expect(counter.take() == 0)
        #expect(joined.value?.count == 900)
        batch {
            other.update { $0[3] = 7 }
            source.update { $0[3]?.amount = 70 }
        }
        #expect(counter.take() == 100)
        #expect(joined.value?[3] == 63)
    }
    @Test("closures that take keys are called as often as those that do not", arguments: sizes) func keys(size: Int) {
        #expect(counts(size) { $0.mapRows($1.countingKeys { $0 + $1.amount }) } == [1, 1, 0, 0, 10])
        #expect(counts(size) { $0.filterRows($1.countingKeys { $0 > $1.amount }) } == [1, 1, 0, 0, 10])
        #expect(counts(size) { $0.grouped(by: $1.countingKeys { $0 % 7 + $1.customer }) } == [1, 1, 0, 0, 10])
        #expect(counts(size) { $0.rekeyed(by: $1.countingKeys { -$0 + $1.amount }) } == [1, 1, 0, 0, 10])
        #expect(counts(size) { $0.flatMapRows($1.countingKeys { [$0: $1.amount] as Table }) } == [1, 1, 0, 0, 10])
        #expect(counts(size) { $0.count(where: $1.countingKeys { $0 > $1.amount }) } == [2, 1, 1, 0, 20])
        #expect(
            counts(size) { $0.compactMapRows($1.countingKeys { $0 > $1.amount ? $0 : nil }) } == [1, 1, 0, 0, 10])
        let removals = Counter(), groups = Counter()
        let folds = counts(size) { source, counter in
            source.fold(0) { sum, key, row in
                counter.count()
                sum += key
            } removing: { sum, key, row in
                removals.count()
                sum -= key
            }
        }
        #expect(folds == [1, 1, 0, 0, 10])
        #expect(removals.take() == 12)
        let groupFolds = counts(size) { source, counter in
            source.fold(by: groups.countingKeys { $0 % 7 + $1.customer }, 0) { sum, key, row in
                counter.count()
                sum += key
            } removing: { sum, key, row in
                removals.count()
                sum -= key
            }
        }
        #expect(groupFolds == [1, 1, 0, 0, 10])
        #expect(groups.take() == size + 12)
        #expect(removals.take() == 12)
        let sections = counts(size) {
            $0.grouped(by: $1.countingKeys { $0 % 7 + $1.customer }, sortedBy: RowOrder(\.amount))
        }
        #expect(sections == [1, 1, 0, 0, 10])
        let others = Node(someCustomers())
        let joined = counts(size) { source, counter in
            source.joined(with: others, on: { $1.customer }) { key, order, discount in
                counter.count()
                return key + order.amount - discount
            }
        }
        #expect(joined == [1, 1, 0, 0, 10])
        let leftJoined = counts(size) { source, counter in
            source.leftJoined(with: others, on: { $1.customer }) { key, order, discount in
                counter.count()
                return key + order.amount - (discount ?? 0)
            }
        }
        #expect(leftJoined == [1, 1, 0, 0, 10])
    }
    @Test("merged combines once for each key whose row has changed in either table", arguments: sizes)
    func merge(size: Int) {
        let others = Table((0..<size).map { ($0, $0) })
        let combine = { (counter: Counter) -> @Sendable (Int, Order?, Int?) -> Int? in
            { key, order, other in
                counter.count()
                return order.map { $0.amount + (other ?? 0) }
            }
        }
        #expect(counts(size) { $0.merged(with: Node(others), combine($1)) } == [1, 1, 1, 0, 10])
        let counter = Counter(), source = MutableNode(someOrders(size)), other = MutableNode(others)
        let merged = source.merged(with: other, combine(counter))
        #expect(counter.take() == size)
        batch {
            source.update { $0[3]?.amount = -1 }
            other.update { $0[3] = 9 }
            other.update { $0[4] = 9 }
        }
        #expect(counter.take() == 2)
        #expect(merged.value?[3] == 8)
    }
    @Test("an order of two parts, a new order, and sorted groups ask for each part once", arguments: sizes)
    func orders(size: Int) {
        let second = Counter()
        let first = counts(size) { source, counter in
            source.sorted(
                by: RowOrder(counter.counting { $0.amount }).then(second.counting { $0.customer }))
        }
        #expect(first == [1, 1, 0, 0, 10])
        #expect(second.take() == size + 12)
        let groups = Counter()
        let parts = counts(size) { source, counter in
            source.grouped(by: groups.counting { $0.customer }, sortedBy: RowOrder(counter.counting { $0.amount }))
        }
        #expect(parts == [1, 1, 0, 0, 10])
        #expect(groups.take() == size + 12)
        let counter = Counter(), source = MutableNode(someOrders(size))
        let order = MutableNode(RowOrder<Order>(\.amount)), sorted = source.sorted(using: order)
        order.value = RowOrder(counter.counting { $0.customer })
        #expect(counter.take() == size)
        source.update { $0[5]?.customer = 77 }
        #expect(counter.take() == 1)
        #expect(sorted.value?.last?.key == 5)
    }
    @Test("eachRow of sorted rows makes once for each key, also when rows move", arguments: sizes)
    func eachRowOfSorted(size: Int) {
        #expect(
            counts(size) { source, counter in
                source.sorted(by: \.amount).eachRow { key, row in
                    counter.count()
                    return key
                }
            } == [0, 1, 0, 0, 0])
    }
    @Test("eachRow makes once for each key", arguments: sizes) func eachRow(size: Int) {
        #expect(
            counts(size) { source, counter in
                source.eachRow { key, row in
                    counter.count()
                    return key
                }
            } == [0, 1, 0, 0, 0])
    }
    @Test("a chain calls each closure once for each changed row", arguments: sizes) func chain(size: Int) {
        let filtered = Counter(), mapped = Counter()
        let sorted = counts(size) { source, counter in
            source.filterRows(filtered.counting { $0.amount >= 0 })
                .mapRows { row -> Int in
                    mapped.count()
                    return row.amount * 2
                }
                .sorted { (amount: Int) -> Int in
                    counter.count()
                    return amount
                }
                .window(rows: Node(0..<50))
        }
        #expect(sorted == [1, 1, 0, 0, 10])
        #expect(filtered.take() == size + 12)
        #expect(mapped.take() == size + 12)
    }
    @Test("re-pointed, an operator compares with the empty table first") func repointed() throws {
        let counter = Counter(), old = MutableNode(someOrders(100)), new = MutableNode(someOrders(100))
        let result = old.mapRows(counter.counting { $0.amount })
        let edge = try #require(result.upstreamTransforms.first as? Transform<Orders, Table<Int, Int>>)
        _ = counter.take()
        edge.from = new
        #expect(counter.take() == 100)
        new.update { $0[1] = nil }
        #expect(counter.take() == 0)
        #expect(result.value?.count == 99)
    }
    @Test("re-pointed at either table, a join compares with the empty table first") func repointedJoin() {
        let counter = Counter()
        let old = MutableNode(someOrders(100)), new = MutableNode(someOrders(100))
        let oldOther = MutableNode(someCustomers()), newOther = MutableNode(someCustomers())
        let joined = old.joined(with: oldOther, on: \.customer) { order, discount in
            counter.count()
            return order.amount - discount
        }
        _ = counter.take()
        for edge in old.downstreamTransforms { (edge as? any FollowsOrders)?.follow(new) }
        #expect(counter.take() == 100)
        for edge in oldOther.downstreamTransforms { (edge as? any FollowsCustomers)?.follow(newOther) }
        #expect(counter.take() == 100)
        newOther.update { $0[3] = 0 }
        #expect(counter.take() == 10)
        #expect(joined.value?[3] == 3)
        #expect(!old.hasDownstreamNode && !oldOther.hasDownstreamNode)
    }
}

/// A transform of orders, to whatever it leads.
protocol FollowsOrders: AnyTransform {
    func follow(_ node: Node<Orders>?)
}
extension Transform: FollowsOrders where Input == Orders {
    func follow(_ node: Node<Orders>?) { from = node }
}
/// A transform of customers, to whatever it leads.
protocol FollowsCustomers: AnyTransform {
    func follow(_ node: Node<Table<Int, Int>>?)
}

extension Transform: FollowsCustomers where Input == Table<Int, Int> {
    func follow(_ node: Node<Table<Int, Int>>?) { from = node }
}

/// Counts calls.
final class Counter: Sendable {
    private let calls = Locked(0)

    func count() { calls.increment() }
    func counting<Result>(_ body: @escaping @Sendable (Order) -> Result) -> @Sendable (Order) -> Result {
        {
            self.count()
            return body($0)
        }
    }
    func countingKeys<Result>(
        _ body: @escaping @Sendable (Int, Order) -> Result
    ) -> @Sendable (Int, Order) -> Result {
        {
            self.count()
            return body($0, $1)
        }
    }
    func take() -> Int {
        calls.withLock { calls in
            defer { calls = 0 }
            return calls
        }
    }
}
