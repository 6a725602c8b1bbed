import ReactTables

/// A message about a line that cannot be used.
struct Mistake: Error {
    let message: String
    init(_ message: String) { self.message = message }
}

/// A line of input.
enum Instruction: Equatable {
    case add(id: Int, customer: Int, amount: Int)
    case amount(id: Int, Int)
    case open(id: Int, Bool)
    case remove(id: Int)
    case name(customer: Int, String)
    case region(customer: Int, String)
    case least(Int)
    case first(rank: Int)
    case sort(Sorting)
    case move(id: Int, row: Int)
    case section(region: String)
    case show

    /// Reads a line. Returns `nil` for an empty line and for a comment. Throws a `Mistake` for a line that is no
    /// instruction, and for one with a control character, which could steer the terminal when it is printed.
    init?(_ line: String) throws(Mistake) {
        for scalar in line.unicodeScalars where scalar.properties.generalCategory == .control && scalar != "\t" {
            throw Mistake("the line has a control character, number \(scalar.value)")
        }
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let verb = words.first, !verb.hasPrefix("#") else { return nil }
        func expect(_ count: Int, _ form: String) throws(Mistake) {
            if words.count != count { throw Mistake("'\(line)': write \(form)") }
        }
        func number(_ place: Int) throws(Mistake) -> Int {
            guard let number = Int(words[place]), 0...1_000_000_000 ~= number else {
                throw Mistake("'\(words[place])' is no whole number from 0 to 1000000000")
            }
            return number
        }
        switch verb {
        case "add":
            try expect(4, "add ORDER CUSTOMER AMOUNT")
            self = .add(id: try number(1), customer: try number(2), amount: try number(3))
        case "amount":
            try expect(3, "amount ORDER AMOUNT")
            self = .amount(id: try number(1), try number(2))
        case "open", "close":
            try expect(2, "\(verb) ORDER")
            self = .open(id: try number(1), verb == "open")
        case "remove":
            try expect(2, "remove ORDER")
            self = .remove(id: try number(1))
        case "name":
            guard words.count > 2 else { throw Mistake("'\(line)': write name CUSTOMER NAME") }
            self = .name(customer: try number(1), words.dropFirst(2).joined(separator: " "))
        case "region":
            try expect(3, "region CUSTOMER REGION")
            self = .region(customer: try number(1), words[2])
        case "least":
            try expect(2, "least AMOUNT")
            self = .least(try number(1))
        case "first":
            try expect(2, "first RANK")
            self = .first(rank: try number(1))
        case "sort":
            let names = Sorting.allCases.map(\.rawValue).joined(separator: ", ")
            try expect(2, "sort and one of: \(names)")
            guard let sorting = Sorting(rawValue: words[1]) else {
                throw Mistake("cannot sort by '\(words[1])'; sort by one of: \(names)")
            }
            self = .sort(sorting)
        case "move":
            try expect(3, "move ORDER ROW")
            self = .move(id: try number(1), row: try number(2))
        case "section":
            try expect(2, "section REGION")
            self = .section(region: words[1])
        case "show":
            try expect(1, "show")
            self = .show
        default: throw Mistake("'\(verb)' is no instruction; --help lists them")
        }
    }

    /// Edits the book. If an order or a customer does not exist, throws a `Mistake` and changes nothing.
    func edit(_ book: OrderBook) throws(Mistake) {
        switch self {
        case .add(let id, let customer, let amount):
            guard book.orders.current[id] == nil else { throw Mistake("there is an order \(id) already") }
            try requireCustomer(customer, in: book)
            let place = Place.between(book.arranged.current.last?.row.place, nil)
            book.orders.update {
                $0[id] = Order(id: id, customer: customer, amount: amount, isOpen: true, place: place)
            }
        case .amount(let id, let amount): try change(id, in: book) { $0.amount = amount }
        case .open(let id, let isOpen): try change(id, in: book) { $0.isOpen = isOpen }
        case .remove(let id):
            try requireOrder(id, in: book)
            book.orders.update { $0[id] = nil }
        case .name(let id, let name):
            try requireCustomer(id, in: book)
            book.customers.update { $0.update(id) { $0.name = name } }
        case .region(let id, let region):
            try requireCustomer(id, in: book)
            book.customers.update { $0.update(id) { $0.region = region } }
        case .least(let amount): book.least.value = amount
        case .first(let rank): book.first.value = rank
        case .sort(let sorting): book.sorting.value = sorting
        case .move(let id, let row): try move(id, to: row, in: book)
        case .section(let region):
            if book.sections.current[region] == nil { throw Mistake("there is no order of the region '\(region)'") }
        case .show: break
        }
    }
    /// Puts an order behind the line that is to stand above it, and before the next one of all orders, shown or not.
    private func move(_ id: Int, to row: Int, in book: OrderBook) throws(Mistake) {
        guard book.sorting.current == .hand else { throw Mistake("write sort hand first, to arrange the rows") }
        let (shown, all) = (book.sorted.current, book.arranged.current)
        guard let old = shown.rank(of: id) else { throw Mistake("order \(id) is not shown") }
        guard 1...shown.count ~= row else { throw Mistake("there is no row \(row), only 1 to \(shown.count)") }
        guard row - 1 != old else { return }
        let rankAbove = row - 1 < old ? row - 2 : row - 1
        let above = rankAbove < 0 ? nil : shown[rank: rankAbove]
        var next = above.flatMap { all.rank(of: $0.key) }.map { $0 + 1 } ?? 0
        if next < all.count, all[rank: next].key == id { next += 1 }
        let below = next < all.count ? all[rank: next].row.place : nil
        let place = Place.between(above?.row.order.place, below)
        book.orders.update { $0.update(id) { $0.place = place } }
    }
    private func change(
        _ id: Int, in book: OrderBook, _ change: @escaping @Sendable (inout Order) -> Void
    ) throws(Mistake) {
        try requireOrder(id, in: book)
        book.orders.update { $0.update(id, change) }
    }
    private func requireOrder(_ id: Int, in book: OrderBook) throws(Mistake) {
        if book.orders.current[id] == nil { throw Mistake("there is no order \(id)") }
    }
    private func requireCustomer(_ id: Int, in book: OrderBook) throws(Mistake) {
        if book.customers.current[id] == nil { throw Mistake("there is no customer \(id)") }
    }
}
