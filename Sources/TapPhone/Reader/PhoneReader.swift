import TapCards
import TapField
import TapWire

/// The NFC reader of a phone, which behaves like Core NFC: it finds tags, connects to one and carries out its commands.
///
/// The reader is a value without a clock: every call advances the given world, and ends with a result or a ``PhoneError``. A
/// reader serves one session. Sources: Core NFC, NFCTagReaderSession, NFCFeliCaTag, NFCMiFareTag and NFCNDEFTag; where these
/// leave a question open, the ``PhonePolicy`` decides.
public struct PhoneReader: Sendable {
    /// The app's declarations; changes take effect with the next look.
    public var declarations: PhoneDeclarations
    public let policy: PhonePolicy
    /// Notes for the tester, without duplicates, in order.
    public private(set) var notes: [String] = []
    var tags: [FoundTag] = []
    var discovery = 0
    /// The connected tag, as an index into ``tags``.
    var connected: Int?
    /// The system codes that count as declared if there is no Info.plist.
    var assumedCodes: [SystemCode] = []
    /// A Boolean value that indicates whether a card has answered since the field was last switched on.
    var hasBeenAnswered = false

    public init(declarations: PhoneDeclarations, policy: PhonePolicy = .default) {
        self.declarations = declarations
        self.policy = policy
    }

    public var connectedTag: PhoneTag? { connected.map { tags[$0].tag } }

    /// Connects to a tag: halts the previous tag and selects this tag again by its UID or system code.
    ///
    /// Connecting again to the connected tag sends no frame; apps that check its presence in this way wait for the error. A
    /// tag that a command has lost, for example through a NAK, is selected again.
    ///
    /// - Throws: ``PhoneError`` 100 if the tag has left or is from an earlier discovery, 102 if it does not answer.
    public mutating func connect(to tag: PhoneTag, in world: inout World) throws(PhoneError) {
        guard tag.discovery == discovery, tags.indices.contains(tag.number) else {
            throw .lost("the tag was found before the phone looked again; use the tags of the last discovery")
        }
        guard connected != tag.number || isLost(tag.number) else {
            return try requirePresence(of: tag.number, in: &world)
        }
        disconnect(in: &world)
        try requirePresence(of: tag.number, in: &world)
        switch tags[tag.number].kind {
        case .typeA(let state): try select(tag.number, state, in: &world)
        case .feliCa(let state): try poll(tag.number, state, in: &world)
        }
        connected = tag.number
    }

    /// Disconnects; a type A tag is halted.
    public mutating func disconnect(in world: inout World) {
        defer { connected = nil }
        guard let connected, case .typeA = tags[connected].kind, !isLost(connected) else { return }
        world.halt()
    }

    /// Returns whether a tag is connected, present and not lost by a command.
    public func isAvailable(_ tag: PhoneTag, in world: World) -> Bool {
        guard tag.discovery == discovery, connected == tag.number, isPresent(tag.number, in: world) else {
            return false
        }
        return !isLost(tag.number)
    }

    /// Returns whether a command has lost the tag, so that it is present but no longer selected.
    private func isLost(_ index: Int) -> Bool {
        if case .typeA(let state) = tags[index].kind { state.isLost } else { false }
    }

    mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// Returns whether a tag has been present ever since it was found.
    func isPresent(_ index: Int, in world: World) -> Bool {
        world.isWithinReach(tags[index].card) && world.cards[tags[index].card].visit == tags[index].visit
    }

    /// Returns the connected tag.
    ///
    /// - Throws: ``PhoneError`` 104 if another tag or none is connected, 100 if it has left.
    mutating func ready(_ tag: PhoneTag, in world: inout World) throws(PhoneError) -> Int {
        guard tag.discovery == discovery, connected == tag.number else {
            throw PhoneError(
                .tagNotConnected,
                reason: tag.discovery == discovery
                    ? "the session has not connected to the tag; call connect(to:) and wait until it has finished"
                    : "the tag was found before the phone looked again; connect to a tag of the last discovery")
        }
        try requirePresence(of: tag.number, in: &world)
        return tag.number
    }

    private func requirePresence(of index: Int, in world: inout World) throws(PhoneError) {
        guard !isPresent(index, in: world) else { return }
        // Time passes so that the timeline advances for an app that retries.
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

    /// Returns the error for silence, which depends on whether the tag has left.
    func silence(of index: Int, to command: String, after waiting: Duration, in world: World) -> PhoneError {
        guard isPresent(index, in: world) else {
            return .lost("the tag left the phone during \(command); call restartPolling() to find it again")
        }
        return .noResponse(
            "the tag is present but did not answer \(command) within \(waiting.milliseconds) ms; check whether it accepts the "
                + "command in its current state")
    }
}

extension PhoneReader {
    public static let maximumTags = 16

    /// Looks for tags once, which invalidates earlier tags.
    ///
    /// Type A comes first, with anticollision until every tag has been selected and halted, then FeliCa, by the declared
    /// codes in order. A FeliCa card is reported at the first code that it answers; time slots separate several cards with
    /// one code. A phone that picks one card hears only that card.
    ///
    /// - Returns: The tags, none connected; at most ``maximumTags``.
    public mutating func look(for technologies: PhoneTechnologies, in world: inout World) -> [PhoneTag] {
        // Halted cards and cards in a session start over, as when a phone begins to poll.
        if hasBeenAnswered { world.switchField(on: false) }
        hasBeenAnswered = false
        discovery += 1
        connected = nil
        tags = []
        if let pick = world.pickedCard {
            world.hearing(only: pick) { sweep(technologies, in: &$0) }
        } else {
            sweep(technologies, in: &world)
        }
        return tags.map(\.tag)
    }

    private mutating func sweep(_ technologies: PhoneTechnologies, in world: inout World) {
        noteUnpolledCards(technologies, in: world)
        if technologies.contains(.iso14443) { lookForTypeA(in: &world) }
        if technologies.contains(.iso18092) { lookForFeliCa(in: &world) }
    }

    private mutating func lookForTypeA(in world: inout World) {
        // A halted card no longer answers REQA. Damage ends the look early.
        for _ in 0..<Self.maximumTags {
            guard let tag = world.selectTypeA(.reqa, waiting: PhonePatience.search), let card = world.answeringCard
            else {
                return
            }
            hasBeenAnswered = true
            world.halt()
            // A card that missed its HLTA answers again.
            guard !tags.contains(where: { $0.card == card }) else { continue }
            guard let family = MiFareFamily(tag.sak) else {
                note("The type A card \(tag.uid) with SAK \(tag.sak) is not a tag that Core NFC delivers here.")
                continue
            }
            let kind = PhoneTag.Kind.miFare(uid: tag.uid, family: family, historicalBytes: nil)
            add(kind, .typeA(TypeAState(uid: tag.uid)), card, in: world)
        }
    }

    private mutating func lookForFeliCa(in world: inout World) {
        assumeCodes(in: world)
        for code in polledCodes {
            for (answer, card) in world.pollAll(Polling.Request(systemCode: code)) {
                hasBeenAnswered = true
                guard tags.count < Self.maximumTags, !tags.contains(where: { $0.card == card }) else { continue }
                noteAssumption(code, world.cards[card].name)
                let kind = PhoneTag.Kind.feliCa(idm: answer.idm, pmm: answer.pmm, systemCode: code)
                add(kind, .feliCa(FeliCaState(systemCode: code, idm: answer.idm, pmm: answer.pmm)), card, in: world)
            }
        }
        noteUnreportedCards(in: world)
    }

    private mutating func add(_ kind: PhoneTag.Kind, _ state: FoundTag.Kind, _ card: Int, in world: World) {
        let tag = PhoneTag(kind: kind, discovery: discovery, number: tags.count)
        tags.append(FoundTag(tag: tag, card: card, visit: world.cards[card].visit, kind: state))
    }
}

extension PhoneReader {
    var declaredCodes: [SystemCode] { declarations.isGiven ? declarations.systemCodes : assumedCodes }

    /// The codes that the session polls for, in order.
    private var polledCodes: [SystemCode] { declarations.polledCodes(among: declaredCodes) }

    /// Assumes the codes that the session selects and the systems of the cards present if no codes are declared, with a note.
    private mutating func assumeCodes(in world: World) {
        for complaint in declarations.complaints { note(complaint) }
        guard !declarations.isGiven else { return }
        let present = world.systemsWithinReach.flatMap(\.systems)
        let known = assumedCodes + present
        assumedCodes = []
        for code in declarations.chosenCodes + SystemCode.usuallyDeclared.filter(known.contains) + known
        where !code.hasWildcard && !assumedCodes.contains(code) {
            assumedCodes.append(code)
        }
        for code in present where code.hasWildcard {
            note("Phones do not poll for system \(code), since one of its bytes is FF.")
        }
        guard !assumedCodes.isEmpty else { return }
        let chosen = declarations.chosenCodes.isEmpty ? "" : " and of the configuration"
        note(
            "No Info.plist was given, so the system codes of the cards present\(chosen) count as declared: "
                + "\(Self.words(assumedCodes)). A device polls only for the codes that Info.plist lists.")
    }

    /// Adds a note with the code at which a card was found, which the app may not declare.
    private mutating func noteAssumption(_ code: SystemCode, _ card: String) {
        guard !declarations.isGiven else { return }
        note("\(card) was found at \(code); does your Info.plist list \(code)?")
    }

    private static func words(_ codes: [SystemCode]) -> String {
        codes.map(\.description).joined(separator: ", ")
    }

    /// Adds notes about present cards that the session does not look for.
    private mutating func noteUnpolledCards(_ technologies: PhoneTechnologies, in world: World) {
        for index in world.cards.indices where world.isWithinReach(index) {
            let isFeliCa = world.cards[index].engine is any FeliCaEngine
            let (needed, kind) = isFeliCa ? (PhoneTechnologies.iso18092, "a FeliCa card") : (.iso14443, "a type A tag")
            guard !technologies.contains(needed) else { continue }
            note(
                "\(world.cards[index].name) is \(kind), but the session does not look for these; add "
                    + "\(isFeliCa ? ".iso18092" : ".iso14443") to its polling option.")
        }
    }

    /// Adds notes about FeliCa cards that are not reported because their systems are not declared.
    private mutating func noteUnreportedCards(in world: World) {
        guard declarations.isGiven else { return }
        for (card, systems) in world.systemsWithinReach where !systems.contains(where: polledCodes.contains) {
            let (codes, polled) = (Self.words(systems), Self.words(polledCodes))
            note(
                "\(world.cards[card].name) has systems \(codes), but the session polls for \(polled), so the card is never found."
            )
        }
    }
}

extension SystemCode {
    /// The codes that apps usually declare, in polling order.
    ///
    /// Codes that only one kind of card has come first, so that a transit card that also has the common area is found at its
    /// own system.
    ///
    /// Source: the Info.plist files and documentation of NFCReader and TRETJapanNFCReader.
    fileprivate static let usuallyDeclared: [SystemCode] =
        [.transit] + [0x80DE, 0x8592, 0x865E, 0x8B5D, 0x8FC1, 0x8008].map { SystemCode($0) }
        + [.commonArea, .lite, .ndef]
}

extension World {
    /// The FeliCa cards present with their system codes, in the order of the scenario.
    fileprivate var systemsWithinReach: [(card: Int, systems: [SystemCode])] {
        cards.indices.compactMap { index in
            guard isWithinReach(index), let card = cards[index].engine as? any FeliCaEngine else { return nil }
            return (index, card.systemCodes)
        }
    }
}

extension MiFareFamily {
    /// Returns the family of a card; `nil` for a card that Core NFC delivers in another way or not at all.
    ///
    /// Cards of ISO/IEC 14443-4 would be activated further, and MIFARE Classic is never delivered.
    fileprivate init?(_ sak: SAK) {
        guard !sak.speaksISO14443Part4, sak.rawValue & 0x08 == 0 else { return nil }
        self = sak == .complete ? .ultralight : .unknown
    }
}

extension World {
    /// Polls until every card has answered without a collision, at most ``PhonePatience/pollingRounds`` more times.
    ///
    /// Returns each card once, in the order of the answers.
    mutating func pollAll(_ request: Polling.Request) -> [(answer: Polling.Response, card: Int)] {
        var found: [(answer: Polling.Response, card: Int)] = []
        var request = request
        for _ in 0...PhonePatience.pollingRounds {
            let frame = RFFrame(.felica212, request.bytes)
            let received = exchange(frame, waiting: PhonePatience.search).frames
            for answer in received where answer.integrity == .good {
                guard let response = try? Polling.Response(parsing: answer.bytes),
                    let card = card(answering: frame, with: answer), !found.contains(where: { $0.card == card })
                else { continue }
                found.append((response, card))
            }
            if received.allSatisfy({ $0.integrity == .good }) { break }
            request.timeSlot = Polling.sixteenSlots
        }
        return found
    }

    /// Polls for one card; `nil` if it does not answer.
    mutating func poll(_ request: Polling.Request, of card: Int) -> Polling.Response? {
        pollAll(request).first { $0.card == card }?.answer
    }
}

/// The times for which a phone waits for a card.
///
/// Apple publishes no times; these exceed the times of any card with correct timing.
enum PhonePatience {
    /// The wait in a search; sixteen time slots of a Polling end 23 ms after it.
    static let search = Duration.milliseconds(25)
    /// The shortest wait for a FeliCa card; the maximum response times of some cards are too short.
    static let feliCa = Duration.milliseconds(5)
    /// The wait for a Type 2 tag, whose data sheet allows 10 ms for writing.
    static let miFare = Duration.milliseconds(100)
    /// The time that a call to a tag that has left takes.
    static let absent = Duration.milliseconds(100)
    /// The number of times a phone polls again while FeliCa cards keep choosing the same time slots.
    static let pollingRounds = 8

    /// Returns the wait for a raw packet: as long as the PMm allows for its command.
    static func feliCa(_ packet: [UInt8], _ pmm: PMm) -> Duration {
        let slice = packet[...]
        guard let code = CommandCode(of: slice.span) else { return feliCa }
        guard let command = CommandDescription.of(code), !command.needsKey else { return longest(pmm) }
        let nodes = command.nodeCountOffset.map { packet.count > $0 ? Int(packet[$0]) : 1 }
        let blocks = command.carriesBlocks ? BlockAccessLayout(slice.span)?.blockCount : nil
        return feliCa(pmm, command.timeClass, blocks ?? nodes ?? 1)
    }

    static func feliCa(_ pmm: PMm, _ commandClass: PMm.CommandClass, _ count: Int = 0) -> Duration {
        max(feliCa, pmm.maximumResponseTime(commandClass, count: count))
    }

    /// Returns the wait for an unknown command, or a command whose counts a key may hide: the longest time of all classes for
    /// one unit.
    private static func longest(_ pmm: PMm) -> Duration {
        PMm.CommandClass.allCases.map { feliCa(pmm, $0, 1) }.max() ?? feliCa
    }
}
