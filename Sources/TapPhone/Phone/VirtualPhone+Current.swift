import TapDoors

/// Which phone a session belongs to.
extension VirtualPhone {
    /// The phone of the task, and of the tasks that begin in it.
    @TaskLocal public static var current: VirtualPhone?

    private static let standard = Lock<VirtualPhone?>(nil)

    /// The phone of code that runs in no task that has one, such as on a queue of the app.
    public static var processDefault: VirtualPhone? {
        get { standard.withLock { $0 } }
        set { standard.withLock { $0 = newValue } }
    }

    /// The phone that a session which begins here belongs to: that of the task, else that of the process.
    public static var inEffect: VirtualPhone? { current ?? processDefault }
}
