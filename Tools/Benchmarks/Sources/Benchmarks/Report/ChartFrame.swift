import Foundation

/// Where the points of a chart lie in a picture: by powers along x, evenly from zero along y.
struct ChartFrame {
    private static let ySteps = 4.0

    let left, right, top, bottom: Double
    /// The places of all points along x, in order.
    let xTicks: [Double]
    private let greatest: Double

    init(_ chart: Chart, left: Double, right: Double, top: Double, bottom: Double) {
        (self.left, self.right, self.top, self.bottom) = (left, right, top, bottom)
        let points = chart.lines.flatMap(\.points)
        xTicks = Set(points.map(\.x)).sorted()
        greatest = max(points.map(\.y).max() ?? 1, chart.band?.upperBound ?? 0, .leastNormalMagnitude) * 1.1
    }

    func x(_ value: Double) -> Double {
        guard let first = xTicks.first, let last = xTicks.last, last > first else { return left }
        return left + (log(value) - log(first)) / (log(last) - log(first)) * (right - left)
    }

    func y(_ value: Double) -> Double { bottom - value / greatest * (bottom - top) }

    var yTicks: [Double] { stride(from: 0, through: Self.ySteps, by: 1).map { $0 / Self.ySteps * greatest } }
}
