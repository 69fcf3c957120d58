import Foundation

/// The report as a picture: a bar for every row, as a part of its goal, and the curves.
struct Plot {
    private static let width = 960.0
    private static let margin = 24.0
    private static let rowHeight = 18.0
    private static let nameWidth = 520.0
    private static let chartHeight = 300.0

    private let rows: [Row]
    private let charts: [Chart]

    init(_ report: Report) {
        rows = report.rows
        charts = report.charts
    }

    /// The picture.
    var svg: String {
        let barsHeight = Double(rows.count) * Self.rowHeight + 3 * Self.margin
        let height = barsHeight + Double(charts.count) * Self.chartHeight
        var body = bars
        for (number, chart) in charts.enumerated() {
            body += curves(chart, top: barsHeight + Double(number) * Self.chartHeight)
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(text(Self.width))" height="\(text(height))" \
            font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            \(body.joined(separator: "\n"))
            </svg>

            """
    }

    /// Bars on a scale by powers of ten, on which all goals lie on one line.
    private var bars: [String] {
        let goalPlace = Self.nameWidth + (Self.width - Self.nameWidth) / 2
        let decade = (Self.width - Self.margin - goalPlace) / 3
        var lines = [label("Measured, as a part of the goal", Self.margin, Self.margin, weight: "bold")]
        for (number, row) in rows.enumerated() {
            let top = 2 * Self.margin + Double(number) * Self.rowHeight
            let share = max(row.goal.share(of: row.value), 1e-3)
            let end = min(max(goalPlace + log10(share) * decade, Self.nameWidth), Self.width - Self.margin)
            let (left, right) = (min(end, goalPlace), max(end, goalPlace))
            let color = row.state == .reached ? "#2e7d32" : "#c62828"
            lines.append(label(row.name, Self.margin, top + 12))
            lines.append(
                """
                <rect x="\(text(left))" y="\(text(top + 2))" width="\(text(max(right - left, 1)))" height="13" \
                fill="\(color)"><title>\(escaped("\(Table.number(row.value)), goal \(row.goal)"))</title></rect>
                """)
        }
        let bottom = 2 * Self.margin + Double(rows.count) * Self.rowHeight
        lines.append(line(goalPlace, 1.5 * Self.margin, goalPlace, bottom, "black"))
        return lines
    }

    private func curves(_ chart: Chart, top: Double) -> [String] {
        let frame = ChartFrame(
            chart, left: 3 * Self.margin, right: Self.width - 8 * Self.margin, top: top + 2 * Self.margin,
            bottom: top + Self.chartHeight - 2 * Self.margin)
        var lines = [label(chart.title, Self.margin, top + Self.margin, weight: "bold")]
        if let band = chart.band {
            lines.append(
                """
                <rect x="\(text(frame.left))" y="\(text(frame.y(band.upperBound)))" \
                width="\(text(frame.right - frame.left))" \
                height="\(text(frame.y(band.lowerBound) - frame.y(band.upperBound)))" fill="#e8f5e9"/>
                """)
        }
        lines.append(line(frame.left, frame.bottom, frame.right, frame.bottom, "black"))
        lines.append(line(frame.left, frame.top, frame.left, frame.bottom, "black"))
        lines += frame.xTicks.map { label(Table.number($0), frame.x($0), frame.bottom + 16, anchor: "middle") }
        lines += frame.yTicks.map { label(Table.number($0), frame.left - 6, frame.y($0) + 4, anchor: "end") }
        lines.append(label(chart.xName, frame.right, frame.bottom + 32, anchor: "end"))
        lines.append(label(chart.yName, frame.left, frame.top - 8))
        for (number, curve) in chart.lines.enumerated() {
            let color = ["#1565c0", "#ef6c00", "#6a1b9a", "#00838f"][number % 4]
            let points = curve.points.map { "\(text(frame.x($0.x))),\(text(frame.y($0.y)))" }
            lines.append(
                "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>"
            )
            let end = curve.points.last.map { frame.y($0.y) } ?? frame.top
            lines.append(label(curve.name, frame.right + 6, end + 4, color: color))
        }
        return lines
    }

    private func label(
        _ words: String, _ x: Double, _ y: Double, anchor: String = "start", weight: String = "normal",
        color: String = "black"
    ) -> String {
        """
        <text x="\(text(x))" y="\(text(y))" text-anchor="\(anchor)" font-weight="\(weight)" fill="\(color)">\
        \(escaped(words))</text>
        """
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String) -> String {
        "<line x1=\"\(text(x1))\" y1=\"\(text(y1))\" x2=\"\(text(x2))\" y2=\"\(text(y2))\" stroke=\"\(color)\"/>"
    }

    private func text(_ number: Double) -> String { String(format: "%.1f", number) }

    private func escaped(_ words: String) -> String {
        words.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
