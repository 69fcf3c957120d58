import TapField
import TapWire

/// The first phase of fuzzing: every fault that can strike, once at every exchange of the clean run; one of what cards
/// hold once in all.
///
/// Nothing in it is drawn by chance: the same clean run and the same catalogue give the same runs in the same order.
public struct SystematicPhase: Hashable, Sendable {
    /// One run of the phase: a fault at a place.
    public struct Run: Hashable, Sendable {
        /// The fault, in one of the variants of its kind.
        public let fault: Fault
        /// Where it strikes.
        public let place: FaultPlace

        /// The name by which a run is asked for again: `rf.silence@7`, or `pcsc.slow@c3` at a call.
        public var name: String { "\(faultName)@\(place.name)" }

        /// The name of the fault with what sets it apart from its other variants: `mem.tear:inside=100%`.
        public var faultName: String {
            ([fault.kind.name] + fault.arguments.written.map { "\($0.name)=\($0.value)" }).joined(separator: ":")
        }

        /// The plan of the run.
        public var plan: FaultPlan { FaultPlan([FaultPlan.Entry(fault, when: place.trigger)]) }
    }

    /// The exchanges of the clean run, and behind them its calls of PC/SC.
    public let places: [FaultPlace]
    /// The runs, fault by fault in the order of the catalogue, each in its variants, place by place in the order of the
    /// clean run.
    public let runs: [Run]

    /// Lays out the phase.
    ///
    /// - Parameters:
    ///   - world: The world after a clean run, whose trace has kept its events and whose plan its calls.
    ///   - kinds: The faults to try.
    public init(of world: World, _ kinds: [FaultKind]) {
        let places = FaultPlace.all(of: world.trace.exchanges) + FaultPlace.all(of: world.plan.calls)
        self.places = places
        runs = kinds.flatMap { kind in
            let admitting = places.filter { $0.admits(kind) }
            return kind.variants.flatMap { arguments in
                let fault = Fault(kind, arguments)
                let exchanges = Set(fault.places(in: world.trace.exchanges, cards: world.cards.map(\.original)))
                return admitting.filter { $0.isCall || exchanges.contains($0.number) }
                    .map { Run(fault: fault, place: $0) }
            }
        }
    }
}
