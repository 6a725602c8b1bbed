import ReactTables
import Synchronization
import TestSupport
import Testing

@testable import orders

@Suite("orders") struct OrdersTests {
    final class Printed: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }
    let printed = Printed()
    func session(_ arguments: String...) throws -> Session {
        Session(try Command.Options(arguments)) { [printed] in printed.add($0) }
    }

    @Test("the first 20 rows and the totals are printed, and then the rows and totals that change")
    func window() throws {
        let session = try session("--orders", "1000")
        #expect(printed.take().count == 24)
        #expect(session.take("add 5000 8 999999") == nil)
        let lines = printed.take()
        #expect(lines.first == "> add 5000 8 999999")
        #expect(lines.contains("  1. order 5000: 999999, Ada 8, north"))
        // One order came, the last one on screen left, and one region has one more order.
        #expect(lines.count == 1 + 2 + 1)
        #expect(lines.contains { $0.hasSuffix("left row 20") })
        #expect(session.take("name 8 Margaret") == nil)
        #expect(printed.take().contains("  1. order 5000: 999999, Margaret, north"))
        #expect(session.take("remove 5000") == nil)
        #expect(printed.take().count == 1 + 2 + 1)
        #expect(session.take("remove 4") == nil)
        #expect(printed.take() == ["> remove 4"], "order 4 is not open, so it is not shown")
    }
    @Test(
        "an order that changes runs each closure once, whatever the number of orders",
        arguments: ["1000", Scale.gate.isSmall ? "4000" : "20000"])
    func counts(orders: String) throws {
        let session = try session("--count", "--orders", orders)
        _ = printed.take()
        _ = session.take("amount 7 500000")
        #expect(
            printed.take().last
                == "  closures: 1 filter, 1 reference, 1 join, 1 sort, 1 section, 1 group, 1 adding, 1 removing")
        _ = session.take("amount 7 500000")
        #expect(
            printed.take().last
                == "  closures: 0 filter, 0 reference, 0 join, 0 sort, 0 section, 0 group, 0 adding, 0 removing")
        _ = session.take("first 500")
        #expect(
            printed.take().last
                == "  closures: 0 filter, 0 reference, 0 join, 0 sort, 0 section, 0 group, 0 adding, 0 removing")
    }
    @Test("the order is switched, an order is moved by hand, and the rows that moved are told")
    func moves() throws {
        let session = try session("--orders", "1000")
        _ = printed.take()
        #expect(session.take("move 5 1") == "standard input:1: write sort hand first, to arrange the rows")
        #expect(session.take("sort hand") == nil)
        _ = printed.take()
        #expect(session.take("show") == nil)
        let before = printed.take().dropFirst().prefix(3).map { $0.split(separator: " ")[2] }
        #expect(before == ["1:", "2:", "3:"])
        #expect(session.take("move 3 1") == nil)
        let lines = printed.take()
        #expect(lines.count == 2 && lines[1].hasPrefix("  order 3 moved from row 3 to row 1: "), "\(lines)")
        #expect(session.take("move 3 2") == nil)
        #expect(printed.take().last?.contains("moved from row") == true)
        #expect(session.take("move 3 9999")?.contains("there is no row 9999") == true)
        #expect(session.take("move 4 1")?.contains("order 4 is not shown") == true)
        #expect(session.take("sort backwards")?.contains("cannot sort by 'backwards'") == true)
        #expect(session.take("section nowhere")?.contains("there is no order of the region 'nowhere'") == true)
        _ = printed.take()
        #expect(session.take("section north") == nil)
        let section = printed.take().dropFirst()
        #expect(section.count == 20 && section.allSatisfy { $0.hasSuffix(", north") })
        #expect(session.take("sort name") == nil)
        #expect(printed.take().contains { $0.contains("Ada") })
    }
    @Test("a line that cannot be used is reported with its number, and changes nothing")
    func mistakes() throws {
        let session = try session("--orders", "1000")
        _ = printed.take()
        #expect(session.take("# a comment") == nil && session.take("") == nil)
        #expect(session.take("nonsense") == "standard input:3: 'nonsense' is no instruction; --help lists them")
        #expect(session.take("amount 7") == "standard input:4: 'amount 7': write amount ORDER AMOUNT")
        #expect(session.take("amount 7 x") == "standard input:5: 'x' is no whole number from 0 to 1000000000")
        #expect(session.take("amount 5000 1") == "standard input:6: there is no order 5000")
        #expect(session.take("add 7 1 1") == "standard input:7: there is an order 7 already")
        #expect(session.take("add 5000 5000 1") == "standard input:8: there is no customer 5000")
        #expect(session.take(nil) == "standard input:9: the line is not UTF-8")
        #expect(
            session.take("name 7 \u{1B}]0;x") == "standard input:10: the line has a control character, number 27")
        #expect(session.hasMistakes)
        #expect(printed.take() == ["> amount 5000 1", "> add 7 1 1", "> add 5000 5000 1"])
        #expect(session.take("show") == nil)
        #expect(printed.take().count == 25)
    }
    @Test("a byte order mark before the first line is left out")
    func byteOrderMark() throws {
        let (output, error, status) = try BuiltBinary.shell(
            "printf '\\357\\273\\277amount 7 5\\r\\nshow\\n' | \"$0\" --orders 10", "orders", "")
        #expect(output.contains("\n> amount 7 5\n") && output.contains("\n> show\n"))
        #expect(error == "")
        #expect(status == 0)
    }
    @Test("rows that were edited at random are those of a computation from scratch")
    func scratch() throws {
        let book = OrderBook.sample(2_000)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<(Scale.gate.isSmall ? 60 : 300) {
            let id = Int.random(in: 1...2_100, using: &random)
            let edits: [Instruction] = [
                .amount(id: id, Int.random(in: 0...100_000, using: &random)),
                .open(id: id, Bool.random(using: &random)),
                .remove(id: id), .add(id: id, customer: id % 1_000 + 1, amount: id), .least(id), .first(rank: id % 50),
                .sort(Sorting.allCases.randomElement(using: &random)!), .move(id: id, row: id % 90 + 1),
                .region(customer: id % 1_000 + 1, "west"), .name(customer: id % 1_000 + 1, "Hedy"),
            ]
            try? edits.randomElement(using: &random)!.edit(book)
        }
        let (customers, least) = (book.customers.current, book.least.current)
        let lines = book.orders.current.rows.filter { $0.isOpen && $0.amount >= least }
            .map { Line(order: $0, customer: customers[$0.customer]!) }
        let sorted = lines.sorted { a, b in
            switch book.sorting.current {
            case .amount: (b.order.amount, a.order.id) < (a.order.amount, b.order.id)
            case .name:
                (a.customer.name, b.order.amount, a.order.id) < (b.customer.name, a.order.amount, b.order.id)
            case .hand: (a.order.place, a.order.id) < (b.order.place, b.order.id)
            }
        }
        #expect(book.window.current.map(\.row) == Array(sorted.dropFirst(book.first.current).prefix(20)))
        let sections = Dictionary(grouping: lines, by: \.customer.region)
            .mapValues { $0.sorted { ($1.order.amount, $0.order.id) < ($0.order.amount, $1.order.id) } }
        #expect(Dictionary(uniqueKeysWithValues: book.sections.current.map { ($0.key, $0.row.map(\.row)) }) == sections)
        let totals = Dictionary(grouping: lines, by: \.customer.region)
            .mapValues { Total(count: $0.count, amount: $0.reduce(0) { $0 + $1.order.amount }) }
        #expect(Dictionary(uniqueKeysWithValues: book.totals.current.map { ($0.key, $0.row) }) == totals)
    }
    @Test("the options are read, and others refused")
    func options() throws {
        #expect(try Command.Options(["--count", "--orders", "5"]).orders == 5)
        #expect(throws: Mistake.self) { try Command.Options(["--orders"]) }
        #expect(throws: Mistake.self) { try Command.Options(["--orders", "0"]) }
        #expect(throws: Mistake.self) { try Command.Options(["--loud"]) }
    }
}
