/// One line of the report: what was measured, what it shall reach and what came out.
struct Row {
    /// Whether the goal is reached, as the report writes it.
    enum State: String {
        case reached, missed
    }

    /// What was measured and in which unit, such as `W1 ÷ C`.
    let name: String
    let goal: Goal
    let value: Double
    /// What helps to read the number, such as the time the floor took; it differs from run to run.
    var remark = ""

    var state: State { goal.isReached(by: value) ? .reached : .missed }
}
