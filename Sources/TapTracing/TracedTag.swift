import Foundation
import TapWire

#if os(iOS) && !targetEnvironment(simulator) && !targetEnvironment(macCatalyst)
    import CoreNFC
#else
    import VirtualCoreNFC
#endif

extension NFCTag {
    /// The tag with a trace of what is said to it; tags other than FeliCa and MIFARE are the same as before.
    ///
    /// A session connects to the tag that it found, and the app then sends its commands to the traced one:
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

/// What traced tags of all kinds pass on: NDEF, of which Core NFC shows no frames.
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
    /// Writes nothing: a tag cannot be archived.
    public func encode(with coder: NSCoder) {}
    public required init?(coder: NSCoder) { nil }

    public func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void) {
        trace.note("the phone looked for an NDEF message by itself")
        tag.queryNDEFStatus(completionHandler: completionHandler)
    }

    public func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
        trace.note("the phone read the NDEF message by itself")
        tag.readNDEF(completionHandler: completionHandler)
    }

    public func writeNDEF(_ message: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        trace.note("the phone wrote an NDEF message by itself")
        tag.writeNDEF(message, completionHandler: completionHandler)
    }

    public func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        trace.note("the phone locked the tag by itself")
        tag.writeLock(completionHandler: completionHandler)
    }

    /// A command on its way, until its answer is there.
    struct Question: Sendable {
        fileprivate let trace: TagTrace
        fileprivate let command: AirFrame
        fileprivate let began: Duration

        /// Takes down the exchange.
        ///
        /// - Parameter bytes: The answer; nil for silence.
        func answered(_ bytes: [UInt8]?, bitCount: Int? = nil) {
            let answer = bytes.map { AirFrame(command.technology, $0, bitCount: bitCount ?? 8 * $0.count) }
            trace.takeDown(command, answer: answer, since: began)
        }
    }

    func ask(_ technology: Technology, _ bytes: [UInt8]) -> Question {
        Question(trace: trace, command: AirFrame(technology, bytes), began: trace.now)
    }
}
