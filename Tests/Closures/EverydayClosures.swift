// What programs write behind `combine` and `zip`, as it comes: no type is spelled out for the compiler's sake.
// Scripts/check-closures compiles it within a bound. Each `_ =` is one closure.

import Foundation
import ReactCore
import ReactOperators

enum Phase: Sendable { case idle, loading, failed(String), done }
extension Phase: Equatable {}
struct Item: Sendable, Equatable { var name: String; var price: Double; var isDone: Bool }
struct Failure: Error { let reason: String }

struct Nodes {
    let text = MutableNode(""), other = MutableNode(""), third = MutableNode("")
    let count = MutableNode(0), limit = MutableNode(10), page = MutableNode(1)
    let price = MutableNode(9.99), rate = MutableNode(0.19), discount = MutableNode<Double?>(nil)
    let isOn = MutableNode(true), isBusy = MutableNode(false), isValid = MutableNode(true)
    let phase = MutableNode(Phase.idle), other2 = MutableNode(Phase.done)
    let items = MutableNode<[Item]>([]), tags = MutableNode<Set<String>>([]), index = MutableNode<Int?>(nil)
    let name = MutableNode<String?>(nil), table = MutableNode<[String: Int]>([:])
    let answer = MutableNode<Result<Int, Failure>>(.success(1)), date = MutableNode(Date())
}

func two(_ n: Nodes) {
    _ = combine(n.text, n.other).mapEach { $0.isEmpty || $1.isEmpty }
    _ = combine(n.text, n.other).mapEach { $0 == $1 ? "same" : "different" }
    _ = combine(n.count, n.rate).mapEach { Double($0) * $1 }
    _ = combine(n.price, n.discount).mapEach { $0 - ($1 ?? 0) }
    _ = combine(n.phase, n.isOn).mapEach { $0 == .idle && $1 }
    _ = combine(n.items, n.text).mapEach { items, text in items.filter { text.isEmpty || $0.name.contains(text) } }
    _ = combine(n.items, n.index).mapEach { items, index in
        index.flatMap { items.indices.contains($0) ? items[$0] : nil }
    }
    _ = combine(n.name, n.count).mapEach { "\($0 ?? "nobody") has \($1) message\($1 == 1 ? "" : "s")" }
    _ = combine(n.text, n.table).mapEach { $1[$0, default: 0] + 1 }
    _ = combine(n.answer, n.count).mapEach { ((try? $0.get()) ?? 0) + $1 }
    _ = combine(n.count, n.limit) { $0 < $1 }
    _ = combine(n.price, n.count) { $0 * Double($1) * 1.19 }
    _ = zip(n.text, n.count).mapEach { $0 + ": " + String($1) }
    _ = zip(n.isOn, n.name).mapEach { $0 ? $1 : nil }
}

func three(_ n: Nodes) {
    // RxSwift's first example.
    _ = combine(n.text, n.other, n.third).mapEach { (Int($0) ?? 0) + (Int($1) ?? 0) + (Int($2) ?? 0) }.map { "\($0)" }
    _ = combine(n.text, n.other, n.isOn).mapEach { !$0.isEmpty && $1.count >= 8 && $2 }
    _ = combine(n.phase, n.text, n.count).mapEach { $0 == .idle && !$1.isEmpty && $2 > 0 }
    _ = combine(n.price, n.rate, n.count).mapEach { $0 * (1 + $1) * Double($2) }
    _ = combine(n.price, n.discount, n.count).mapEach { ($0 - ($1 ?? 0)) * Double($2) }
    _ = combine(n.isOn, n.isBusy, n.isValid).mapEach { $0 && !$1 && $2 }
    _ = combine(n.items, n.text, n.isOn).mapEach { items, text, onlyOpen in
        items.filter { (text.isEmpty || $0.name.lowercased().contains(text.lowercased())) && !(onlyOpen && $0.isDone) }
    }
    _ = combine(n.items, n.page, n.limit).mapEach { Array($0.dropFirst(($1 - 1) * $2).prefix($2)) }
    _ = combine(n.name, n.text, n.other).mapEach { $0 ?? ($1.isEmpty ? $2 : $1) }
    _ = combine(n.count, n.limit, n.page).mapEach { max(0, min($0, $1)) * 100 / ($2 == 0 ? 1 : $2) }
    _ = combine(n.phase, n.other2, n.isOn).mapEach { $0 == .loading || $1 == .loading || !$2 }
    _ = combine(n.count, n.price, n.text).mapEach { "\($2): \(Double($0) * $1)" }
    _ = combine(n.phase, n.items, n.name) { phase, items, name in
        switch phase {
        case .idle: "nothing yet"
        case .loading: "loading \(name ?? "…")"
        case .failed(let reason): reason
        case .done: "\(items.count) items"
        }
    }
    _ = combine(n.items, n.rate, n.discount) { $0.reduce(0) { $0 + $1.price } * (1 + $1) - ($2 ?? 0) }
    _ = combine(n.text, n.other, n.third) { [$0, $1, $2].filter { !$0.isEmpty }.joined(separator: ", ") }
    _ = zip(n.count, n.text, n.isOn).mapEach { $2 ? "\($0) \($1)" : $1 }
    _ = zip(n.count, n.limit, n.page).mapEach { [$0, $1, $2].max() ?? 0 }
}

func four(_ n: Nodes) {
    _ = combine(n.text, n.other, n.isOn, n.phase).mapEach { $0.contains("@") && $1.count > 7 && $2 && $3 == .idle }
    _ = combine(n.count, n.limit, n.page, n.rate).mapEach { Double($0 + $1 - $2) * $3 }
    _ = combine(n.text, n.other, n.third, n.name).mapEach {
        (Int($0) ?? 0) + (Int($1) ?? 0) * (Int($2) ?? 1) + (Int($3 ?? "") ?? 0)
    }
    _ = combine(n.price, n.rate, n.discount, n.count).mapEach { ($0 * (1 + $1) - ($2 ?? 0)) * Double($3) }
    _ = combine(n.isOn, n.isBusy, n.isValid, n.index).mapEach { $0 && !$1 && $2 && $3 != nil }
    _ = combine(n.name, n.index, n.discount, n.count).mapEach { $0 == nil && $1 == nil && $2 == nil ? $3 : -$3 }
    _ = combine(n.text, n.count, n.price, n.isOn).mapEach { "\($0) × \($1) = \($2 * Double($1))\($3 ? "!" : "")" }
    _ = combine(n.items, n.text, n.isOn, n.limit).mapEach { items, text, descending, limit in
        items.filter { $0.name.hasPrefix(text) }.sorted { descending ? $0.price > $1.price : $0.price < $1.price }
            .prefix(limit).map(\.name)
    }
    _ = combine(n.phase, n.other2, n.text, n.isOn) { ($0 == .done && $1 == .done) || ($2.isEmpty && $3) ? 1.0 : 0.5 }
    _ = zip(n.text, n.count, n.price, n.isOn).mapEach { Item(name: $0, price: $2 * Double($1), isDone: $3) }
}

func five(_ n: Nodes) {
    _ = combine(n.text, n.other, n.third, n.isOn, n.isBusy).mapEach { !$0.isEmpty && $1 == $2 && $3 && !$4 }
    _ = combine(n.count, n.limit, n.page, n.price, n.rate).mapEach { Double($0 * $1 / max($2, 1)) * $3 + $4 }
    _ = combine(n.phase, n.isOn, n.isValid, n.text, n.index).mapEach {
        $0 == .idle && $1 && $2 && !$3.isEmpty && ($4 ?? 0) > 0
    }
    _ = combine(n.price, n.rate, n.discount, n.count, n.name).mapEach {
        "\($4 ?? "–"): \(($0 - ($2 ?? 0)) * (1 + $1) * Double($3))"
    }
    _ = combine(n.count, n.limit, n.page, n.index, n.text) { $0 + $1 + $2 + ($3 ?? 0) + (Int($4) ?? 0) }
}

func six(_ n: Nodes) {
    _ = combine(n.count, n.limit, n.page, n.index, n.text, n.price).mapEach {
        Double($0 + $1 - $2 + ($3 ?? 0)) * $5 + (Double($4) ?? 0)
    }
    _ = combine(n.text, n.other, n.third, n.isOn, n.isBusy, n.isValid).mapEach {
        !$0.isEmpty && !$1.isEmpty && !$2.isEmpty && $3 && !$4 && $5
    }
    _ = combine(n.phase, n.other2, n.isOn, n.count, n.limit, n.name) {
        $0 == .idle && $1 != .loading && $2 && $3 < $4 && $5 != nil
    }
    _ = zip(n.count, n.limit, n.page, n.text, n.other, n.third).mapEach { "\($0 + $1 + $2)" + $3 + $4 + $5 }
}

func seven(_ n: Nodes) {
    _ = combine(n.count, n.limit, n.page, n.price, n.rate, n.discount, n.isOn).mapEach {
        ($6 ? 1 : -1) * (Double($0 + $1 * $2) * $3 * (1 + $4) - ($5 ?? 0))
    }
    _ = combine(n.text, n.other, n.third, n.name, n.phase, n.isOn, n.isBusy).mapEach {
        $0.isEmpty || $1.isEmpty || $2.isEmpty || $3 == nil || $4 == .loading || !$5 || $6
    }
    _ = combine(n.count, n.limit, n.page, n.index, n.text, n.other, n.third) {
        $0 + $1 + $2 + ($3 ?? 0) + (Int($4) ?? 0) + (Int($5) ?? 0) + (Int($6) ?? 0)
    }
}

func eight(_ n: Nodes) {
    _ = combine(n.count, n.limit, n.page, n.index, n.price, n.rate, n.discount, n.isOn).mapEach {
        Double($0 + $1 + $2 + ($3 ?? 0)) * $4 * (1 + $5) - ($6 ?? 0) + ($7 ? 1 : 0)
    }
    _ = combine(n.text, n.other, n.third, n.name, n.phase, n.isOn, n.isBusy, n.isValid).mapEach {
        !$0.isEmpty && !$1.isEmpty && !$2.isEmpty && $3 != nil && $4 == .idle && $5 && !$6 && $7
    }
    _ = combine(n.count, n.limit, n.page, n.index, n.text, n.other, n.third, n.name) {
        $0 + $1 - $2 + ($3 ?? 0) + (Int($4) ?? 0) + (Int($5) ?? 0) + (Int($6) ?? 0) + (Int($7 ?? "") ?? 0)
    }
    _ = zip(n.count, n.limit, n.page, n.index, n.text, n.other, n.third, n.name).mapEach {
        "\($0 + $1 + $2 + ($3 ?? 0))" + $4 + $5 + $6 + ($7 ?? "")
    }
}

func nine(_ n: Nodes) {
    _ = combine(n.count, n.limit, n.page, n.index, n.price, n.rate, n.discount, n.isOn, n.text).mapEach {
        Double($0 + $1 + $2 + ($3 ?? 0)) * $4 * (1 + $5) - ($6 ?? 0) + ($7 ? 1 : 0) + (Double($8) ?? 0)
    }
    _ = combine(n.text, n.other, n.third, n.name, n.phase, n.isOn, n.isBusy, n.isValid, n.index).mapEach {
        !$0.isEmpty && !$1.isEmpty && !$2.isEmpty && $3 != nil && $4 == .idle && $5 && !$6 && $7 && ($8 ?? 0) >= 0
    }
    _ = combine(n.count, n.limit, n.page, n.index, n.text, n.other, n.third, n.name, n.isOn) {
        $0 + $1 - $2 + ($3 ?? 0) + (Int($4) ?? 0) + (Int($5) ?? 0) + (Int($6) ?? 0) + (Int($7 ?? "") ?? 0)
            + ($8 ? 1 : 0)
    }
}

// From ten nodes on, the closure needs a second statement.
func ten(_ n: Nodes) {
    _ = combine(n.text, n.other, n.count, n.price, n.isOn, n.name, n.third, n.tags, n.limit, n.items) {
        text, other, count, price, isOn, name, third, tags, limit, items in
        let isFine =
            !text.isEmpty && other.count > 0 && count > 0 && price > 1 && isOn && (name ?? "x").count < 8
            && third != text
            && tags.isEmpty && limit > 3 && items.count == 1
        return isFine
    }
    _ = combine(n.text, n.other, n.count, n.price, n.isOn, n.name, n.third, n.tags, n.limit, n.items).mapEach {
        text, other, count, price, isOn, name, third, tags, limit, items in
        let isFine =
            !text.isEmpty && other.count > 0 && count > 0 && price > 1 && isOn && (name ?? "x").count < 8
            && third != text
            && tags.isEmpty && limit > 3 && items.count == 1
        return isFine
    }
}
