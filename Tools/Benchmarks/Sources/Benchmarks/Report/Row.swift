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
    /// What a build fails without, where that is not the goal: a goal that is missed may not be missed by more.
    var gate: Goal?
    /// What helps to read the number, such as the time the floor took; it differs from run to run.
    var remark = ""

    var state: State { goal.isReached(by: value) ? .reached : .missed }

    /// Whether the row fails a build, if it is a gate.
    var failsBuild: Bool { !(gate ?? goal).isReached(by: value) }
}
