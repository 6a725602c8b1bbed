import Foundation

/// Cases against baselines: a line per row, on it a ring for the baseline and a dot for the case, on a logarithmic scale.
struct Plot {
    private let rows: [Row]

    /// Draws what is told in time and has a baseline.
    init(_ rows: [Row]) {
        self.rows = rows.filter { $0.baseline != nil && ($0.metric.hasPrefix("ns") || $0.metric.hasPrefix("µs")) }
    }

    private static let lineHeight = 20.0
    private static let left = 230.0
    private static let right = 90.0
    private static let top = 60.0
    private static let width = 960.0

    var svg: String {
        let scale = Scale(covering: rows.flatMap { [nanoseconds($0, $0.min), nanoseconds($0, $0.baseline!)] })
        let bottom = Self.top + Double(rows.count) * Self.lineHeight
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(bottom + 20))" \
            font-family="system-ui, sans-serif" font-size="12">
            <style>
            :root { --ink: #1f2328; --faint: #8c959f; --grid: #d8dee4; --case: #0969da; --paper: #ffffff }
            @media (prefers-color-scheme: dark) {
            :root { --ink: #e6edf3; --faint: #8d96a0; --grid: #30363d; --case: #58a6ff; --paper: #0d1117 }
            }
            text { fill: var(--ink) } .faint { fill: var(--faint) } .grid { stroke: var(--grid) }
            .span { stroke: var(--faint) } .baseline { fill: var(--paper); stroke: var(--faint); stroke-width: 1.5 }
            .case { fill: var(--case) } .paper { fill: var(--paper) }
            </style>
            <rect class="paper" width="100%" height="100%"/>
            <text x="12" y="22" font-size="15" font-weight="600">Time per unit of each case, against its baseline</text>
            <circle class="case" cx="\(Self.left)" cy="40" r="4.5"/><text x="\(Self.left + 10)" y="44">case</text>
            <circle class="baseline" cx="\(Self.left + 60)" cy="40" r="4"/>\
            <text x="\(Self.left + 70)" y="44">baseline</text>
            """
        ]
        for tick in scale.ticks {
            let x = coordinate(scale.position(tick))
            lines.append(
                """
                <line class="grid" x1="\(x)" y1="\(Self.top - 6)" x2="\(x)" y2="\(bottom)"/>\
                <text class="faint" x="\(x)" y="\(bottom + 14)" text-anchor="middle">\(duration(tick))</text>
                """
            )
        }
        for (index, row) in rows.enumerated() {
            lines.append(line(row, at: Self.top + (Double(index) + 0.5) * Self.lineHeight, scale))
        }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    private func line(_ row: Row, at y: Double, _ scale: Scale) -> String {
        let own = coordinate(scale.position(nanoseconds(row, row.min)))
        let other = coordinate(scale.position(nanoseconds(row, row.baseline!)))
        let unit = row.metric.drop { $0 != "/" }
        return """
            <text x="12" y="\(y + 4)">\(escape("\(row.name) \(row.size)"))\
            <tspan class="faint"> \(escape(String(unit)))</tspan></text>\
            <line class="span" x1="\(other)" y1="\(y)" x2="\(own)" y2="\(y)"/>\
            <circle class="baseline" cx="\(other)" cy="\(y)" r="4"/><circle class="case" cx="\(own)" cy="\(y)" r="4.5">\
            <title>\(escape("\(format(row.min)) \(row.metric); \(row.floor ?? "") \(format(row.baseline!))"))</title></circle>\
            <text x="\(Self.width - 12)" y="\(y + 4)" text-anchor="end">\(format(row.ratio ?? 0)) ×</text>
            """
    }

    private func nanoseconds(_ row: Row, _ value: Double) -> Double {
        value * (row.metric.hasPrefix("µs") ? TimeUnit.microseconds : .nanoseconds).rawValue
    }

    private func coordinate(_ position: Double) -> Double {
        let x = Self.left + position * (Self.width - Self.left - Self.right)
        return (x * 10).rounded() / 10
    }

    private func duration(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: "\(Int(nanoseconds)) ns"
        case ..<1_000_000: "\(Int(nanoseconds / 1_000)) µs"
        default: "\(Int(nanoseconds / 1_000_000)) ms"
        }
    }

    private func escape(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}

/// A logarithmic scale over whole powers of ten.
private struct Scale {
    let ticks: [Double]

    init(covering values: [Double]) {
        var low = 1.0
        while let least = values.min(), low * 10 <= least { low *= 10 }
        var ticks = [low, low * 10]
        while let most = values.max(), ticks[ticks.count - 1] < most { ticks.append(ticks[ticks.count - 1] * 10) }
        self.ticks = ticks
    }

    /// Between 0 and 1.
    func position(_ value: Double) -> Double {
        let (low, high) = (ticks[0], ticks[ticks.count - 1])
        return Swift.max(0, log10(value / low) / log10(high / low))
    }
}
