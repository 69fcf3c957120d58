import TapDoors

/// `--parent`: the process without which nobody needs a service any more.
enum ParentArgument {
    static let option = Option.value(
        "--parent", "PID", "End with this process instead of the one that started the command.")

    /// The process: the one named, else the one that started this one.
    ///
    /// - Throws: ``UsageError`` if no such process runs.
    static func process(_ arguments: Arguments) throws(UsageError) -> ProcessWatch {
        guard let number = try arguments.number("--parent", as: Int32.self) else { return .parent }
        guard let watch = ProcessWatch(number) else { throw UsageError("`--parent`: no process \(number) runs") }
        return watch
    }
}
