// Tables of 100,000 rows, one of which changes, beside the recomputation of arrays.

import ReactCore
import ReactOperators
import ReactTables
import Synchronization

private let rowCount = 100_000
private let groupCount = 100
/// The number of tables' edits in a sample, and of arrays'.
private let (tableEdits, arrayEdits) = (1_000, 2)

let tableCases =
    [
        edited("sum", goal: 1) {
            $0.sum(of: \.amount)
        } ofRows: {
            $0.reduce(0) { $0 + $1.amount }
        },
        edited("filter+map+sort+window", goal: 6) {
            $0.filterRows { $0.amount & 1 == 0 }.mapRows { Entry(id: $0.id, group: $0.group, amount: -$0.amount) }
                .sorted(by: \.amount).window(rows: Node(0..<50))
        } ofRows: {
            Array(
                $0.filter { $0.amount & 1 == 0 }.map { Entry(id: $0.id, group: $0.group, amount: -$0.amount) }
                    .sorted { ($0.amount, $0.id) < ($1.amount, $1.id) }.prefix(50))
        },
        edited("group+sum", goal: 3) {
            $0.fold(by: \.group, 0, adding: { $0 += $1.amount }, removing: { $0 -= $1.amount })
        } ofRows: {
            Rows($0.reduce(into: [:]) { $0[$1.group, default: 0] += $1.amount }.map { ($0.key, $0.value) })
        },
        edited("join", goal: 6) {
            $0.joined(with: Node(partners), on: \.group) { $0.amount &+ $1 }
        } ofRows: { rows in
            Rows(rows.map { ($0.id, $0.amount &+ $0.group) })
        },
    ] + [1, 10, 1_000].map(changes) + [
        rowsOfNodes, lookup, listening, moving, loading, callCounts, comparisonCounts, chainComparisonCounts,
    ]

private typealias Rows = ReactTables.Table

private struct Entry: Equatable, Sendable {
    var id: Int
    var group: Int
    var amount: Int
}
private let entries = (0..<rowCount).map { Entry(id: $0, group: $0 % groupCount, amount: $0) }
private let partners = Rows((0..<groupCount).map { ($0, $0) })

/// The keys of edited rows are far from each other, and even, so that the rows pass the filter.
private func key(ofEdit edit: Int) -> Int { edit &* 15_838 % rowCount }

/// A chain of operators behind a table whose rows change one by one, beside a function of an array of them all.
private func edited<Result: Equatable & Sendable>(
    _ name: String, goal: Double, _ chain: @escaping @Sendable (Node<Rows<Int, Entry>>) -> Node<Result>,
    ofRows recompute: @escaping @Sendable ([Entry]) -> Result
) -> Case {
    Case(
        name: "table \(name)", size: "\(rowCount)", metric: .microseconds(per: "edit"),
        baseline: Baseline(name: "arrays") {
            let source = MutableNode(entries)
            let result = source.map { recompute($0) }
            return Sample(of: arrayEdits) {
                let elapsed = time(in: .microseconds) {
                    for edit in 0..<arrayEdits { source.update { $0[key(ofEdit: edit)].amount &+= 2 } }
                }
                try WrongResult.expect("the result", result.value == recompute(source.current), toBe: true)
                return elapsed
            }
        },
        goal: .value(goal)
    ) {
        let source = MutableNode(Rows(entries, by: \.id))
        let result = chain(source)
        return Sample(of: tableEdits) {
            let elapsed = time(in: .microseconds) {
                for edit in 0..<tableEdits { source.update { $0.update(key(ofEdit: edit)) { $0.amount &+= 2 } } }
            }
            try WrongResult.expect("the result", result.value == recompute(Array(source.current.rows)), toBe: true)
            return elapsed
        }
    }
}

/// Finds the rows in which two versions differ, beside a walk through two arrays.
private func changes(of count: Int) -> Case {
    Case(
        name: "table changes", size: "\(count)", metric: .microseconds(per: "call"),
        baseline: Baseline(name: "arrays") {
            var after = entries
            for edit in 0..<count { after[key(ofEdit: edit)].amount = -1 }
            return Sample { [after] in
                var found: [Int] = []
                let elapsed = time(in: .microseconds) {
                    for (place, row) in after.enumerated() where entries[place] != row { found.append(place) }
                }
                try WrongResult.expect("the number of changes", found.count, toBe: count)
                return elapsed
            }
        }
    ) {
        let before = Rows(entries, by: \.id)
        var after = before
        for edit in 0..<count { after.update(key(ofEdit: edit)) { $0.amount = -1 } }
        return Sample { [after] in
            var found = 0
            let elapsed = time(in: .microseconds) { found = after.changes(from: before).updated.count }
            try WrongResult.expect("the number of changes", found, toBe: count)
            return elapsed
        }
    }
}

private let rowsOfNodes = Case(
    name: "rows of nodes", size: "2000", metric: .microseconds(per: "set"), goal: .value(1.5)
) {
    let nodes = (0..<2_000).map { MutableNode($0) }
    let table = Node.rows(of: nodes.enumerated().map { ($0, $1 as Node<Int>) })
    var set = 2_000
    return Sample(of: tableEdits) {
        let elapsed = time(in: .microseconds) {
            for _ in 0..<tableEdits {
                set += 1
                nodes[set &* 7 % 2_000].value = set
            }
        }
        try WrongResult.expect("the last row", table.value?[set &* 7 % 2_000], toBe: set)
        return elapsed
    }
}

private let lookup = Case(
    name: "table lookup", size: "\(rowCount)", metric: .nanoseconds(per: "lookup"),
    baseline: Baseline(name: "Dictionary") {
        let rows = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
        return Sample(of: tableEdits) { try lookUp { rows[$0] } }
    },
    goal: .value(100)
) {
    let rows = Rows(entries, by: \.id)
    return Sample(of: tableEdits) { try lookUp { rows[$0] } }
}
private func lookUp(_ row: (Int) -> Entry?) throws -> Double {
    var sum = 0
    let elapsed = time(in: .nanoseconds) {
        for edit in 0..<tableEdits { sum &+= row(key(ofEdit: edit))?.amount ?? 0 }
    }
    try WrongResult.expect("the sum", sum, toBe: (0..<tableEdits).reduce(0) { $0 + key(ofEdit: $1) })
    return elapsed
}

/// A listener that hears of each row that changes.
private let listening = Case(
    name: "table withChanges", size: "\(rowCount)", metric: .microseconds(per: "edit"), goal: .value(3)
) {
    let source = MutableNode(Rows(entries, by: \.id)), lifetime = Lifetime(), heard = Tally()
    source.listened(by: lifetime).withChanges { _, changes in for _ in changes.updated { _ = heard.hit() } }
    return Sample(of: tableEdits) {
        _ = heard.take()
        let elapsed = time(in: .microseconds) {
            for edit in 0..<tableEdits { source.update { $0.update(key(ofEdit: edit)) { $0.amount &+= 2 } } }
        }
        try WrongResult.expect("the number of changes", heard.take(), toBe: tableEdits)
        withExtendedLifetime(lifetime) {}
        return elapsed
    }
}

/// A listener that hears of each row that moves in another order.
private let moving = Case(
    name: "table moved", size: "\(rowCount)", metric: .microseconds(per: "edit"), goal: .value(12)
) {
    let source = MutableNode(Rows(entries, by: \.id)), lifetime = Lifetime(), heard = Tally()
    source.sorted(by: \.amount).listened(by: lifetime).withChanges { _, changes in
        for _ in changes.moved { _ = heard.hit() }
    }
    var sample = 0
    return Sample(of: tableEdits) {
        _ = heard.take()
        sample += 1
        let change = sample % 2 == 0 ? -rowCount : rowCount
        let elapsed = time(in: .microseconds) {
            for edit in 0..<tableEdits { source.update { $0.update(key(ofEdit: edit)) { $0.amount &+= change } } }
        }
        try WrongResult.expect("the number of moves", heard.take() > tableEdits / 2, toBe: true)
        withExtendedLifetime(lifetime) {}
        return elapsed
    }
}

private let loading = Case(
    name: "table load", size: "\(rowCount)", metric: .microseconds(per: "table"),
    baseline: Baseline(name: "sort") {
        let rows = shuffled
        return Sample {
            var sorted: [Entry] = []
            let elapsed = time(in: .microseconds) { sorted = rows.sorted { $0.id < $1.id } }
            try WrongResult.expect("the rows", sorted == entries, toBe: true)
            return elapsed
        }
    },
    goal: .value(80_000)
) {
    let rows = shuffled
    return Sample {
        var table = Rows<Int, Entry>()
        let elapsed = time(in: .microseconds) { table = Rows(rows, by: \.id) }
        try WrongResult.expect("the rows", table.rows.elementsEqual(entries), toBe: true)
        return elapsed
    }
}
/// The rows in an order of no pattern, always the same.
private let shuffled = (0..<rowCount).map { entries[$0 &* 61_681 % rowCount] }

/// Closure calls for an edited row. The operators' are one each, and two for the fold, which removes and adds.
private let callCounts = Case(
    name: "table closures", size: "\(rowCount)", metric: .count(of: "calls/edit"),
    baseline: Baseline(name: "arrays") {
        let calls = Tally()
        let source = MutableNode(entries)
        let sorted = source.map { rows in
            rows.filter { _ in calls.hit() }.map { calls.hit() ? $0 : $0 }.sorted {
                calls.hit() && $0.amount < $1.amount
            }
        }
        let total = sorted.map { $0.reduce(0) { calls.hit() ? $0 + $1.amount : 0 } }
        return Sample(of: arrayEdits) {
            _ = calls.take()
            for edit in 0..<arrayEdits { source.update { $0[key(ofEdit: edit)].amount &+= 2 } }
            try WrongResult.expect("the sum", total.value, toBe: source.current.reduce(0) { $0 + $1.amount })
            return Double(calls.take())
        }
    },
    goal: .value(5)
) {
    let calls = Tally()
    let source = MutableNode(Rows(entries, by: \.id))
    let rows = source.filterRows { _ in calls.hit() }.mapRows { calls.hit() ? $0 : $0 }
    let sorted = rows.sorted { calls.hit() ? $0.amount : 0 }
    let total = rows.fold(
        0, adding: { $0 += calls.hit() ? $1.amount : 0 }, removing: { $0 -= calls.hit() ? $1.amount : 0 })
    return Sample(of: tableEdits) {
        _ = calls.take()
        for edit in 0..<tableEdits { source.update { $0.update(key(ofEdit: edit)) { $0.amount &+= 2 } } }
        let taken = calls.take()
        try WrongResult.expect("the sum", total.value, toBe: source.current.rows.reduce(0) { $0 + $1.amount })
        withExtendedLifetime(sorted) {}
        return Double(taken)
    }
}

/// Comparisons of two rows by `changes(from:)` for an edited row: those of one leaf, beside those of two whole arrays.
private let comparisonCounts = Case(
    name: "table changes compared", size: "1", metric: .count(of: "comparisons/edit"),
    baseline: Baseline(name: "arrays") {
        let tally = Tally()
        let before = (0..<rowCount).map { Compared(number: $0, tally: tally) }
        var after = before
        after[0].number = -1
        return Sample { [after] in
            _ = tally.take()
            try WrongResult.expect("the number of changes", zip(before, after).count { $0 != $1 }, toBe: 1)
            return Double(tally.take())
        }
    },
    goal: .value(24)
) {
    let tally = Tally()
    var table = Rows((0..<rowCount).map { ($0, Compared(number: $0, tally: tally)) })
    return Sample(of: tableEdits) {
        _ = tally.take()
        for edit in 0..<tableEdits {
            let before = table
            table.update(key(ofEdit: edit)) { $0.number += 2 }
            try WrongResult.expect("the number of changes", table.changes(from: before).updated.count, toBe: 1)
        }
        return Double(tally.take())
    }
}

/// Comparisons of rows, and of the parts that they are sorted by, in a chain of operators for an edited row.
private let chainComparisonCounts = Case(
    name: "table chain compared", size: "\(rowCount)", metric: .count(of: "comparisons/edit"),
    baseline: Baseline(name: "arrays") {
        let tally = Tally()
        let source = MutableNode((0..<rowCount).map { Compared(number: $0, tally: tally) })
        let top = source.map { rows in
            Array(rows.filter { $0.number & 1 == 0 }.map { $0 }.sorted(by: >).prefix(50))
        }
        return Sample(of: arrayEdits) {
            _ = tally.take()
            for edit in 0..<arrayEdits { source.update { $0[key(ofEdit: edit)].number &+= 2 } }
            let taken = tally.take()
            try WrongResult.expect("the number of rows", top.value?.count, toBe: 50)
            return Double(taken)
        }
    },
    goal: .value(250)
) {
    let tally = Tally()
    let source = MutableNode(Rows((0..<rowCount).map { ($0, Compared(number: $0, tally: tally)) }))
    let top = source.filterRows { $0.number & 1 == 0 }.mapRows { $0 }.sorted(by: { $0 }, descending: true)
        .window(rows: Node(0..<50))
    return Sample(of: tableEdits) {
        _ = tally.take()
        for edit in 0..<tableEdits { source.update { $0.update(key(ofEdit: edit)) { $0.number &+= 2 } } }
        let taken = tally.take()
        let expected = source.current.rows.map(\.number).filter { $0 & 1 == 0 }.sorted(by: >).prefix(50)
        try WrongResult.expect("the rows", top.value?.map(\.number), toBe: Array(expected))
        return Double(taken)
    }
}
/// A row that counts how often it is compared.
private struct Compared: Comparable, Hashable, Sendable {
    var number: Int
    let tally: Tally
    static func == (a: Compared, b: Compared) -> Bool { a.tally.hit() && a.number == b.number }
    static func < (a: Compared, b: Compared) -> Bool { a.tally.hit() && a.number < b.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
private final class Tally: Sendable {
    private let count = Atomic(0)
    func hit() -> Bool {
        count.add(1, ordering: .relaxed)
        return true
    }
    func take() -> Int { count.exchange(0, ordering: .relaxed) }
}
