import TapWire

// Both export Foundation.
#if os(iOS) && !targetEnvironment(simulator) && !targetEnvironment(macCatalyst)
    import CoreNFC
#else
    import VirtualCoreNFC
#endif

extension NFCTag {
    /// Wraps the tag to trace its commands.
    ///
    /// Tags other than FeliCa and MIFARE are returned unchanged.
    ///
    /// A session connects to the original tag, and the app then sends its commands to the traced tag:
    ///
    /// ```swift
    /// session.connect(to: tag) { error in
    ///     guard case .feliCa(let card) = tag.traced(into: trace) else { return }
    ///     card.readWithoutEncryption(serviceCodeList: …, blockList: …) { … }
    /// }
    /// ```
    public func traced(into trace: TagTrace) -> NFCTag {
        switch self {
        case .feliCa(let tag): .feliCa(TracedFeliCaTag(tag, into: trace))
        case .miFare(let tag): .miFare(TracedMiFareTag(tag, into: trace))
        default: self
        }
    }
}

/// The common part of traced tags: NDEF operations, for which Core NFC does not reveal frames.
public class TracedTag: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let tag: any NFCNDEFTag & __NFCTag
    let trace: TagTrace

    init(_ tag: any NFCNDEFTag & __NFCTag, into trace: TagTrace) {
        self.tag = tag
        self.trace = trace
    }

    public var type: __NFCTagType { tag.type }
    public var session: (any NFCReaderSessionProtocol)? { tag.session }
    public var isAvailable: Bool { (tag as any NFCNDEFTag).isAvailable }

    public func asNFCISO15693Tag() -> (any NFCISO15693Tag)? { nil }
    public func asNFCISO7816Tag() -> (any NFCISO7816Tag)? { nil }
    public func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { self as? (any NFCFeliCaTag) }
    public func asNFCMiFareTag() -> (any NFCMiFareTag)? { self as? (any NFCMiFareTag) }

    public func copy(with zone: NSZone? = nil) -> Any { self }
    public static var supportsSecureCoding: Bool { true }
    /// Does nothing, because a tag cannot be archived.
    public func encode(with coder: NSCoder) {}
    public required init?(coder: NSCoder) { nil }

    public func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void) {
        trace.note("the phone searched for an NDEF message; the trace does not contain these commands")
        tag.queryNDEFStatus(completionHandler: completionHandler)
    }

    public func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
        trace.note("the phone read the NDEF message; the trace does not contain these commands")
        tag.readNDEF(completionHandler: completionHandler)
    }

    public func writeNDEF(_ message: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        trace.note("the phone wrote an NDEF message; the trace does not contain these commands")
        tag.writeNDEF(message, completionHandler: completionHandler)
    }

    public func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        trace.note("the phone locked the tag; the trace does not contain these commands")
        tag.writeLock(completionHandler: completionHandler)
    }

    /// A command that waits for its answer.
    struct Question: Sendable {
        fileprivate let trace: TagTrace
        fileprivate let command: RFFrame
        fileprivate let began: Duration

        /// Records the exchange.
        ///
        /// - Parameter bytes: The answer, or `nil` for silence.
        func answered(_ bytes: [UInt8]?, bitCount: Int? = nil) {
            let answer = bytes.map { RFFrame(command.technology, $0, bitCount: bitCount ?? 8 * $0.count) }
            trace.takeDown(command, answer: answer, since: began)
        }
    }

    func ask(_ technology: Technology, _ bytes: [UInt8]) -> Question {
        Question(trace: trace, command: RFFrame(technology, bytes), began: trace.now)
    }
}

/// A FeliCa card found by an app, with a trace of its conversation.
///
/// Core NFC exchanges values instead of frames. The trace has the corresponding frames, in the layout of the FeliCa Card
/// User's Manual. An error of the phone is recorded as silence.
public final class TracedFeliCaTag: TracedTag, NFCFeliCaTag, @unchecked Sendable {
    private let card: any NFCFeliCaTag

    public init(_ card: any NFCFeliCaTag, into trace: TagTrace) {
        self.card = card
        super.init(card, into: trace)
        let system = Hex.text([UInt8](card.currentSystemCode))
        trace.note("the phone found the card with IDm \(Hex.text([UInt8](card.currentIDm))) in system \(system)")
    }

    public required init?(coder: NSCoder) { nil }

    public var currentSystemCode: Data { card.currentSystemCode }
    public var currentIDm: Data { card.currentIDm }

    public func polling(
        systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
        completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void
    ) {
        let codes = [UInt8(truncatingIfNeeded: requestCode.rawValue), UInt8(truncatingIfNeeded: timeSlot.rawValue)]
        let question = send([CommandCode.polling.first] + systemCode + codes)
        card.polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) { [card] pmm, data, error in
            question.answer(error, [CommandCode.polling.first + 1] + card.currentIDm + pmm + data)
            completionHandler(pmm, data, error)
        }
    }

    public func requestService(
        nodeCodeList: [Data], completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        let question = send(.requestService, count(nodeCodeList) + nodeCodeList.joined())
        card.requestService(nodeCodeList: nodeCodeList) { [self] versions, error in
            answer(question, .requestService, error, count(versions) + versions.joined())
            completionHandler(versions, error)
        }
    }

    public func requestResponse(completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void) {
        let question = send(.requestResponse, [])
        card.requestResponse { [self] mode, error in
            answer(question, .requestResponse, error, [UInt8(truncatingIfNeeded: mode)])
            completionHandler(mode, error)
        }
    }

    public func readWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void
    ) {
        let question = send(.readWithoutEncryption, access(serviceCodeList, blockList))
        card.readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
            [self] first, second, blocks, error in
            let data = first == 0 ? count(blocks) + blocks.joined() : []
            answer(question, .readWithoutEncryption, error, flags(first, second) + data)
            completionHandler(first, second, blocks, error)
        }
    }

    public func writeWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data], blockData: [Data],
        completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
    ) {
        let question = send(.writeWithoutEncryption, access(serviceCodeList, blockList) + blockData.joined())
        card.writeWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData) {
            [self] first, second, error in
            answer(question, .writeWithoutEncryption, error, flags(first, second))
            completionHandler(first, second, error)
        }
    }

    public func requestSystemCode(completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void) {
        let question = send(.requestSystemCode, [])
        card.requestSystemCode { [self] codes, error in
            answer(question, .requestSystemCode, error, count(codes) + codes.joined())
            completionHandler(codes, error)
        }
    }

    public func requestServiceV2(
        nodeCodeList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void
    ) {
        let question = send(.requestServiceV2, count(nodeCodeList) + nodeCodeList.joined())
        card.requestServiceV2(nodeCodeList: nodeCodeList) { [self] first, second, encryption, aes, des, error in
            let versions = [UInt8(truncatingIfNeeded: encryption.rawValue)] + count(aes) + aes.joined() + des.joined()
            answer(question, .requestServiceV2, error, flags(first, second) + (first == 0 ? versions : []))
            completionHandler(first, second, encryption, aes, des, error)
        }
    }

    public func requestSpecificationVersion(
        completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void
    ) {
        let question = send(.requestSpecificationVersion, [0, 0])
        card.requestSpecificationVersion { [self] first, second, basic, options, error in
            let versions = [0] + basic + [UInt8(truncatingIfNeeded: options.count / 2)] + options
            answer(question, .requestSpecificationVersion, error, flags(first, second) + (first == 0 ? versions : []))
            completionHandler(first, second, basic, options, error)
        }
    }

    public func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void) {
        let question = send(.resetMode, [0, 0])
        card.resetMode { [self] first, second, error in
            answer(question, .resetMode, error, flags(first, second))
            completionHandler(first, second, error)
        }
    }

    public func sendFeliCaCommand(
        commandPacket: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        let question = send([UInt8](commandPacket))
        card.sendFeliCaCommand(commandPacket: commandPacket) { response, error in
            // The answer begins with its length.
            question.answered(error == nil ? [UInt8](response) : nil)
            completionHandler(response, error)
        }
    }
}

extension TracedFeliCaTag {
    /// Sends a packet, prefixed with LEN.
    private func send(_ packet: [UInt8]) -> Question { ask(.felica212, Question.withLength(packet)) }

    private func send(_ code: CommandCode, _ data: [UInt8]) -> Question {
        send([code.first] + card.currentIDm + data)
    }

    private func answer(_ question: Question, _ code: CommandCode, _ error: (any Error)?, _ data: [UInt8]) {
        question.answer(error, [code.first + 1] + card.currentIDm + data)
    }

    private func count(_ list: [Data]) -> [UInt8] { [UInt8(truncatingIfNeeded: list.count)] }

    private func flags(_ first: Int, _ second: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: first), UInt8(truncatingIfNeeded: second)]
    }

    private func access(_ services: [Data], _ blocks: [Data]) -> [UInt8] {
        count(services) + services.joined() + count(blocks) + blocks.joined()
    }
}

extension TracedTag.Question {
    fileprivate static func withLength(_ packet: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: packet.count + 1)] + packet
    }

    /// Records an answer without LEN, or silence if the phone reported an error.
    fileprivate func answer(_ error: (any Error)?, _ packet: [UInt8]) {
        answered(error == nil ? Self.withLength(packet) : nil)
    }
}

/// A tag of the MIFARE family, which includes NTAG, with a trace of its conversation.
public final class TracedMiFareTag: TracedTag, NFCMiFareTag, @unchecked Sendable {
    private let tag: any NFCMiFareTag

    public init(_ tag: any NFCMiFareTag, into trace: TagTrace) {
        self.tag = tag
        super.init(tag, into: trace)
        trace.note("the reader selected the card with UID \(Hex.text([UInt8](tag.identifier)))")
    }

    public required init?(coder: NSCoder) { nil }

    public var mifareFamily: NFCMiFareFamily { tag.mifareFamily }
    public var identifier: Data { tag.identifier }
    public var historicalBytes: Data? { tag.historicalBytes }

    public func sendMiFareCommand(
        commandPacket command: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        let question = ask(.typeA106, [UInt8](command))
        tag.sendMiFareCommand(commandPacket: command) { response, error in
            // The phone turns the four bits of an acknowledgement into a byte.
            let isAcknowledgement = response.count == 1 && response.first == Acknowledgement.ack.rawValue
            question.answered(
                error == nil ? [UInt8](response) : nil, bitCount: isAcknowledgement ? Acknowledgement.bitCount : nil)
            completionHandler(response, error)
        }
    }

    public func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    ) {
        trace.note("an APDU was sent to the tag; the trace does not contain it")
        tag.sendMiFareISO7816Command(apdu, completionHandler: completionHandler)
    }
}
