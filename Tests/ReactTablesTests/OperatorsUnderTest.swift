import ReactCore
import ReactOperators
import ReactTables
import TestSupport

/// The nodes that a random program edits.
final class Inputs: Sendable {
    let orders = [MutableNode<Orders>(), MutableNode<Orders>(someOrders(3))]
    let customers = [MutableNode<Table<Int, Int>>([1: 1, 2: 2]), MutableNode<Table<Int, Int>>()]
    /// The least amount that an order must have.
    let least = MutableNode(2)
    let condition: Node<Condition>
    let ranks = MutableNode(0..<3)
    let parts: [MutableNode<Int>] = (0..<6).map { $0 < 4 ? MutableNode($0) : MutableNode() }
    /// The keys of the parts that a table of nodes has.
    let partKeys = MutableNode<Table<Int, Int>>([1: 0, 2: 5])
    let partNodes: Node<Table<Int, Node<Int>>>
    /// The number of an order, which each set makes anew.
    let orderNumber = MutableNode(0)
    let order: Node<RowOrder<Order>>
    let keys = MutableNode(1..<6)

    var all: [AnyNode] {
        orders + customers + parts + [least, condition, ranks, partKeys, partNodes, orderNumber, order, keys]
    }

    init() {
        condition = least.map { least in { $0.amount >= least } }
        order = orderNumber.map { RowOrder($0 % 2 == 0 ? \.amount : \.customer, descending: $0 > 1).then(\.customer) }
        let parts = parts
        partNodes = partKeys.map { $0.mapRows { parts[$0] as Node } }
    }
}

/// What an operator's result is to be computed from: the newest values that have come by its edges.
struct Known {
    var orders: Orders
    var customers: Table<Int, Int>
    var least: Int
    var ranks: Range<Int>
    var parts: [Int?]
    var partKeys: Table<Int, Int>
    var orderNumber: Int
    var keys: Range<Int>

    /// The orders by a number of `Inputs.orderNumber`.
    var ordered: [(key: Int, row: Order)] {
        let sign = orderNumber > 1 ? -1 : 1
        return sorted.sorted { a, b in
            func part(_ row: Order) -> Int { sign * (orderNumber % 2 == 0 ? row.amount : row.customer) }
            return (part(a.row), a.row.customer, a.key) < (part(b.row), b.row.customer, b.key)
        }
    }
    var byAmount: [(key: Int, row: Order)] { sorted.sorted { ($0.row.amount, $0.key) < ($1.row.amount, $1.key) } }
    /// Returns the elements at the ranks.
    func window<Element>(_ rows: [Element]) -> [Element] {
        rows.enumerated().filter { ranks.contains($0.offset) }.map(\.element)
    }

    var sorted: [(key: Int, row: Order)] { orders.map { ($0.key, $0.row) } }
}

/// An operator beside a model that computes everything anew, from dictionaries and sorted arrays.
final class OperatorUnderTest {
    enum Other { case none, customers, least, ranks }

    let name: String
    let result: AnyNode
    /// What the result shows, as text.
    let shown: () -> String?
    let model: (Known) -> String
    let other: Other
    let followsOrders: Bool
    private let listening: AnyObject
    private let repeats: () -> [String]
    /// Values that were heard, though they are equal to the ones before.
    var problems: [String] { repeats() }

    init<Output>(
        _ name: String, other: Other = .none, followsOrders: Bool = true, isRepeated: Bool = false,
        _ result: Node<Output>,
        _ text: @escaping @Sendable (Output) -> String, model: @escaping (Known) -> String
    ) {
        self.name = name
        self.result = result
        self.model = model
        self.other = other
        self.followsOrders = followsOrders
        shown = { result.value.map(text) }
        let listener = Lifetime(), heard = Recorder<String>()
        listener.listen(to: result).with { heard.record(text($0)) }
        listening = listener
        repeats = {
            let texts = heard.take()
            if let last = texts.last { heard.record(last) }
            return isRepeated ? [] : zip(texts, texts.dropFirst()).filter { $0 == $1 }.map { "\($0.0) twice" }
        }
    }

    /// The text of keys and rows.
    @Sendable static func text<Key, Row>(_ rows: some Sequence<(key: Key, row: Row)>) -> String {
        rows.map { "\($0.key)=\($0.row)" }.joined(separator: " ")
    }
    static func text(ofSections sections: some Sequence<(key: Int, row: some Sequence<(key: Int, row: Order)>)>)
        -> String
    {
        sections.map { "\($0.key): \(text(Array($0.row)))" }.joined(separator: "; ")
    }
    @Sendable static func text<Key, Row>(_ table: Table<Key, Row>) -> String { text(table.map { ($0.key, $0.row) }) }

    static func all(_ inputs: Inputs, orders: Node<Orders>, customers: Node<Table<Int, Int>>) -> [OperatorUnderTest] {
        func grouped(_ known: Known) -> [(key: Int, row: [(key: Int, row: Order)])] {
            Dictionary(grouping: known.sorted) { $0.row.customer }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
        return [
            OperatorUnderTest("filterRows", orders.filterRows { $0.amount % 2 == 0 }, text) { known in
                text(known.sorted.filter { $0.row.amount % 2 == 0 })
            },
            OperatorUnderTest(
                "filterRows(by:)", other: .least, orders.filterRows(by: inputs.condition), text
            ) { known in text(known.sorted.filter { $0.row.amount >= known.least }) },
            OperatorUnderTest("mapRows", orders.mapRows { $0.amount / 2 }, text) { known in
                text(known.sorted.map { ($0.key, $0.row.amount / 2) })
            },
            OperatorUnderTest("compactMapRows", orders.compactMapRows { $0.amount > 2 ? $0.customer : nil }, text) {
                text($0.sorted.filter { $0.row.amount > 2 }.map { ($0.key, $0.row.customer) })
            },
            OperatorUnderTest(
                "fold", isRepeated: true,
                orders.fold([Int: Int]()) {
                    $0[$1.amount, default: 0] += 1
                } removing: {
                    $0[$1.amount]! -= 1
                    if $0[$1.amount] == 0 { $0[$1.amount] = nil }
                }, { "\($0.sorted { $0.key < $1.key })" }
            ) { known in
                "\(Dictionary(grouping: known.sorted) { $0.row.amount }.mapValues(\.count).sorted { $0.key < $1.key })"
            },
            OperatorUnderTest("sum", orders.sum { $0.amount }, { "\($0)" }) { known in
                "\(known.sorted.reduce(0) { $0 + $1.row.amount })"
            },
            OperatorUnderTest("sum of Double", orders.sum { Double($0.amount) / 4 }, { "\($0)" }) { known in
                "\(known.sorted.reduce(0.0) { $0 + Double($1.row.amount) / 4 })"
            },
            OperatorUnderTest("min", orders.min { $0.amount }, { "\($0 as Any)" }) { known in
                "\(known.sorted.map(\.row.amount).min() as Any)"
            },
            OperatorUnderTest("max", orders.max { $0.customer }, { "\($0 as Any)" }) { known in
                "\(known.sorted.map(\.row.customer).max() as Any)"
            },
            OperatorUnderTest("grouped", orders.grouped { $0.customer }, { text($0.map { ($0.key, text($0.row)) }) }) {
                text(grouped($0).map { ($0.key, text($0.row)) })
            },
            OperatorUnderTest(
                "fold(by:)",
                orders.fold(by: { $0.customer }, 0) {
                    $0 += $1.amount
                } removing: {
                    $0 -= $1.amount
                }, text
            ) { text(grouped($0).map { ($0.key, $0.row.reduce(0) { $0 + $1.row.amount }) }) },
            OperatorUnderTest(
                "sorted", orders.sorted { $0.amount }, { text($0) }
            ) { known in text(known.sorted.sorted { ($0.row.amount, $0.key) < ($1.row.amount, $1.key) }) },
            OperatorUnderTest(
                "sorted, descending", orders.sorted(by: { $0.customer }, descending: true),
                { text($0) }
            ) { known in text(known.sorted.sorted { (-$0.row.customer, $0.key) < (-$1.row.customer, $1.key) }) },
            OperatorUnderTest(
                "joined", other: .customers, orders.joined(with: customers, on: \.customer) { [$0.amount, $1] }, text
            ) { known in
                text(
                    known.sorted.compactMap { order in
                        known.customers[order.row.customer].map { (order.key, [order.row.amount, $0]) }
                    })
            },
            OperatorUnderTest(
                "leftJoined", other: .customers,
                orders.leftJoined(with: customers, on: \.customer) { [$0.amount, $1 ?? -1] }, text
            ) { known in
                text(known.sorted.map { ($0.key, [$0.row.amount, known.customers[$0.row.customer] ?? -1]) })
            },
            OperatorUnderTest("window", other: .ranks, orders.window(rows: inputs.ranks), { "\($0)" }) { known in
                "\(known.sorted.map(\.row).enumerated().filter { known.ranks.contains($0.offset) }.map(\.element))"
            },
            OperatorUnderTest(
                "eachRow", orders.eachRow { "\($0)" + String(describing: type(of: $1)).prefix(0) },
                { "\($0.map(\.output))" }
            ) { "\($0.sorted.map { "\($0.key)" })" },
            OperatorUnderTest("row", orders.row(2), { "\($0 as Any)" }) { known in "\(known.orders[2] as Any)" },
        ] + sorted(inputs, orders: orders) + withKeys(inputs, orders: orders, customers: customers) + [
            OperatorUnderTest(
                "flattenRows", followsOrders: false, inputs.partNodes.flattenRows(), text
            ) { known in
                text(known.partKeys.compactMap { key, part in known.parts[part].map { (key, $0) } })
            },
            OperatorUnderTest(
                "flattenRows of results",
                orders.sorted { $0.amount }.eachRow { _, row in row.map { $0.amount * 2 } as Node<Int> }.flattenRows(),
                text
            ) { known in text(known.sorted.map { ($0.key, $0.row.amount * 2) }) },
            OperatorUnderTest(
                "rows(of:)", followsOrders: false,
                Node.rows(of: inputs.parts.enumerated().map { ($0.offset * 3 % 7, $0.element) }), text
            ) { known in
                text(
                    known.parts.enumerated().compactMap { part in part.element.map { (part.offset * 3 % 7, $0) } }
                        .sorted { $0.0 < $1.0 })
            },
        ]
    }

    /// The operators of sorted tables.
    static func sorted(_ inputs: Inputs, orders: Node<Orders>) -> [OperatorUnderTest] {
        // A node of its own for each operator, because edges are re-pointed.
        func sorted() -> Node<SortedTable<Int, Order>> { orders.sorted { $0.amount } }
        let amounts: @Sendable (SortedTable<Int, Order>) -> String = { text(Array($0)) }
        return [
            OperatorUnderTest("sorted by an order", orders.sorted(by: RowOrder(\.customer).then(\.amount)), amounts) {
                text(
                    $0.sorted.sorted {
                        ($0.row.customer, $0.row.amount, $0.key) < ($1.row.customer, $1.row.amount, $1.key)
                    })
            },
            OperatorUnderTest("sorted(using:)", other: .ranks, orders.sorted(using: inputs.order), amounts) {
                text($0.ordered)
            },
            OperatorUnderTest("window of sorted", other: .ranks, sorted().window(rows: inputs.ranks), { "\($0)" }) {
                "\($0.window($0.byAmount.map(\.row)))"
            },
            OperatorUnderTest("window(ranks:)", other: .ranks, sorted().window(ranks: inputs.ranks), amounts) {
                text($0.window($0.byAmount))
            },
            OperatorUnderTest(
                "window(ranks:) of an order that is switched", other: .ranks,
                orders.sorted(using: inputs.order).window(ranks: inputs.ranks), amounts
            ) { text($0.window($0.ordered)) },
            OperatorUnderTest(
                "eachRow of sorted", sorted().eachRow { key, row in key }, { "\($0.map(\.output))" }
            ) { "\($0.byAmount.map(\.key))" },
            OperatorUnderTest(
                "eachRow of an order that is switched", other: .ranks,
                orders.sorted(using: inputs.order).eachRow { key, _ in key }, { "\($0.map(\.output))" }
            ) { "\($0.ordered.map(\.key))" },
            OperatorUnderTest(
                "grouped(by:sortedBy:)",
                orders.grouped(by: \.customer, sortedBy: RowOrder(\.amount, descending: true)),
                { text(ofSections: $0) }
            ) { known in
                text(
                    ofSections: Dictionary(grouping: known.sorted) { $0.row.customer }.sorted { $0.key < $1.key }.map {
                        (key: $0.key, row: $0.value.sorted { (-$0.row.amount, $0.key) < (-$1.row.amount, $1.key) })
                    })
            },
        ]
    }
    /// The operators whose closures take keys.
    static func withKeys(
        _ inputs: Inputs, orders: Node<Orders>, customers: Node<Table<Int, Int>>
    ) -> [OperatorUnderTest] {
        [
            OperatorUnderTest("filterRows with keys", orders.filterRows { ($0 + $1.amount) % 2 == 0 }, text) {
                text($0.sorted.filter { ($0.key + $0.row.amount) % 2 == 0 })
            },
            OperatorUnderTest("mapRows with keys", orders.mapRows { $0 + $1.amount }, text) {
                text($0.sorted.map { ($0.key, $0.key + $0.row.amount) })
            },
            OperatorUnderTest("count(where:)", orders.count { $0.amount > 2 }, { "\($0)" }) {
                "\($0.sorted.filter { $0.row.amount > 2 }.count)"
            },
            OperatorUnderTest(
                "fold with keys", isRepeated: true,
                orders.fold(0) {
                    $0 += $1 * $2.amount
                } removing: {
                    $0 -= $1 * $2.amount
                }, { "\($0)" }
            ) { "\($0.sorted.reduce(0) { $0 + $1.key * $1.row.amount })" },
            OperatorUnderTest(
                "merged", other: .customers,
                orders.merged(with: customers) { key, order, other -> [Int?]? in
                    order == nil && key % 2 == 0 ? nil : [key, order?.amount, other]
                }, text
            ) { known in
                text(
                    Set(known.orders.keys).union(known.customers.keys).sorted().compactMap { key in
                        known.orders[key] == nil && key % 2 == 0
                            ? nil : (key, [key, known.orders[key]?.amount, known.customers[key]] as [Int?])
                    })
            },
            OperatorUnderTest(
                "flatMapRows",
                orders.flatMapRows { key, order in Table((0..<order.amount).map { ($0, key + order.customer) }) },
                { text($0.map { ("\($0.key.outer).\($0.key.inner)", $0.row) }) }
            ) { known in
                text(
                    known.sorted.flatMap { key, order in
                        (0..<order.amount).map { ("\(key).\($0)", key + order.customer) }
                    })
            },
            OperatorUnderTest("rekeyed", orders.rekeyed { $0 % 2 + $1.customer }, text) { known in
                let rows = Dictionary(known.sorted.map { ($0.key % 2 + $0.row.customer, $0.row) }) { $1 }
                return text(rows.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            },
            OperatorUnderTest("restricted", other: .ranks, orders.restricted(to: inputs.keys), text) { known in
                text(known.sorted.filter { known.keys.contains($0.key) })
            },
            OperatorUnderTest(
                "joined with keys", other: .customers,
                orders.joined(with: customers, on: { ($0 + $1.customer) % 5 }) { [$0, $1.amount, $2] }, text
            ) { known in
                text(
                    known.sorted.compactMap { key, order in
                        known.customers[(key + order.customer) % 5].map { (key, [key, order.amount, $0]) }
                    })
            },
        ]
    }
}
