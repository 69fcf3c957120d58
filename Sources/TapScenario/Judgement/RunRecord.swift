import TapField

/// What a run has left behind, for the judge.
public struct RunRecord: Sendable {
    /// A door that was open to a client.
    public struct Door: Hashable, Sendable {
        /// The word by which reports speak of it, such as `nfcpy`.
        public let name: String
        /// The environment variable that told the client where it is, if one did.
        public let variable: String?

        public init(name: String, variable: String?) {
            self.name = name
            self.variable = variable
        }
    }

    /// The world after the run, with its trace.
    public var world: World
    /// How the client ended and what it printed.
    public var client: ClientReport
    /// The doors that were open to it; none for a built-in client.
    public var doorsOpened: [Door]
    /// The door through which the field was switched on, if any was.
    public var doorUsed: String?
    /// Whether the client is a program that reads with Core NFC's shape, which opens no door.
    public var readsByPhone = false
    /// What the clock of the machine decided in the run, sentences without their stop: another run may differ.
    public var clockDecisions: [String] = []
    /// What the client did with the PC/SC service, if there was one of ours.
    public var service: ServiceUse?
    /// What an app and its phone did, if a phone read the cards; expectations on it are judged only then.
    public var phone: PhoneReport?
    /// What became of the client, where the case asks for that, or why clean runs say nothing about it; who runs the
    /// case finds it out.
    public var outcome: Result<OutcomeFinding, BaselineError>?

    public init(
        world: World, client: ClientReport, doorsOpened: [Door] = [], doorUsed: String? = nil,
        service: ServiceUse? = nil
    ) {
        self.world = world
        self.client = client
        self.doorsOpened = doorsOpened
        self.doorUsed = doorUsed
        self.service = service
    }

    /// The exchange to look at where none shows more: the first that a fault struck, else the last one.
    ///
    /// Behind it readers may look for cards by themselves, as often as the clock has it.
    var place: Int? {
        let struck = world.plan.tallies.flatMap(\.struck).filter { $0 > 0 }.min()
        return struck ?? (world.exchangeCount > 0 ? world.exchangeCount : nil)
    }

    /// Whether the client is a program that never reached a card.
    var hasMissedEveryDoor: Bool { !doorsOpened.isEmpty && doorUsed == nil }
}
