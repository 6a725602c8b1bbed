import ReactCore
import ReactTables

/// The rows of these tests.
struct Order: Hashable, Sendable, CustomStringConvertible {
    var customer: Int
    var amount: Int
    var description: String { "\(customer):\(amount)" }
}

typealias Orders = Table<Int, Order>
typealias Condition = @Sendable (Order) -> Bool

/// Returns `count` orders of ten customers.
func someOrders(_ count: Int) -> Orders {
    Orders((0..<count).map { ($0, Order(customer: $0 % 10, amount: $0 % 100)) })
}
/// Returns the customers that those refer to, with a discount each.
func someCustomers() -> Table<Int, Int> { Table((0..<10).map { ($0, $0 * 2) }) }
