import Meters

/// Measures whether the time of an exchange grows with the size of cards and fields.
enum GrowthBenchmark {
    /// What the longest time may be as a multiple of the shortest.
    private static let goal = Goal.atMost(1.15)

    static func measure(into report: Report) throws {
        report.begin("Time of an exchange, longest ÷ shortest, medians of \(Stopwatch.roundCount) rounds")
        try ServiceGrowth.growth().measure(into: report)
    }

    /// Something that grows, and what an exchange takes at each size of it.
    struct Growth {
        /// What grows.
        let name: String
        /// Sizes, the smallest first.
        let sizes: [Int]
        /// Runs as many exchanges at every size, in the order of the sizes.
        let runs: [TimedRun]
        /// How long each runs in a round, in nanoseconds.
        let sampleTime: Double

        func measure(into report: Report) {
            var stopwatch = Stopwatch(sampleTime: sampleTime)
            let title = "\(Table.count(sizes[0])) to \(Table.count(sizes[sizes.count - 1])) \(name)"
            guard let result = stopwatch.compare([runs[0]] + runs) else {
                return report.addVoid(title, Stopwatch.noise)
            }
            let ratios = [1] + result.ratios[2...]
            let row = Row(
                name: "\(title): longest ÷ shortest", goal: GrowthBenchmark.goal, value: Self.growth(of: ratios),
                remark: remark(ratios))
            report.add(row) { [sizes[0], sizes[sizes.count - 1]].compactMap(profile) }
            report.add(
                Chart(
                    title: "Time of an exchange", xName: name, yName: "time ÷ that at \(sizes[0])",
                    lines: [line(name, ratios[...])],
                    band: 0.85...1.15))
        }

        private static func growth(of ratios: some Collection<Double>) -> Double {
            (ratios.max() ?? 1) / (ratios.min() ?? 1)
        }

        private func remark(_ ratios: some Sequence<Double>) -> String {
            zip(sizes, ratios).map { "\(Table.count($0)): \(Table.number($1))" }.joined(separator: ", ")
        }

        private func line(_ name: String, _ ratios: ArraySlice<Double>) -> Chart.Line {
            Chart.Line(name: name, points: zip(sizes, ratios).map { (x: Double($0), y: $1) })
        }

        /// What a round takes at a size.
        private func profile(_ size: Int) -> String? {
            guard let index = sizes.firstIndex(of: size) else { return nil }
            return Usage.line("a round at \(Table.count(size))") { _ = runs[index]($0) }
        }
    }
}

extension Table {
    /// A whole number with its thousands apart, such as `100,000`.
    static func count(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.indices.map { index in
            let isGroup = index > 0 && (digits.count - index) % 3 == 0
            return (isGroup ? "," : "") + String(digits[index])
        }.joined()
    }
}
