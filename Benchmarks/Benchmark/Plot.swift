import Foundation

/// Cases against baselines, group by group: a line per row, on it a ring for the baseline and a dot for the case, on
/// a logarithmic scale.
struct Plot {
    private let rows: [Row]

    /// Draws the rows that are in time and have a baseline.
    init(_ rows: [Row]) {
        self.rows = rows.filter { $0.baseline != nil && ($0.metric.hasPrefix("ns") || $0.metric.hasPrefix("µs")) }
    }

    private static let lineHeight = 20.0
    private static let left = 230.0
    private static let right = 90.0
    private static let top = 60.0
    private static let width = 960.0

    /// The colours, as plain attributes, so that every renderer shows them. If the renderer knows style sheets and
    /// the reader's theme is dark, the classes beside them take over.
    private enum Paint: String, CaseIterable {
        case paper, ink, faint, grid, span, ring, dot

        /// Light, then dark.
        private var colours: (fill: String?, stroke: String?, dark: (fill: String?, stroke: String?)) {
            switch self {
            case .paper: ("#ffffff", nil, ("#0d1117", nil))
            case .ink: ("#1f2328", nil, ("#e6edf3", nil))
            case .faint: ("#6e7781", nil, ("#8d96a0", nil))
            case .grid: (nil, "#d8dee4", (nil, "#30363d"))
            case .span: (nil, "#8c959f", (nil, "#8d96a0"))
            case .ring: ("#ffffff", "#8c959f", ("#0d1117", "#8d96a0"))
            case .dot: ("#0969da", nil, ("#58a6ff", nil))
            }
        }
        var attributes: String {
            let fill = colours.fill.map { #" fill="\#($0)""# } ?? ""
            let stroke = colours.stroke.map { #" stroke="\#($0)""# } ?? ""
            return #"class="\#(rawValue)""# + fill + stroke
        }
        private var darkRule: String {
            let fill = colours.dark.fill.map { "fill: \($0)" }
            let stroke = colours.dark.stroke.map { "stroke: \($0)" }
            return ".\(rawValue) { \([fill, stroke].compactMap { $0 }.joined(separator: "; ")) }"
        }
        static var darkRules: String { allCases.map(\.darkRule).joined(separator: "\n") }
    }

    var svg: String {
        let scale = Scale(covering: rows.flatMap { [nanoseconds($0, $0.min), nanoseconds($0, $0.baseline!)] })
        let lines = self.lines
        let bottom = Self.top + Double(lines.count) * Self.lineHeight
        var drawn = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(bottom + 20))" \
            font-family="system-ui, sans-serif" font-size="12">
            <style>
            @media (prefers-color-scheme: dark) {
            \(Paint.darkRules)
            }
            </style>
            <rect \(Paint.paper.attributes) width="100%" height="100%"/>
            \(text("Time per unit of each case, against its baseline", .ink, x: 12, y: 22, #"font-size="15" font-weight="600""#))
            \(dot(x: Self.left, y: 40))\(text("case", .ink, x: Self.left + 10, y: 44))
            \(ring(x: Self.left + 60, y: 40))\(text("baseline", .ink, x: Self.left + 70, y: 44))
            """
        ]
        for tick in scale.ticks {
            let x = coordinate(scale.position(tick))
            drawn.append(
                """
                <line \(Paint.grid.attributes) x1="\(x)" y1="\(Self.top - 6)" x2="\(x)" y2="\(bottom)"/>\
                \(text(duration(tick), .faint, x: x, y: bottom + 14, #"text-anchor="middle""#))
                """
            )
        }
        for (index, line) in lines.enumerated() {
            let y = Self.top + (Double(index) + 0.5) * Self.lineHeight
            switch line {
            case .title(let title): drawn.append(text(title, .ink, x: 12, y: y + 4, #"font-weight="600""#))
            case .row(let row): drawn.append(self.line(row, at: y, scale))
            }
        }
        return drawn.joined(separator: "\n") + "\n</svg>\n"
    }
    private enum Line {
        case title(String)
        case row(Row)
    }
    /// The rows, each group below its title.
    private var lines: [Line] {
        var lines: [Line] = []
        var group: String?
        for row in rows {
            if let title = row.group, title != group { lines.append(.title(title)) }
            group = row.group
            lines.append(.row(row))
        }
        return lines
    }

    private func line(_ row: Row, at y: Double, _ scale: Scale) -> String {
        let own = coordinate(scale.position(nanoseconds(row, row.min)))
        let other = coordinate(scale.position(nanoseconds(row, row.baseline!)))
        let unit = row.metric.drop { $0 != "/" }
        let figures = "\(format(row.min)) \(row.metric); \(row.floor ?? "") \(format(row.baseline!))"
        return """
            <text \(Paint.ink.attributes) x="12" y="\(y + 4)">\(escape("\(row.name) \(row.size)"))\
            <tspan \(Paint.faint.attributes)> \(escape(String(unit)))</tspan></text>\
            <line \(Paint.span.attributes) x1="\(other)" y1="\(y)" x2="\(own)" y2="\(y)"/>\
            \(ring(x: other, y: y))\(dot(x: own, y: y, title: figures))\
            \(text("\(format(row.ratio ?? 0)) ×", .ink, x: Self.width - 12, y: y + 4, #"text-anchor="end""#))
            """
    }

    private func text(_ text: String, _ paint: Paint, x: Double, y: Double, _ attributes: String = "") -> String {
        let attributes = attributes.isEmpty ? "" : " " + attributes
        return #"<text \#(paint.attributes) x="\#(x)" y="\#(y)"\#(attributes)>\#(escape(text))</text>"#
    }
    private func ring(x: Double, y: Double) -> String {
        #"<circle \#(Paint.ring.attributes) stroke-width="1.5" cx="\#(x)" cy="\#(y)" r="4"/>"#
    }
    private func dot(x: Double, y: Double, title: String? = nil) -> String {
        let content = title.map { "<title>\(escape($0))</title>" } ?? ""
        return #"<circle \#(Paint.dot.attributes) cx="\#(x)" cy="\#(y)" r="4.5">\#(content)</circle>"#
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
