import TapCards
import TapImages
import TapScenario
import TapWire

/// A card reconstructed from a session.
public struct SeenCard: Sendable {
    /// The reason why a session reveals no card, as a sentence without a full stop.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    public let definition: CardDefinition
    /// The parts of the card that the session does not reveal, and differences from other cards with the same IC, as
    /// sentences without a full stop.
    public let notes: [String]

    /// - Throws: ``Problem`` if the session reveals too little, or an impossible card.
    public init(_ session: RecordedSession) throws(Problem) {
        guard session.level == .frame else {
            throw Problem(description: "the session contains APDUs of a reader instead of frames of a card")
        }
        let card =
            switch session.card {
            case .felica: try Self.felica(session)
            case .typeA(let uid): try Self.tag(session, uid)
            case .unknown: throw Problem(description: "the session does not identify the card")
            }
        definition = card.definition
        notes = card.notes + (session.answerTimes.map { ["time from a command to its answer: \($0)"] } ?? [])
    }

    private init(_ definition: CardDefinition, _ content: CardImage.Content, _ notes: [String]) {
        self.definition = definition
        let image = CardImage(content, .felicaTool)
        let ic = ICCatalogue.named(definition.icName)
        self.notes = image.notes(ic).map(\.message) + notes
    }
}

extension SeenCard {
    private static func felica(_ session: RecordedSession) throws(Problem) -> SeenCard {
        var communication = FeliCaCommunication()
        for exchange in session.exchanges {
            guard let answer = exchange.answer else { continue }
            communication.take(
                SessionWalk.packet(answer.bytes), answering: SessionWalk.packet(exchange.command))
        }
        guard let image = communication.image else {
            throw Problem(description: "no card answers Polling in the session")
        }
        let evidence = FeliCaEvidence(session)
        if let lite = image.lite, let ic = lite.ic {
            var card = lite.card(ic)
            let notes = evidence.apply(to: &card.profile, &card.assumptions, \.liteCommands, prefix: "lite")
            return SeenCard(.lite(FeliCaLiteTemplate(card), ic: ic.name), .lite(lite), notes)
        }
        let usual = FeliCaIC.named(RecordingFile.usualIC) ?? FeliCaIC.catalogue[0]
        let ic = image.ic ?? usual
        do {
            var card = try image.card(ic)
            var notes = evidence.apply(to: &card.profile, &card.assumptions, \.supportedCommands)
            if image.ic == nil {
                let code = Hex.digits(image.pmm.icType, width: 2)
                notes.insert("IC code \(code) is not in the catalogue; the card is described as an \(ic.name)", at: 0)
            }
            return SeenCard(.felica(try FeliCaTemplate(card), ic: ic.name), .felica(image), notes)
        } catch {
            throw Problem(description: "the session does not describe a valid card: \(error)")
        }
    }

    private static func tag(_ session: RecordedSession, _ uid: UID) throws(Problem) -> SeenCard {
        var communication = TagCommunication()
        for exchange in session.exchanges { communication.take(exchange.answer, answering: exchange.command) }
        var image = communication.image
        guard let product = image.product else {
            throw Problem(
                description:
                    "neither GET_VERSION nor the capability container identifies the tag as an NTAG21x")
        }
        image.fillUID(uid)
        do {
            var tag = try image.tag(product)
            let notes = settle(&tag, image, protectedFrom: communication.firstProtectedPage)
            return SeenCard(.ntag(NTAGTemplate(tag)), .tag(image), notes)
        } catch {
            throw Problem(description: "the session does not describe a valid tag: \(error)")
        }
    }

    /// Infers settings from refusals if the tag does not reveal its configuration.
    private static func settle(
        _ tag: inout NTAGDefinition, _ image: TagImage, protectedFrom first: Int?
    ) -> [String] {
        let layout = tag.product.layout
        let isShown = image.page(layout.cfg0Page) != nil && image.page(layout.cfg1Page) != nil
        var notes: [String] = []
        if !isShown, let first {
            tag.configuration.auth0 = UInt8(truncatingIfNeeded: first)
            tag.configuration.access.prot = true
            notes.append(
                "pages from \(Hex.digits(first, width: 2)) on need the password: AUTH0 and PROT are set accordingly, "
                    + "and the rest of "
                    + "the configuration has its delivery state")
        }
        guard image.counter != nil, !tag.configuration.access.isCounterEnabled else { return notes }
        if isShown {
            tag.quirks.readCntWhenDisabled = .answer
        } else {
            tag.configuration.access.isCounterEnabled = true
        }
        return notes
    }
}

extension TagImage {
    /// Fills in pages 0 and 1, which a tag that protects them does not reveal.
    fileprivate mutating func fillUID(_ uid: UID) {
        let parts = uid.cascadeParts
        guard parts.count == 2, pages.count > 1 else { return }
        // The cascade tag of the first part is not stored in memory.
        let bytes = Array(parts[0].bytes.dropFirst()) + parts[1].bytes
        if pages[0] == nil { pages[0] = PageData(bytes[0..<PageData.byteCount]) }
        if pages[1] == nil { pages[1] = PageData(bytes[PageData.byteCount..<2 * PageData.byteCount]) }
    }
}
