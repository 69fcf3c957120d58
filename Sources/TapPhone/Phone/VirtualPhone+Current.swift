import TapDoors

/// Which phone a session belongs to.
extension VirtualPhone {
    /// The phone of the task, and of the tasks that begin in it.
    @TaskLocal public static var current: VirtualPhone?

    private static let standard = Lock<VirtualPhone?>(nil)
    private static let lender = Lock(Lender())

    /// The phone of code that runs in no task that has one, such as on a queue of the app.
    public static var processDefault: VirtualPhone? {
        get { standard.withLock { $0 } }
        set { standard.withLock { $0 = newValue } }
    }

    /// Whether code that runs here, in no task that has a phone, may take that of the process; any may at first.
    ///
    /// Where tests run beside each other, one without a phone must not take that of another.
    public static var lendsProcessDefault: @Sendable () -> Bool {
        get { lender.withLock { $0 }.lends }
        set { lender.withLock { $0.lends = newValue } }
    }

    /// The phone that a session which begins here belongs to: that of the task, else that of the process.
    public static var inEffect: VirtualPhone? {
        if let current { return current }
        return lendsProcessDefault() ? processDefault : nil
    }
}

/// Who says whether the phone of the process may be taken.
///
/// A lock around the bare closure would hold it wrapped once more each time it was asked for.
private struct Lender {
    var lends: @Sendable () -> Bool = { true }
}
