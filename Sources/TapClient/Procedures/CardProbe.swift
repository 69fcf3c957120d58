import TapWire

/// How a probe of a card ended: what the card is, is in the exchanges that it took.
///
/// A probe reads a card as far as it lets itself be read. It never writes, authenticates or gives a password.
public struct CardProbe: Hashable, Sendable {
    /// Most exchanges of a probe: ten times those of a card with 64 services.
    public static let maximumExchanges = 20_000

    /// How many blocks are read at once: as every known chip takes, so that cards with other limits are asked the same.
    public static let blocksAtOnce = 4

    public enum Card: Hashable, Sendable {
        /// The system that answered first.
        case felica(FeliCaSystem)
        case type2(TypeATag)
    }

    /// What to ask a card for that does not list its systems or its services.
    public struct Knowledge: Hashable, Sendable {
        public var systems: [SystemCode]
        public var services: [NodeCode]

        public init(systems: [SystemCode], services: [NodeCode]) {
            self.systems = systems
            self.services = services
        }

        /// Those of public applications.
        public static var standard: Knowledge {
            let services = KnownApplication.all.flatMap(\.services)
            let systems = Set(services.map(\.system)).union([.lite])
            return Knowledge(
                systems: systems.sorted { $0.rawValue < $1.rawValue },
                services: Set(services.map(\.code)).sorted { $0.rawValue < $1.rawValue })
        }
    }

    public let card: Card
    /// Why it ended before its last question; `nil` where it did not.
    public let interruption: ClientError?
    /// What the reader could not carry to the card, each once.
    public let uncarried: [String]
}

extension CardReader {
    /// Asks a Type 2 tag, or without one a FeliCa card, all that it answers without a key.
    ///
    /// - Parameter known: What to ask for where the card lists nothing.
    /// - Throws: ``ClientError`` if there is no card; one that leaves later ends the probe early.
    public mutating func probe(_ known: CardProbe.Knowledge = .standard) async throws(ClientError) -> CardProbe {
        if let tag = try await findTypeA() {
            try begin(with: tag)
            var steps = ProbeSteps()
            do { try await probeType2(tag, &steps) } catch { steps.interruption = error }
            return CardProbe(card: .type2(tag), interruption: steps.interruption, uncarried: steps.uncarried)
        }
        let first = try await activate(system: .any)
        var steps = ProbeSteps()
        do { try await probeFeliCa(first, known, &steps) } catch { steps.interruption = error }
        return CardProbe(card: .felica(first), interruption: steps.interruption, uncarried: steps.uncarried)
    }

    /// Takes a step of a probe; `nil` where the card refuses, is silent but there, or the reader cannot carry it.
    ///
    /// - Throws: ``ClientError`` where no card is there any more, or another one.
    mutating func step<Value>(
        _ name: String, _ steps: inout ProbeSteps, _ ask: (inout Self) async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value? {
        do {
            return try await ask(&self)
        } catch {
            switch error.code {
            case .link(.unsupported), .link(.tooLong):
                if !steps.uncarried.contains(name) { steps.uncarried.append(name) }
            case .link, .noCard, .otherCard, .wrongIDm: throw error
            case .silence, .damagedAnswer: guard try await isStillThere() else { throw error }
            default: break
            }
            return nil
        }
    }

    private mutating func isStillThere() async throws(ClientError) -> Bool {
        // A tag is selected again before its next command.
        guard selection == nil else { return true }
        return try await hasReturned(try selectedSystem())
    }
}

/// What came up on the way through a probe.
struct ProbeSteps {
    var uncarried: [String] = []
    /// Whether Request Service v2 has not been left unanswered so far.
    var hasVersion2 = true
    var interruption: ClientError?
}

extension CardReader {
    /// Reads a tag by READ and FAST_READ up to where it refuses and beyond its end, then what lies outside its memory.
    ///
    /// The counter comes last: the first read lets it tick.
    mutating func probeType2(_ tag: TypeATag, _ steps: inout ProbeSteps) async throws(ClientError) {
        let version = try await readVersion()
        let count = try await pageCount(of: Type2Tag(selection: tag, version: version))
        // By READ alone: how much a FAST_READ may give depends on the reader.
        let run = try await step("READ", &steps) { reader throws(ClientError) in
            try await reader.readPages(0..<count, isFast: false)
        }
        let readable = run?.end ?? 0
        for page in Set([0, readable - 1, readable, count - 1, count]).sorted() where 0..<256 ~= page {
            let page = UInt8(page)
            _ = try await step("READ", &steps) { reader throws(ClientError) in try await reader.readFour(from: page) }
        }
        let ranges = [0...Self.fewPages - 1, max(0, readable - 1)...readable, count - 1...count]
        for range in ranges where range.upperBound < 256 {
            _ = try await step("FAST_READ", &steps) { reader throws(ClientError) in try await reader.fastRead(range) }
        }
        _ = try await step("READ_SIG", &steps) { reader throws(ClientError) in try await reader.readSignature() }
        _ = try await step("READ_CNT", &steps) { reader throws(ClientError) in try await reader.readCounter() }
    }

    /// Pages of a FAST_READ that every reader which knows it carries.
    private static var fewPages: Int { 6 }

    private mutating func readFour(from page: UInt8) async throws(ClientError) -> ReadPages.Response {
        try await ask(ReadPages.Request(page: page), Type2Opcode.read.description)
    }

    private mutating func fastRead(_ pages: ClosedRange<Int>) async throws(ClientError) -> FastRead.Response {
        let request = FastRead.Request(first: UInt8(pages.lowerBound), last: UInt8(pages.upperBound))
        return try await ask(request, Type2Opcode.fastRead.description)
    }
}
