import ReactCore
import ReactOperators
import ReactTables

struct Order: Equatable { var id: Int, customer: Int, amount: Int, isOpen: Bool }
struct Customer: Equatable { var id: Int, name: String, region: String }
/// An order with its customer.
struct Line: Equatable { var order: Order, customer: Customer }
/// The orders of a region.
struct Total: Equatable { var count: Int, amount: Int }

/// The graph: from orders and customers to the rows on screen and the totals of regions. No operator looks at a row
/// that has not changed.
final class OrderBook {
    static let height = 20

    let orders: MutableNode<Table<Int, Order>>
    let customers: MutableNode<Table<Int, Customer>>
    /// The smallest amount that is shown.
    let least = MutableNode(0)
    /// The rank of the first row on screen.
    let first = MutableNode(0)

    /// The open orders of at least that amount, with their customers.
    let lines: Node<Table<Int, Line>>
    let window: Node<[Line]>
    let totals: Node<Table<String, Total>>
    let calls: Calls

    init(orders: Table<Int, Order>, customers: Table<Int, Customer>) {
        let calls = Calls()
        self.calls = calls
        self.orders = MutableNode(orders)
        self.customers = MutableNode(customers)
        let isShown = least.map { least -> @Sendable (Order) -> Bool in
            { order in
                calls.add(\.filter)
                return order.isOpen && order.amount >= least
            }
        }
        lines = self.orders.filterRows(by: isShown).joined(
            with: self.customers,
            on: {
                calls.add(\.reference)
                return $0.customer
            },
            {
                calls.add(\.join)
                return Line(order: $0, customer: $1)
            }
        )
        window = lines.sorted(
            by: {
                calls.add(\.sort)
                return $0.order.amount
            },
            descending: true
        ).window(rows: first.map { $0..<$0 + Self.height })
        totals = lines.fold(
            by: {
                calls.add(\.group)
                return $0.customer.region
            },
            Total(count: 0, amount: 0),
            adding: {
                calls.add(\.adding)
                $0 = Total(count: $0.count + 1, amount: $0.amount + $1.order.amount)
            },
            removing: {
                calls.add(\.removing)
                $0 = Total(count: $0.count - 1, amount: $0.amount - $1.order.amount)
            }
        )
    }

    /// Makes orders of 1,000 customers in four regions. They are the same every time.
    static func sample(_ count: Int) -> OrderBook {
        let names = ["Ada", "Grace", "Edith", "Barbara", "Radia", "Frances", "Joan", "Karen"]
        let regions = ["east", "north", "south", "west"]
        let orders = (1...count).lazy.map { id in
            Order(id: id, customer: id * 7_919 % 1_000 + 1, amount: id * 7_919_317 % 99_991, isOpen: id % 4 != 0)
        }
        let customers = (1...1_000).lazy.map { id in
            Customer(id: id, name: "\(names[id % 8]) \(id)", region: regions[id / 8 % 4])
        }
        return OrderBook(orders: Table(orders, by: \.id), customers: Table(customers, by: \.id))
    }
}
