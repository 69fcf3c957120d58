/// The timeline and the faults of a run, and their pending effects.
struct RunPlans: Sendable {
    var timeline: Timeline
    var faults: FaultPlan
    /// The cards that an ended timeline had yet to bring.
    var cardsThatNeverCame: [CardToCome] = []
    var aftermath = FaultAftermath()
    /// Faults for readers, transports and phones in the current call.
    var hostFaults = HostFaults()
    var previousReaderAnswer: [UInt8]?
    /// Lines for the client that have not been taken yet.
    var linesToSend: [String] = []
    /// The reading of the external clock, if the timeline follows it.
    var measured: Duration = .zero
    /// A Boolean value that indicates whether the time of the current step came from the external clock.
    var isPerformingMeasured = false

    init(_ timeline: Timeline, _ faults: FaultPlan) {
        self.timeline = timeline
        self.faults = faults
    }

    var areOpen: Bool { !timeline.isOver || !faults.isEmpty }

    /// Returns the current instant of the timeline's clock, given the card time.
    func instant(at cardTime: Duration) -> Duration {
        timeline.clock == .measured ? measured : cardTime
    }
}

/// Faults outside of frames, until the responsible layer takes them.
struct HostFaults: Sendable {
    var reader: [ReaderFault] = []
    var transport: [TransportFault] = []
    var phone: [PhoneFault] = []
}
