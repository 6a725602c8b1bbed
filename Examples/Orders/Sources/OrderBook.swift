import ReactCore
import ReactOperators
import ReactTables

struct Order: Equatable { var id: Int, customer: Int, amount: Int, isOpen: Bool, place: Place }
struct Customer: Equatable { var id: Int, name: String, region: String }
/// An order with its customer.
struct Line: Equatable { var order: Order, customer: Customer }
/// The orders of a region.
struct Total: Equatable { var count: Int, amount: Int }

/// The orders of the lines that the user can choose.
enum Sorting: String, CaseIterable, Equatable {
    case amount, name, hand

    /// The greatest amounts first, the customers' names, or the places that the user has given the orders.
    func order(counting calls: Calls) -> RowOrder<Line> {
        switch self {
        case .amount: RowOrder(counted(\.order.amount, calls), descending: true)
        case .name: RowOrder(counted(\.customer.name, calls)).then(\.order.amount, descending: true)
        case .hand: RowOrder(counted(\.order.place, calls))
        }
    }
    private func counted<Part>(
        _ part: KeyPath<Line, Part> & Sendable, _ calls: Calls
    ) -> @Sendable (Line) -> Part {
        {
            calls.add(\.sort)
            return $0[keyPath: part]
        }
    }
}

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
    let sorting = MutableNode(Sorting.amount)

    /// The open orders of at least that amount, with their customers.
    let lines: Node<Table<Int, Line>>
    /// The lines in the order that the user has chosen.
    let sorted: Node<SortedTable<Int, Line>>
    /// The rows of these on screen.
    let window: Node<SortedTable<Int, Line>>
    /// The lines of each region, the greatest amounts first.
    let sections: Node<Table<String, SortedTable<Int, Line>>>
    /// All orders, shown or not, as they were moved by hand.
    let arranged: Node<SortedTable<Int, Order>>
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
        sorted = lines.sorted(using: sorting.map { $0.order(counting: calls) })
        window = sorted.window(ranks: first.map { $0..<$0 + Self.height })
        sections = lines.grouped(
            by: {
                calls.add(\.section)
                return $0.customer.region
            },
            sortedBy: RowOrder(\.order.amount, descending: true)
        )
        arranged = self.orders.sorted(by: \.place)
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
        let places = Place.initial(count)
        let orders = (1...count).lazy.map { id in
            Order(
                id: id, customer: id * 7_919 % 1_000 + 1, amount: id * 7_919_317 % 99_991, isOpen: id % 4 != 0,
                place: places[id - 1])
        }
        let customers = (1...1_000).lazy.map { id in
            Customer(id: id, name: "\(names[id % 8]) \(id)", region: regions[id / 8 % 4])
        }
        return OrderBook(orders: Table(orders, by: \.id), customers: Table(customers, by: \.id))
    }
}
