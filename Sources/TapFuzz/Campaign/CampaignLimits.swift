/// The limits that end campaigns early; they apply to all cases of one command together.
public struct CampaignLimits: Sendable {
    /// The reason why campaigns ended early.
    public enum Stop: String, CaseIterable, Sendable {
        /// The requested number of new causes was found.
        case causes
        case time
        case interrupt
    }

    /// The time at which everything ends, including runs in progress.
    public let deadline: ContinuousClock.Instant?
    /// The time after which only runs that simplify findings begin, if there are findings.
    private let searchDeadline: ContinuousClock.Instant?
    private let mostCauses: Int?
    private let isInterrupted: @Sendable () -> Bool
    public private(set) var stop: Stop?
    /// The run or the control card with which a client in this process did not end; the client may block its thread forever.
    private(set) var endless: String?
    private var causes: Set<String> = []

    /// - Parameters:
    ///   - time: The time for everything; a fifth of it is reserved for simplifying findings.
    ///   - mostCauses: The number of new causes after which no further run begins.
    ///   - isInterrupted: Returns whether the user wants the campaign to end.
    public init(
        time: Duration? = nil, mostCauses: Int? = nil, isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) {
        deadline = time.map { .now + $0 }
        searchDeadline = time.map { .now + $0 * 4 / 5 }
        self.mostCauses = mostCauses
        self.isInterrupted = isInterrupted
    }

    /// Adds a cause that counts.
    ///
    /// - Returns: Whether the cause is new.
    mutating func add(cause: String) -> Bool { causes.insert(cause).inserted }

    mutating func end(with endless: String) { self.endless = endless }

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

    /// A Boolean value that indicates whether findings stay as they are, without confirmation or simplification.
    var isLate: Bool { endless != nil || isInterrupted() || deadline.map { ContinuousClock.now >= $0 } ?? false }
}

/// The limit of the phase that combines faults, after each fault was tried alone.
public enum GuidedBudget: Hashable, Sendable {
    case runs(Int)
    case time(Duration)
}
