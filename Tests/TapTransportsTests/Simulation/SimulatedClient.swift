import TapWire
import TestSupport

@testable import TapTransports

/// A program with the library of pcsc-lite: it makes one call after another and waits for each answer, except that a buggy
/// program sends a few calls at once.
struct SimulatedClient {
    let id: ClientID
    private var minor: Int32 = 4
    private(set) var context: UInt32 = 0
    private(set) var cards: [Int32] = []
    /// Bytes on their way to the service.
    private var outgoing: ArraySlice<UInt8> = []
    /// Calls without an answer so far.
    private(set) var open: [ServiceRequest] = []
    /// A Boolean value that indicates whether the notice that ends a wait is pending.
    private(set) var isWaiting = false
    /// A Boolean value that indicates whether the states of the readers must be requested, which the library does immediately.
    private var isToAsk = false
    private var hasGreeted = false
    /// The card that was last reported as reset or removed.
    private var lost: Int32?

    init(_ id: ClientID) { self.id = id }

    var isBusy: Bool { !open.isEmpty || !outgoing.isEmpty }

    /// The next bytes to send, in pieces of any size.
    mutating func takeBytes(_ random: inout TestRandom, all: Bool = false) -> ArraySlice<UInt8> {
        let count = all || random.oneIn(2) ? outgoing.count : random.number(0...outgoing.count)
        defer { outgoing = outgoing.dropFirst(count) }
        return outgoing.prefix(count)
    }

    mutating func ask(_ request: ServiceRequest) {
        outgoing = ArraySlice(outgoing + request.bytes)
        open.append(request)
        if request == .waitForChange {
            isWaiting = true
            isToAsk = minor == 6
        }
    }

    /// Reads the data that the service has sent.
    mutating func receive(_ output: [(request: ServiceRequest?, bytes: [UInt8])]) throws {
        for (request, bytes) in output {
            guard let request else {
                try takeNotice(bytes)
                continue
            }
            guard open.first == request else {
                throw SimulationProblem("client \(id): \(request.summary) is answered, not \(open.map(\.summary))")
            }
            open.removeFirst()
            take(bytes, for: request)
        }
    }

    /// States of readers, the end of a wait, or both.
    private mutating func takeNotice(_ bytes: [UInt8]) throws {
        let states = ReaderState.places * ReaderState.size
        let rest = bytes.count % states
        guard rest == 0 || rest == CountMessage.size, bytes.count < 2 * states else {
            throw SimulationProblem("client \(id) is sent \(bytes.count) bytes")
        }
        guard rest > 0 else { return }
        guard isWaiting else { throw SimulationProblem("client \(id) is told once more of a wait that is over") }
        isWaiting = false
    }

    private mutating func take(_ bytes: [UInt8], for request: ServiceRequest) {
        switch request {
        case .version(let message):
            if ProtocolVersion(parsing: bytes[...]).result == .success { minor = message.minor }
        case .establish: context = EstablishMessage(parsing: bytes[...]).context
        case .release(let message):
            if ContextMessage(parsing: bytes[...]).result == .success, message.context == context {
                (context, cards) = (0, [])
            }
        case .connect:
            let answer = ConnectMessage(parsing: bytes[...])
            if answer.result == .success { cards.append(answer.card) }
        case .disconnect(let message):
            if DispositionMessage(parsing: bytes[...]).result == .success { cards.removeAll { $0 == message.card } }
        case .beginTransaction, .endTransaction, .transmit, .status:
            if [.resetCard, .removedCard].contains(request.code(in: bytes)) { lost = request.card }
        default: break
        }
    }

    /// The next call, usually a valid one.
    mutating func next(
        _ random: inout TestRandom, readers: [String], others: [SimulatedClient]
    ) -> ServiceRequest {
        if !hasGreeted {
            hasGreeted = true
            return .version(ProtocolVersion(minor: Int32(random.number(3...7))))
        }
        if isToAsk {
            isToAsk = false
            return .readerArray
        }
        if isWaiting { return random.oneIn(2) ? .stopWaiting : .readerStates }
        if context == 0, !random.oneIn(20) {
            return .establish(EstablishMessage(scope: UInt32(random.number(below: 4))))
        }
        if let card = lost, cards.contains(card), !random.oneIn(4) {
            lost = nil
            return random.oneIn(4) ? disconnect(card, &random) : reconnect(card, &random)
        }
        guard let card = cards.isEmpty || random.oneIn(8) ? nil : random.pick(cards) else {
            return withoutCard(&random, readers, others)
        }
        return withCard(card, &random, others)
    }

    private func withoutCard(
        _ random: inout TestRandom, _ readers: [String], _ others: [SimulatedClient]
    ) -> ServiceRequest {
        switch random.number(below: 16) {
        case 0, 1: return .waitForChange
        case 2: return .readerStates
        case 3: return random.pick([.readerEvents, .readerCount])
        case 4: return .cancel(ContextMessage(context: random.oneIn(8) ? 1 : random.pick(others).context))
        case 5: return .release(ContextMessage(context: random.oneIn(4) ? random.any() : context))
        default:
            let modes: [PCSCShareMode] = [.shared, .shared, .shared, .shared, .exclusive, .direct]
            let name = random.oneIn(20) ? "nothing" : random.pick(readers)
            return .connect(
                ConnectMessage(
                    context: random.oneIn(50) ? 1 : context, reader: name, shareMode: random.pick(modes),
                    protocols: [.t0, .t1]))
        }
    }

    private func withCard(
        _ card: Int32, _ random: inout TestRandom, _ others: [SimulatedClient]
    ) -> ServiceRequest {
        switch random.number(below: 20) {
        case 0...3: return .beginTransaction(CardMessage(card: card))
        case 4...7:
            return .endTransaction(DispositionMessage(card: card, disposition: random.pick(Self.dispositions)))
        case 8...13:
            let command = apdu(&random)
            // All cards here are connected with T=1, except directly.
            return .transmit(
                TransmitMessage(
                    card: card, sendProtocol: .raw, sendLength: UInt32(command.count), receiveLength: 258), command)
        case 14: return .status(CardMessage(card: card))
        case 15: return reconnect(card, &random)
        case 16, 17: return disconnect(card, &random)
        case 18:
            let nothing = [UInt8](repeating: 0, count: AttributeMessage.valueSize)
            return .getAttribute(AttributeMessage(card: card, attribute: .atr, value: nothing))
        default:
            // The handle belongs to another client, so the service closes the connection.
            guard random.oneIn(10), let stolen = random.pick(others).cards.first else { return .readerStates }
            return .status(CardMessage(card: stolen))
        }
    }

    private static let dispositions: [PCSCDisposition] = [.leave, .leave, .leave, .reset, .unpower]

    private func reconnect(_ card: Int32, _ random: inout TestRandom) -> ServiceRequest {
        .reconnect(
            ReconnectMessage(
                card: card, shareMode: random.pick([.shared, .shared, .exclusive]), protocols: [.t0, .t1],
                initialization: random.pick(Self.dispositions)))
    }

    private func disconnect(_ card: Int32, _ random: inout TestRandom) -> ServiceRequest {
        .disconnect(DispositionMessage(card: card, disposition: random.pick(Self.dispositions)))
    }

    /// Commands that readers turn into frames or answer themselves.
    private func apdu(_ random: inout TestRandom) -> [UInt8] {
        let page = UInt8(random.number(4...20))
        switch random.number(below: 3) {
        case 0: return [0xFF, 0xCA, 0, 0, 0]
        case 1: return [0xFF, 0xB0, 0, page, 16]
        default: return [0xFF, 0xD6, 0, page, 4] + random.bytes(4)
        }
    }
}

extension ServiceRequest {
    /// A short description of the call.
    var summary: String {
        let card = card.map { " of \($0)" } ?? ""
        return switch self {
        case .connect(let message): "connect to \(message.reader), mode \(message.shareMode.rawValue)"
        case .reconnect(let message):
            "reconnect\(card), mode \(message.shareMode.rawValue), \(message.initialization.rawValue)"
        case .disconnect(let message): "disconnect\(card), \(message.disposition.rawValue)"
        case .endTransaction(let message): "endTransaction\(card), \(message.disposition.rawValue)"
        case .transmit(_, let command): "transmit\(card): \(Hex.text(command))"
        default: "\(call.map { "\($0)" } ?? "\(self)")\(card)"
        }
    }
}
