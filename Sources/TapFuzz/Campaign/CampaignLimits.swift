import TapJudge

/// When campaigns end before all of their runs are performed; they count over all cases of one command.
public struct CampaignLimits: Sendable {
    /// Why campaigns ended early.
    public enum Stop: String, CaseIterable, Sendable {
        /// As many new causes were found as were asked for.
        case causes
        case time
        case interrupt
    }

    /// When all is over, what is under way as well.
    public let deadline: ContinuousClock.Instant?
    /// When no run begins but those that make findings simpler, if there are any.
    private let searchDeadline: ContinuousClock.Instant?
    private let mostCauses: Int?
    private let isInterrupted: @Sendable () -> Bool
    public private(set) var stop: Stop?
    /// The run or the control card with which a client in this process did not end: it may hold its thread for ever.
    private(set) var endless: String?
    private var causes: Set<String> = []

    /// - Parameters:
    ///   - time: For all, a fifth of it for making findings simpler.
    ///   - mostCauses: After how many new causes no run begins.
    ///   - isInterrupted: Whether somebody wants it to end.
    public init(
        time: Duration? = nil, mostCauses: Int? = nil, isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) {
        deadline = time.map { .now + $0 }
        searchDeadline = time.map { .now + $0 * 4 / 5 }
        self.mostCauses = mostCauses
        self.isInterrupted = isInterrupted
    }

    /// Takes a cause that counts.
    ///
    /// - Returns: Whether it is new.
    mutating func add(cause: String) -> Bool { causes.insert(cause).inserted }

    mutating func end(with endless: String) { self.endless = endless }

    /// Looks whether no further run is to begin.
    public mutating func isOver() -> Bool {
        if stop == nil {
            if isInterrupted() {
                stop = .interrupt
            } else if let end = causes.isEmpty ? deadline : searchDeadline, ContinuousClock.now >= end {
                stop = .time
            } else if let mostCauses, causes.count >= mostCauses {
                stop = .causes
            }
        }
        return stop != nil || endless != nil
    }

    /// A Boolean value that indicates whether findings stay as they are, neither repeated nor made simpler.
    var isLate: Bool { endless != nil || isInterrupted() || deadline.map { ContinuousClock.now >= $0 } ?? false }
}

/// The limit of the phase that combines faults, after each fault was tried alone.
public enum GuidedBudget: Hashable, Sendable {
    case runs(Int)
    case time(Duration)
}
