/// Curves over one axis that grows by powers of ten or two.
struct Chart {
    /// One curve.
    struct Line {
        let name: String
        let points: [(x: Double, y: Double)]
    }

    let title: String
    /// What grows.
    let xName: String
    /// What is measured.
    let yName: String
    let lines: [Line]
    /// A horizontal band the curves shall stay in.
    let band: ClosedRange<Double>?
}
