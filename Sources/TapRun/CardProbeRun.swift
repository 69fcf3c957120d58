import TapClient
import TapField
import TapPCSC
import TapRecording
import TapScenario
import TapWire

/// Reads as much of a card as it allows, and keeps the exchanges.
public struct CardProbeRun: Sendable {
    public struct Outcome: Sendable {
        public let session: RecordedSession
        /// The reason why the probe ended early; `nil` if it asked the card everything.
        public let interruption: String?
        /// The commands that the reader could not carry, one sentence each without a full stop.
        public let notes: [String]
    }

    /// An observer that receives every event as it happens.
    public var observer: (any TraceObserver)?
    /// Returns whether the probe should end early; the data read until then is kept.
    public var isOver: (@Sendable () -> Bool)?

    public init() {}

    public static var patience: Duration { CaseRun.patienceForCard }

    /// Returns the name of the only reader.
    ///
    /// - Throws: ``RunError`` that names the readers if there are several, or states that there is none.
    public static func onlyReader() throws(RunError) -> String {
        let names: [String]
        do { names = try PCSCReaders.list(PCSCLibrary()).map(\.name) } catch {
            throw RunError(.environment, "\(error)")
        }
        guard let name = names.first else {
            throw RunError(
                .environment, "there is no PC/SC reader; plug one in, or read a virtual card with --card")
        }
        guard names.count == 1 else {
            throw RunError(
                .environment, "there are \(names.count) readers; name one with --reader: \(ListText.choice(names))")
        }
        return name
    }

    /// Probes the card on a real reader.
    ///
    /// - Parameters:
    ///   - reader: The name of the reader, or an unambiguous part of it.
    ///   - willWait: Called once if there is no card yet.
    /// - Throws: ``RunError`` if there is no such reader, no card within ``patience``, or a card that answers nothing.
    public func probe(reader: String, willWait: (String) -> Void) async throws(RunError) -> Outcome {
        var link: PCSCLink
        do throws(LinkError) {
            link = try PCSCLink.open(reader, try CaseRun.library())
            if try await !link.awaitCard(timeout: .zero) {
                willWait(link.readerName)
                guard try await link.awaitCard(timeout: Self.patience) else {
                    throw LinkError(.closed, "no card was found at \(link.readerName); hold one to it and try again")
                }
            }
        } catch {
            throw RunError(.environment, error.description)
        }
        let name = link.readerName
        return try await probe(over: ObservedLink(link, into: emptyWorld), at: name)
    }

    public func probe(_ card: CardDefinition) async throws(RunError) -> Outcome {
        var world = World(seed: 0, trace: .off)
        world.add(card.makeEngine(), named: World.outsideCard)
        world.tap(World.outsideCard)
        let link = VirtualLink(world, exchangeLimit: .max)
        return try await probe(over: ObservedLink(link, into: emptyWorld) { $0.world.now }, at: nil)
    }

    private var emptyWorld: World {
        var world = World(seed: 0, trace: Trace(observer: observer))
        world.exchangeLimit = CardProbe.maximumExchanges
        return world
    }

    func probe<Base: TagLink>(
        over link: ObservedLink<Base>, at readerName: String?
    ) async throws(RunError) -> Outcome {
        let known = CardDirectory.known
        var link = link
        link.isOver = isOver
        var reader = CardReader(link, blocksAtOnce: CardProbe.blocksAtOnce)
        let probe: CardProbe
        do {
            probe = try await reader.probe(
                CardProbe.Knowledge(systems: known.systems, services: known.services))
        } catch {
            throw RunError(.environment, error.description)
        }
        let isLimit = probe.interruption?.code == .link(.limitReached)
        var session = RecordedSession(reader.link.world.trace, of: probe.card.identity)
        session.readerName = readerName
        if probe.interruption != nil {
            // After the last answer come only searches for a card that has gone.
            let last = session.exchanges.lastIndex { $0.answer != nil } ?? -1
            session.exchanges.removeSubrange((last + 1)...)
            session.hasCardLeft = !isLimit
        }
        let notes = probe.uncarried.map { "the reader cannot carry \($0), so the card's answer is unknown" }
        let interruption =
            isLimit && isOver?() != true
            ? "a probe has at most \(CardProbe.maximumExchanges) exchanges" : probe.interruption?.description
        return Outcome(session: session, interruption: interruption, notes: notes)
    }
}

extension CardProbe.Card {
    fileprivate var identity: RecordedSession.Identity {
        switch self {
        case .felica(let system): .felica(idm: system.idm, pmm: system.pmm, system: system.code)
        case .type2(let tag): .typeA(uid: tag.uid)
        }
    }
}
