import TapCards
import TapField
import TapWire

extension PhoneReader {
    /// Most tags one look reports.
    public static let maximumTags = 16

    /// Looks for tags once; tags of earlier looks are good no more.
    ///
    /// Type A comes first, with anticollision until every tag has been selected and halted; then FeliCa by the declared
    /// codes in their order. A FeliCa card is reported at the first code it answers, and several cards that answer one
    /// code are told apart by time slots. A phone that picks one card hears that one alone.
    ///
    /// - Returns: The tags, none connected; at most ``maximumTags``.
    public mutating func look(for technologies: PhoneTechnologies, in world: inout World) -> [PhoneTag] {
        // Cards that were halted or hold a session begin anew, as when a phone begins to poll.
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
        // A card that was selected and halted does not answer REQA any more; damage ends the look early.
        for _ in 0..<Self.maximumTags {
            guard let tag = world.selectTypeA(.reqa, waiting: PhonePatience.search), let card = world.answeringCard
            else {
                return
            }
            hasBeenAnswered = true
            world.halt()
            // One that has not heard that it was halted answers again.
            guard !tags.contains(where: { $0.card == card }) else { continue }
            guard let family = MiFareFamily(tag.sak) else {
                note("The type A card \(tag.uid) with SAK \(tag.sak) is no tag that Core NFC delivers here.")
                continue
            }
            let kind = PhoneTag.Kind.miFare(uid: tag.uid, family: family, historicalBytes: nil)
            add(kind, .typeA(TypeAState(uid: tag.uid)), card, in: world)
        }
    }

    private mutating func lookForFeliCa(in world: inout World) {
        assumeCodes(in: world)
        for code in declaredCodes {
            for (answer, card) in world.pollAll(Polling.Request(systemCode: code)) {
                hasBeenAnswered = true
                guard tags.count < Self.maximumTags, !tags.contains(where: { $0.card == card }) else { continue }
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
    /// The codes that may be polled, in their order.
    var declaredCodes: [SystemCode] { declarations.isGiven ? declarations.systemCodes : assumedCodes }

    /// Takes the systems of the cards present for declared where nothing is, and says so.
    private mutating func assumeCodes(in world: World) {
        for complaint in declarations.complaints { note(complaint) }
        guard !declarations.isGiven else { return }
        let present = world.systemsWithinReach.flatMap(\.systems)
        for code in present where !code.hasWildcard && !assumedCodes.contains(code) { assumedCodes.append(code) }
        for code in present where code.hasWildcard {
            note("No phone polls for system \(code), since a byte of it is FF.")
        }
        guard !assumedCodes.isEmpty else { return }
        note(
            "No Info.plist was given, so the system codes of the cards present count as declared: "
                + "\(Self.words(assumedCodes)). A device polls "
                + "for those alone that Info.plist lists.")
    }

    private static func words(_ codes: [SystemCode]) -> String {
        codes.map(\.description).joined(separator: ", ")
    }

    /// Says which cards lie there that the session does not look for at all.
    private mutating func noteUnpolledCards(_ technologies: PhoneTechnologies, in world: World) {
        for index in world.cards.indices where world.isWithinReach(index) {
            let isFeliCa = world.cards[index].engine is FeliCaCard
            let (needed, kind) = isFeliCa ? (PhoneTechnologies.iso18092, "a FeliCa card") : (.iso14443, "a type A tag")
            guard !technologies.contains(needed) else { continue }
            note(
                "\(world.cards[index].name) is \(kind) and the session does not look for such; add "
                    + "\(isFeliCa ? ".iso18092" : ".iso14443") to its polling option.")
        }
    }

    /// Says which FeliCa cards no phone reports for want of a declared system.
    private mutating func noteUnreportedCards(in world: World) {
        guard declarations.isGiven else { return }
        for (card, systems) in world.systemsWithinReach where !systems.contains(where: declaredCodes.contains) {
            let (codes, polled) = (Self.words(systems), Self.words(declaredCodes))
            note(
                "\(world.cards[card].name) has systems \(codes) and the session polls for \(polled), so it is never found."
            )
        }
    }
}

extension World {
    /// The FeliCa cards before the phone with the codes of their systems, in the order of the scenario.
    fileprivate var systemsWithinReach: [(card: Int, systems: [SystemCode])] {
        cards.indices.compactMap { index in
            guard isWithinReach(index), let card = cards[index].engine as? FeliCaCard else { return nil }
            return (index, card.template.definition.systems.map(\.code))
        }
    }
}

extension MiFareFamily {
    /// The family of a type A card, or nothing for one that Core NFC delivers in another way or not at all.
    ///
    /// Cards that speak ISO/IEC 14443-4 would be activated further, and MIFARE Classic is never delivered.
    fileprivate init?(_ sak: SAK) {
        guard !sak.speaksISO14443Part4, sak.rawValue & 0x08 == 0 else { return nil }
        self = sak == .complete ? .ultralight : .unknown
    }
}
