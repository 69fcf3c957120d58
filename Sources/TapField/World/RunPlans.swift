/// What is to happen in a run by itself and to go wrong, and what that has left behind.
struct RunPlans: Sendable {
    /// What is still to happen by itself.
    var timeline: Timeline
    /// What goes wrong, and what has gone wrong.
    var faults: FaultPlan
    /// What faults have left behind for the exchanges after theirs.
    var aftermath = FaultAftermath()
    /// What readers, doors and phones are to do wrong before the call under way is over.
    var hostFaults = HostFaults()
    /// What the reader last answered its host; kept only where a plan may want it.
    var previousReaderAnswer: [UInt8]?
    /// Lines for the client that nobody has taken yet.
    var linesToSend: [String] = []
    /// What a clock outside reads, where the timeline follows one.
    var measured: Duration = .zero
    /// Whether that clock decided when the step under way happens.
    var isPerformingMeasured = false

    init(_ timeline: Timeline, _ faults: FaultPlan) {
        self.timeline = timeline
        self.faults = faults
    }

    /// Whether the timeline still holds something, or a fault may add to it.
    var areOpen: Bool { !timeline.isOver || !faults.isEmpty }

    /// The instant at which the timeline stands, at an instant of card time.
    func instant(at cardTime: Duration) -> Duration {
        timeline.clock == .cardTime ? cardTime : measured
    }
}

/// What goes wrong outside of frames, until whoever carries it out asks for it.
struct HostFaults: Sendable {
    var reader: [ReaderFault] = []
    var door: [DoorFault] = []
    var phone: [PhoneFault] = []
}
