import ReactCore
import ReactOperators
import ReactScheduling
import ReactTables

struct Order: Equatable, Sendable { var id: Int, total: Int }

func mistakes(
    _ orders: Node<Table<Int, Order>>, _ words: Node<Table<Int, String>>, _ text: MutableNode<String>,
    _ number: MutableNode<Int>, find: @escaping @Sendable (String) async throws -> [String]
) {
    _ = words.sorted(by: <)  // give the part to sort by, as in 'sorted(by: \.total
    _ = orders.sorted(by: { $0.total < $1.total })  // give the part to sort by
    // The guide *Operators* has the remedy.
    _ = merge(text, number)  // no exact matches in call to global function 'merge'
    _ = text.merge(number)  // no exact matches in call to instance method 'merge'
    _ = merge([text, number])  // failed to produce diagnostic for expression
    // The guide *Computed* has the remedy.
    _ = computed { read in  // type 'Any' does not conform to the 'Sendable' protocol
        if try read(text).isEmpty { return [] }
        return [try read(text)]
    }
    _ = computed { read in read(text) }  // call can throw, but it is not marked with 'try'
    text.value += "a"  // value of optional type 'String?' must be unwrapped
    // The guide *In an app* has the remedy.
    _ = text.mapLatest { text in  // type 'Any' does not conform to the 'Sendable' protocol
        if text.isEmpty { return [] }
        return try await find(text)
    }
}

// The guide *Getting started* has the remedy.
final class Model: Sendable { @Reactive var name = "" }  // stored property '_name' of 'Sendable'-conforming class

// The same in a way that compiles.
func remedies(
    _ orders: Node<Table<Int, Order>>, _ words: Node<Table<Int, String>>, _ text: MutableNode<String>,
    _ number: MutableNode<Int>, find: @escaping @Sendable (String) async throws -> [String]
) {
    _ = words.sorted(by: \.self)
    _ = orders.sorted(by: \.total, descending: true)
    _ = merge(text, number.map { "\($0)" })
    _ = text.merge(number.map { "\($0)" }).merge(text, text)
    _ = merge([text, number.map { "\($0)" }])
    _ = computed { read -> [String] in
        if try read(text).isEmpty { return [] }
        return [try read(text)]
    }
    _ = computed { read in try read(text) }
    text.current += "a"
    _ = text.mapLatest { text -> [String] in
        if text.isEmpty { return [] }
        return try await find(text)
    }
}
