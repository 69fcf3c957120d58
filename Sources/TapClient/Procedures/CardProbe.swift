import TapWire

/// The end of a card probe.
///
/// The findings about the card are in the exchanges of the probe.
///
/// A probe reads as much of a card as possible. It never writes, authenticates or sends a password.
public struct CardProbe: Hashable, Sendable {
    /// The maximum number of exchanges of a probe: ten times the number for a card with 64 services.
    public static let maximumExchanges = 20_000

    /// The number of blocks to read at once.
    ///
    /// Every known chip accepts this number, so cards with different limits get the same requests.
    public static let blocksAtOnce = 4

    public enum Card: Hashable, Sendable {
        /// The system that answered first.
        case felica(FeliCaSystem)
        case type2(TypeATag)
    }

    /// The systems and services to request from a card that does not list its own.
    public struct Knowledge: Hashable, Sendable {
        public var systems: [SystemCode]
        public var services: [NodeCode]

        public init(systems: [SystemCode], services: [NodeCode]) {
            self.systems = systems
            self.services = services
        }

        /// The systems and services of public applications.
        public static var standard: Knowledge {
            let services = KnownApplication.all.flatMap(\.services)
            let systems = Set(services.map(\.system)).union([.lite])
            return Knowledge(
                systems: systems.sorted { $0.rawValue < $1.rawValue },
                services: Set(services.map(\.code)).sorted { $0.rawValue < $1.rawValue })
        }
    }

    public let card: Card
    /// The reason why the probe ended early; `nil` if it was completed.
    public let interruption: ClientError?
    /// The commands that the reader could not transmit to the card, each listed once.
    public let uncarried: [String]
}

extension CardReader {
    /// Requests everything that a Type 2 tag or, if there is none, a FeliCa card answers without a key.
    ///
    /// - Parameter known: The systems and services to request if the card lists nothing.
    /// - Throws: ``ClientError`` if there is no card; a card that leaves later ends the probe early.
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

    /// Performs a step of a probe; `nil` if the card refuses, is silent but present, or the reader cannot transmit the
    /// command.
    ///
    /// - Throws: ``ClientError`` if the card is gone, or if another one answers.
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

/// The state of a probe in progress.
struct ProbeSteps {
    var uncarried: [String] = []
    /// A Boolean value that indicates whether Request Service v2 has been answered so far, if it was sent.
    var hasVersion2 = true
    var interruption: ClientError?
}

extension CardReader {
    /// Reads a tag with READ and FAST_READ up to the refused page and beyond its end, then the data outside its memory.
    ///
    /// The counter comes last, since the first read increments it.
    mutating func probeType2(_ tag: TypeATag, _ steps: inout ProbeSteps) async throws(ClientError) {
        let version = try await readVersion()
        let count = try await pageCount(of: Type2Tag(selection: tag, version: version))
        // Uses only READ: the length of a FAST_READ depends on the reader.
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

    /// The number of pages of a FAST_READ that every reader with FAST_READ can transmit.
    private static var fewPages: Int { 6 }

    private mutating func readFour(from page: UInt8) async throws(ClientError) -> ReadPages.Response {
        try await ask(ReadPages.Request(page: page), Type2Opcode.read.description)
    }

    private mutating func fastRead(_ pages: ClosedRange<Int>) async throws(ClientError) -> FastRead.Response {
        let request = FastRead.Request(first: UInt8(pages.lowerBound), last: UInt8(pages.upperBound))
        return try await ask(request, Type2Opcode.fastRead.description)
    }
}
