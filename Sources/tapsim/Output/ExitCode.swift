/// What the command leaves with; scripts may rely on it.
enum ExitCode: Int32, Sendable {
    /// All went as expected.
    case passed = 0
    /// An expectation failed.
    case failed = 1
    /// The command line or a file cannot be followed.
    case usage = 2
    /// The machine does not give what is needed.
    case environment = 3
    /// TapSim itself is at fault.
    case ownBug = 4
    /// A time limit was reached.
    case timeLimit = 124
}
