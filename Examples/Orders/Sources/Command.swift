import Foundation
import Streams

/// The command.
@main enum Command {
    static let usage = """
        Usage: orders [--count] [--orders NUMBER]

        100,000 orders with their customers: filtered, joined, sorted by amount, and summed for each region. Prints the 20 rows on screen,
        and the rows and totals that change with each line of standard input:
          add ORDER CUSTOMER AMOUNT     adds an open order
          amount ORDER AMOUNT           changes an order
          open ORDER, close ORDER       only open orders are shown
          remove ORDER
          name CUSTOMER NAME            changes a customer, in all of the customer's orders
          region CUSTOMER REGION
          least AMOUNT                  shows orders of at least this amount
          first RANK                    scrolls to a row, 0 for the first
          sort amount, name or hand     sorts the rows, by hand as they were moved
          move ORDER ROW                moves an order to a row, 1 for the first, if they are sorted by hand
          section REGION                prints the first 20 orders of a region
          show                          prints all 20 rows
        --count prints how many closures ran for each line. --orders sets the number of orders.

        """

    struct Options: Equatable {
        var isCounting = false
        var orders = 100_000
        var isAskingForHelp = false

        init(_ arguments: some Sequence<String>) throws(Mistake) {
            var arguments = Array(arguments)[...]
            while let argument = arguments.popFirst() {
                switch argument {
                case "--help": isAskingForHelp = true
                case "--count": isCounting = true
                case "--orders":
                    guard let number = arguments.popFirst().flatMap({ Int($0) }), 1...10_000_000 ~= number else {
                        throw Mistake("--orders: a number from 1 to 10000000, please")
                    }
                    orders = number
                default: throw Mistake("\(argument): there is no such option; --help lists them")
                }
            }
        }
    }

    static func main() {
        let console = Console("orders")
        do throws(Mistake) {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.isAskingForHelp { return console.write(usage) }
            guard FileHandle.standardInput.isOpen else { throw Mistake("cannot read standard input: it is closed") }
            let session = Session(options) { console.writeLine($0) }
            let failure = FileHandle.standardInput.forEachLine { line in
                if let message = session.take(line) { console.complain(message) }
            }
            if let failure { throw Mistake("cannot read standard input: \(failure)") }
            if session.hasMistakes { exit(2) }
        } catch {
            console.complain(error.message)
            exit(2)
        }
    }
}

/// Takes the lines of input, one by one.
final class Session {
    private let book: OrderBook
    private let screen: Screen
    private let print: @Sendable (String) -> Void
    private let isCounting: Bool
    private var number = 0
    private(set) var hasMistakes = false

    init(_ options: Command.Options, print: @escaping @Sendable (String) -> Void) {
        book = .sample(options.orders)
        isCounting = options.isCounting
        self.print = print
        screen = Screen(book, print: print)
        let calls = book.calls.take()
        if isCounting { print("  closures: \(calls.line)") }
    }

    /// Edits the book by a line, and prints the changes. `nil` stands for a line that is not UTF-8. Returns a message
    /// about a line that cannot be used, which changes nothing.
    func take(_ line: String?) -> String? {
        number += 1
        do throws(Mistake) {
            guard let line else { throw Mistake("the line is not UTF-8") }
            guard let instruction = try Instruction(line) else { return nil }
            print("> \(line)")
            try instruction.edit(book)
            if instruction == .show { screen.all().forEach(print) }
            if case .section(let region) = instruction { screen.section(of: region)?.forEach(print) }
            let calls = book.calls.take()
            if isCounting { print("  closures: \(calls.line)") }
            return nil
        } catch {
            hasMistakes = true
            return "standard input:\(number): \(error.message)"
        }
    }
}
