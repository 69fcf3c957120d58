import TapField
import TapWire

/// The NFC reader of a phone with the manners of Core NFC: finds tags, connects to one and carries out its commands.
///
/// It is a value without a clock of its own: every call moves the world it is given, and ends with a result or a
/// ``PhoneError``. One reader serves one session. Sources: Core NFC, NFCTagReaderSession, NFCFeliCaTag, NFCMiFareTag and
/// NFCNDEFTag; where these leave it open, the ``PhonePolicy`` decides.
public struct PhoneReader: Sendable {
    /// What the app declares; another set counts from the next look on.
    public var declarations: PhoneDeclarations
    /// What is decided where public sources leave it open.
    public let policy: PhonePolicy
    /// Remarks for whoever tests the app, each once, in the order they came up.
    public private(set) var notes: [String] = []
    /// The tags of the present discovery.
    var tags: [FoundTag] = []
    /// How often the phone has looked.
    var discovery = 0
    /// The tag that is connected, an index into ``tags``.
    var connected: Int?
    /// System codes that count as declared where nothing is.
    var assumedCodes: [SystemCode] = []
    /// Whether a card has answered since the field was last switched on.
    var hasBeenAnswered = false

    public init(declarations: PhoneDeclarations, policy: PhonePolicy = .usual) {
        self.declarations = declarations
        self.policy = policy
    }

    /// The tag that is connected.
    public var connectedTag: PhoneTag? { connected.map { tags[$0].tag } }

    /// Connects to a tag: halts the one connected before and selects this one again by its UID or system code.
    ///
    /// The tag that is connected already stays so without a frame; apps that ask in this way whether it still lies there
    /// wait for the error.
    ///
    /// - Throws: ``PhoneError`` 100 if the tag has left or is from an earlier discovery, 102 if it does not answer.
    public mutating func connect(to tag: PhoneTag, in world: inout World) throws(PhoneError) {
        guard tag.discovery == discovery, tags.indices.contains(tag.number) else {
            throw .lost("the tag was found before the phone looked again; use the tags of the last discovery")
        }
        guard connected != tag.number else { return try requirePresence(of: tag.number, in: &world) }
        disconnect(in: &world)
        try requirePresence(of: tag.number, in: &world)
        switch tags[tag.number].kind {
        case .typeA(let state): try select(tag.number, state, in: &world)
        case .feliCa(let state): try poll(tag.number, state, in: &world)
        }
        connected = tag.number
    }

    /// Lets go of the connected tag; a type A tag is halted.
    public mutating func disconnect(in world: inout World) {
        defer { connected = nil }
        guard let connected, case .typeA(let state) = tags[connected].kind, !state.isLost else { return }
        world.halt()
    }

    /// Whether a tag is connected and before the phone, and has not been lost by a command.
    public func isAvailable(_ tag: PhoneTag, in world: World) -> Bool {
        guard tag.discovery == discovery, connected == tag.number, isPresent(tag.number, in: world) else {
            return false
        }
        if case .typeA(let state) = tags[tag.number].kind { return !state.isLost }
        return true
    }

    /// Writes a remark down, once.
    mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// Whether a tag has been before the phone ever since it was found.
    func isPresent(_ index: Int, in world: World) -> Bool {
        world.isWithinReach(tags[index].card) && world.cards[tags[index].card].visit == tags[index].visit
    }

    /// The connected tag, ready for a command.
    ///
    /// - Throws: ``PhoneError`` 104 if another tag or none is connected, 100 if it has left.
    mutating func ready(_ tag: PhoneTag, in world: inout World) throws(PhoneError) -> Int {
        guard tag.discovery == discovery, connected == tag.number else {
            throw PhoneError(
                .tagNotConnected,
                reason: tag.discovery == discovery
                    ? "the session has not connected to the tag; call connect(to:) and wait for its end first"
                    : "the tag was found before the phone looked again; connect to a tag of the last discovery")
        }
        try requirePresence(of: tag.number, in: &world)
        return tag.number
    }

    private func requirePresence(of index: Int, in world: inout World) throws(PhoneError) {
        guard !isPresent(index, in: world) else { return }
        // Time passes, so that what the timeline holds can happen to an app that tries again and again.
        world.advance(by: PhonePatience.absent)
        throw .lost("the tag has left the phone; call restartPolling() to find it again")
    }

    private mutating func select(_ index: Int, _ state: TypeAState, in world: inout World) throws(PhoneError) {
        guard world.selectTypeA(state.uid, waiting: PhonePatience.search) != nil else {
            throw silence(of: index, to: "its selection", after: PhonePatience.search, in: world)
        }
        tags[index].kind = .typeA(TypeAState(uid: state.uid))
    }

    private mutating func poll(_ index: Int, _ state: FeliCaState, in world: inout World) throws(PhoneError) {
        let request = Polling.Request(systemCode: state.systemCode)
        guard let answer = world.poll(request, of: tags[index].card) else {
            throw silence(of: index, to: Polling.code.name, after: PhonePatience.search, in: world)
        }
        tags[index].kind = .feliCa(FeliCaState(systemCode: state.systemCode, idm: answer.idm, pmm: answer.pmm))
    }

    /// The error for a tag that did not answer: it is gone, or it is there and was silent.
    func silence(of index: Int, to command: String, after waiting: Duration, in world: World) -> PhoneError {
        guard isPresent(index, in: world) else {
            return .lost("the tag left the phone during \(command); call restartPolling() to find it again")
        }
        return .noResponse(
            "the tag is there and did not answer \(command) within \(waiting.milliseconds) ms; look whether it knows the "
                + "command in its present state")
    }
}

extension World {
    /// Puts the selected type A card to rest.
    mutating func halt() {
        _ = exchange(AirFrame(.typeA106, HLTA.Request().bytes), waiting: PhonePatience.halt)
    }
}
