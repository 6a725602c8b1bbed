/// The changes from an earlier run to this one.
///
/// If both rows have a ratio, the change is that of the ratio, which the speed and the load of the machine hardly
/// touch. Otherwise it is that of the minimum.
struct Comparison {
    struct Change {
        let row: Row
        let before: Double
        let after: Double
        let isRatio: Bool
        /// 1.1 is 10 % worse than before.
        var factor: Double { after / before }
    }
    /// The worst first; among equals, in the order of the run.
    let changes: [Change]
    let added: [Row]

    init(of rows: [Row], with earlier: [Row]) {
        let known = Dictionary(earlier.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        added = rows.filter { known[$0.key] == nil }
        changes =
            rows.compactMap { row in
                known[row.key].map { old in
                    guard let before = old.ratio, let after = row.ratio, old.floor == row.floor else {
                        return Change(row: row, before: old.min, after: row.min, isRatio: false)
                    }
                    return Change(row: row, before: before, after: after, isRatio: true)
                }
            }
            .enumerated()
            .sorted { ($1.element.factor, $0.offset) < ($0.element.factor, $1.offset) }
            .map(\.element)
    }

    var lines: [String] {
        let heads = ["case", "size", "metric", "before", "after", "change"]
        let table = Table(
            heads,
            [changes.map(\.row.name), changes.map(\.row.size), changes.map(\.row.metric), [], [], []],
            atLeast: [0, 0, 0, 10, 10, 8]
        )
        return [table.line(heads)]
            + changes.map { change in
                let unit = change.isRatio ? "×" : " "
                let percent = format((change.factor - 1) * 100)
                return table.line([
                    change.row.name, change.row.size, change.row.metric, format(change.before) + unit,
                    format(change.after) + unit, (change.factor >= 1 ? "+" : "") + percent + " %",
                ])
            }
            + added.map { "new: \($0.name) \($0.size), \($0.metric)" }
    }
}
