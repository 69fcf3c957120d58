import Foundation
import TapWire

#if os(iOS) && !targetEnvironment(simulator) && !targetEnvironment(macCatalyst)
    import CoreNFC
#else
    import VirtualCoreNFC
#endif

/// A tag of the MIFARE family, NTAG among them, with a trace of what is said to it.
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
            // The phone makes one byte of the four bits of an acknowledgement.
            let isAcknowledgement = response.count == 1 && response.first == Acknowledgement.ack.rawValue
            question.answered(
                error == nil ? [UInt8](response) : nil, bitCount: isAcknowledgement ? Acknowledgement.bitCount : nil)
            completionHandler(response, error)
        }
    }

    public func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    ) {
        trace.note("an APDU went to the tag, which the trace does not hold")
        tag.sendMiFareISO7816Command(apdu, completionHandler: completionHandler)
    }
}
