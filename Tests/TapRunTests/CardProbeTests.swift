import TapCards
import TapClient
import TapDocument
import TapSystem
import TapField
import TapRecording
import TapScenario
import TapWire
import Testing

@testable import TapRun

/// The data that `tapsim record --probe` reads from a card, and the card that it writes.
@Suite struct `A probe` {
    /// A card in the syntax of the command line.
    struct Sample: CustomTestStringConvertible, Sendable {
        let text: String
        var testDescription: String { text }

        func definition() throws -> CardDefinition {
            var diagnostics = Diagnostics()
            let scenario = ScenarioLoader.scenario(
                from: try CardArgument.scenario([text]), file: text, .init(), into: &diagnostics)
            return try #require(scenario?.cases.first?.cards.first?.definition, "\(diagnostics.found)")
        }
    }

    static let templates = CardLanguage.templates.map { Sample(text: $0.name) }
    /// Every IC with some contents.
    static let ics = ICCatalogue.all.map { Sample(text: $0.family == .felica ? "suica:ic=\($0.name)" : $0.name) }
    static let variants = [
        "NTAG213:preset=protected", "NTAG215:preset=write_protected", "NTAG216:preset=locked_for_ever",
        "NTAG215:preset=amiibo", "NTAG213:preset=clone", "NTAG215:config.auth0=0,config.prot=read_write",
        "NTAG216:config.auth0=131,config.prot=read_write", "NTAG213:config.counter.enabled=true,config.counter.value=7",
        "suica:quirks.statusLocation=bitmap",
        "suica:quirks.statusLocation=flag,quirks.maxReadBlocks=7", "suica:quirks.serviceListCheck=eager",
        "suica:quirks.pollingRequestCodes=00", "suica:quirks.pollingReservedCodes=silence",
        "suica:quirks.authRequiredPlainAccess=B1", "suica:quirks.requestServiceUnknownAttribute=silence",
        "suica:idm=31 12 03 04 05 06 07 08", "suica:pmm=01 FE 22 04 27 67 4E FF",
    ].map { Sample(text: $0) }

    private func probe(_ card: CardDefinition) async throws -> CardProbeRun.Outcome {
        try await CardProbeRun().probe(card)
    }

    private func questions(_ session: RecordedSession) -> [[[UInt8]?]] {
        session.exchanges.map { [$0.command, $0.answer?.bytes] }
    }

    /// Checks that the written card answers every command of the probe in the same way, so nothing is lost.
    @Test(arguments: templates + ics + variants)
    func `of the card that a probe writes gets the same answers`(sample: Sample) async throws {
        let outcome = try await probe(sample.definition())
        #expect(outcome.interruption == nil && outcome.notes.isEmpty)
        let seen: SeenCard
        do { seen = try SeenCard(outcome.session) } catch {
            return #expect(Self.shown.contains(sample.text), "\(error)")
        }
        let again = try await probe(seen.definition)
        let (first, second) = (questions(outcome.session), questions(again.session))
        let place = zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        #expect(
            place == nil && first.count == second.count, "\(place.map { "\(first[$0])\n\(second[$0])" } ?? "length")")
        #expect(try SeenCard(again.session).definition == seen.definition)
    }

    /// Samples that leave no card in the session.
    static let shown: Set<String> = []

    /// A link whose card leaves after some exchanges.
    private struct LeavingLink: TagLink {
        var link: VirtualLink
        var left: Int
        var limits: LinkLimits { link.limits }

        private mutating func isGone() -> Bool {
            left -= 1
            return left < 0
        }

        mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
            isGone() ? nil : try await link.activate(target, timeout: timeout)
        }

        mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
            isGone() ? nil : try await link.transceive(frame, timeout: timeout)
        }
    }

    @Test(arguments: ["suica:trips=2", "NTAG213", "NTAG213:preset=protected", "felica-lite"].map { Sample(text: $0) })
    func `of a card that leaves keeps what was read before`(sample: Sample) async throws {
        let definition = try sample.definition()
        let whole = try await probe(definition).session.exchanges
        var counts: Set<Int> = []
        for left in 0... {
            var world = World(seed: 0, trace: .off)
            world.add(definition.makeEngine(), named: "card")
            world.tap("card")
            let link = ObservedLink(
                LeavingLink(link: VirtualLink(world, exchangeLimit: .max), left: left),
                into: World(seed: 0, trace: Trace())
            ) { $0.link.world.now }
            guard let outcome = try? await CardProbeRun().probe(over: link, at: nil) else {
                // The card left before it was found, so nothing was read.
                #expect(left < 6)
                continue
            }
            let heard = outcome.session.exchanges.filter { $0.answer != nil }
            counts.insert(heard.count)
            if outcome.interruption == nil { break }
            #expect(outcome.session.hasCardLeft != outcome.session.exchanges.isEmpty)
            #expect(heard.map(\.answer) == whole.filter { $0.answer != nil }.prefix(heard.count).map(\.answer))
            // A card with the data that was read, or the reason why there is none.
            do { _ = try SeenCard(outcome.session) } catch { #expect(!"\(error)".isEmpty) }
        }
        #expect(counts.count > whole.count / 2, "\(counts.count) of \(whole.count)")
    }

    @Test func `that is stopped by a signal keeps what was read before`() async throws {
        let definition = try Sample(text: "suica:trips=2").definition()
        let asked = Lock(0)
        var run = CardProbeRun()
        run.isOver = {
            asked.withLock { asked in
                asked += 1
                return asked > 12
            }
        }
        let outcome = try await run.probe(definition)
        #expect(outcome.interruption?.contains("a signal ended it") == true, "\(outcome.interruption ?? "")")
        #expect(!outcome.session.hasCardLeft)
        #expect((6...12).contains(outcome.session.exchanges.count))
    }
}
