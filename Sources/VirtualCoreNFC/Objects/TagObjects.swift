#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapField
    import TapPhone
    import TapWire

    // swift-format-ignore: NoLeadingUnderscores
    /// The kind of a tag object that is not wrapped in ``NFCTag``.
    ///
    /// Source: Core NFC, NFCTagType.
    public enum __NFCTagType: UInt, Sendable {
        /// ISO/IEC 15693.
        case ISO15693 = 1
        /// FeliCa.
        case feliCa = 2
        /// ISO/IEC 7816-4 over ISO/IEC 14443-4.
        case iso7816Compatible = 3
        /// The MIFARE family.
        case miFare = 4
    }

    // swift-format-ignore: NoLeadingUnderscores
    /// A tag object of any kind.
    ///
    /// Source: Core NFC, NFCTag of the Objective-C interface.
    public protocol __NFCTag: NSCopying, NSSecureCoding, NSObjectProtocol {
        var type: __NFCTagType { get }

        /// The session that found the tag; `nil` once it is deallocated.
        var session: (any NFCReaderSessionProtocol)? { get }

        /// A Boolean value that indicates whether the tag is connected and still in the field.
        var isAvailable: Bool { get }

        func asNFCISO15693Tag() -> (any NFCISO15693Tag)?
        func asNFCISO7816Tag() -> (any NFCISO7816Tag)?
        func asNFCFeliCaTag() -> (any NFCFeliCaTag)?
        func asNFCMiFareTag() -> (any NFCMiFareTag)?
    }

    /// The base class of the tags that a phone finds: NDEF, and the link to the phone.
    ///
    /// Calls may come from any thread; handlers are called on the queue of the session.
    class PhoneTagObject: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
        let tag: PhoneTag
        let link: SessionLink

        init(_ tag: PhoneTag, _ link: SessionLink) {
            self.tag = tag
            self.link = link
        }

        var session: (any NFCReaderSessionProtocol)? { link.session }

        var isAvailable: Bool { link.isOpen && link.phone?.isAvailable(tag) == true }

        func asNFCISO15693Tag() -> (any NFCISO15693Tag)? { nil }
        func asNFCISO7816Tag() -> (any NFCISO7816Tag)? { nil }
        func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { self as? (any NFCFeliCaTag) }
        func asNFCMiFareTag() -> (any NFCMiFareTag)? { self as? (any NFCMiFareTag) }

        /// Returns the tag itself, which exists only once.
        func copy(with zone: NSZone? = nil) -> Any { self }

        static var supportsSecureCoding: Bool { true }

        /// Does nothing, since a tag cannot be archived.
        func encode(with coder: NSCoder) {}

        required init?(coder: NSCoder) { nil }

        /// Performs a call on the tag, and passes its value or error to `completion` on the session's queue.
        func perform<Value: Sendable>(
            as event: PhoneEvent = .command,
            _ body: @escaping @Sendable (inout PhoneReader, inout World) throws(PhoneError) -> Value,
            completion: @escaping @Sendable (Value?, NFCReaderError?) -> Void
        ) {
            let finish: @Sendable (Result<Value, PhoneError>) -> Void = { [link] result in
                link.run {
                    switch result {
                    case .success(let value): completion(value, nil)
                    case .failure(let error): completion(nil, NFCReaderError(error))
                    }
                }
            }
            guard let phone = link.phone else {
                finish(.failure(.noPhone))
                return
            }
            phone.perform(for: link, as: event, body, completion: finish)
        }

        func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void) {
            perform(as: .queryNDEF) { [tag] reader, world throws(PhoneError) in
                try reader.queryNDEFStatus(of: tag, in: &world)
            } completion: { answer, error in
                let status = answer.flatMap { NFCNDEFStatus(rawValue: UInt($0.status.rawValue)) }
                completionHandler(status ?? .notSupported, answer?.capacity ?? 0, error)
            }
        }

        func readNDEF(completionHandler: @escaping NFCReply<NFCNDEFMessage?>) {
            perform(as: .readNDEF) { [tag] reader, world throws(PhoneError) in
                try reader.readNDEF(of: tag, in: &world)
            } completion: { bytes, error in
                completionHandler(bytes.flatMap { NFCNDEFMessage(data: Data($0)) }, error)
            }
        }

        func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping NFCCompletion) {
            let message = Result { try ndefMessage.wire().bytes }
            perform(as: .writeNDEF) { [tag] reader, world throws(PhoneError) in
                guard case .success(let bytes) = message else {
                    throw PhoneError(
                        .invalidParameter,
                        reason: "the message cannot be written; a record has a type or identifier that is too long, or "
                            + "the message is longer than 128 KB")
                }
                try reader.writeNDEF(bytes, of: tag, in: &world)
            } completion: { _, error in
                completionHandler(error)
            }
        }

        func writeLock(completionHandler: @escaping NFCCompletion) {
            perform(as: .lockNDEF) { [tag] reader, world throws(PhoneError) in
                try reader.writeLock(of: tag, in: &world)
            } completion: { _, error in
                completionHandler(error)
            }
        }
    }

    /// A FeliCa card that a phone has found.
    final class FeliCaTagObject: PhoneTagObject, NFCFeliCaTag, @unchecked Sendable {
        var type: __NFCTagType { .feliCa }

        var currentSystemCode: Data { Data(link.phone?.reader?.currentSystemCode(of: tag) ?? foundSystem) }

        var currentIDm: Data { Data(link.phone?.reader?.currentIDm(of: tag) ?? foundIDm) }

        /// The system at which the card was found, for calls after the session.
        private var foundSystem: [UInt8] {
            guard case .feliCa(_, _, let system) = tag.kind else { return [] }
            return system.rawValue.bigEndianBytes
        }

        private var foundIDm: [UInt8] {
            guard case .feliCa(let idm, _, _) = tag.kind else { return [] }
            return idm.rawValue.octets
        }

        func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
            completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.polling(
                    systemCode: [UInt8](systemCode), requestCode: UInt8(requestCode.rawValue),
                    timeSlot: UInt8(timeSlot.rawValue), of: tag, in: &world)
            } completion: { answer, error in
                completionHandler(Data(answer?.pmm ?? []), Data(answer?.requestData ?? []), error)
            }
        }

        func requestService(nodeCodeList: [Data], completionHandler: @escaping NFCReply<[Data]>) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestService(nodeCodeList.map { [UInt8]($0) }, of: tag, in: &world)
            } completion: { versions, error in
                completionHandler((versions ?? []).map { Data($0) }, error)
            }
        }

        func requestResponse(completionHandler: @escaping NFCReply<Int>) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestResponse(of: tag, in: &world)
            } completion: { mode, error in
                completionHandler(mode ?? 0, error)
            }
        }

        func readWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data],
            completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.readWithoutEncryption(
                    services: serviceCodeList.map { [UInt8]($0) }, blocks: blockList.map { [UInt8]($0) }, of: tag,
                    in: &world)
            } completion: { answer, error in
                let (first, second) = flags(answer?.status)
                completionHandler(first, second, (answer?.blocks ?? []).map { Data($0) }, error)
            }
        }

        func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data],
            completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.writeWithoutEncryption(
                    services: serviceCodeList.map { [UInt8]($0) }, blocks: blockList.map { [UInt8]($0) },
                    data: blockData.map { [UInt8]($0) }, of: tag, in: &world)
            } completion: { status, error in
                let (first, second) = flags(status)
                completionHandler(first, second, error)
            }
        }

        func requestSystemCode(completionHandler: @escaping NFCReply<[Data]>) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestSystemCode(of: tag, in: &world)
            } completion: { systems, error in
                completionHandler((systems ?? []).map { Data($0) }, error)
            }
        }

        func requestServiceV2(
            nodeCodeList: [Data],
            completionHandler:
                @escaping @Sendable (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestServiceV2(nodeCodeList.map { [UInt8]($0) }, of: tag, in: &world)
            } completion: { answer, error in
                let (first, second) = flags(answer?.status)
                let encryption = answer?.encryptionIdentifier.flatMap { NFCFeliCaEncryptionId(rawValue: Int($0)) }
                completionHandler(
                    first, second, encryption ?? .AES, (answer?.aes ?? []).map { Data($0) },
                    (answer?.des ?? []).map { Data($0) }, error)
            }
        }

        func requestSpecificationVersion(
            completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestSpecificationVersion(of: tag, in: &world)
            } completion: { answer, error in
                let (first, second) = flags(answer?.status)
                completionHandler(first, second, Data(answer?.basic ?? []), Data(answer?.options ?? []), error)
            }
        }

        func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.resetMode(of: tag, in: &world)
            } completion: { status, error in
                let (first, second) = flags(status)
                completionHandler(first, second, error)
            }
        }

        func sendFeliCaCommand(commandPacket: Data, completionHandler: @escaping NFCReply<Data>) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.sendFeliCaCommand([UInt8](commandPacket), of: tag, in: &world)
            } completion: { answer, error in
                completionHandler(Data(answer ?? []), error)
            }
        }
    }

    /// A MIFARE or NTAG tag that a phone has found.
    final class MiFareTagObject: PhoneTagObject, NFCMiFareTag, @unchecked Sendable {
        var type: __NFCTagType { .miFare }

        var mifareFamily: NFCMiFareFamily {
            guard case .miFare(_, let family, _) = tag.kind else { return .unknown }
            return NFCMiFareFamily(rawValue: UInt(family.rawValue)) ?? .unknown
        }

        var identifier: Data {
            guard case .miFare(let uid, _, _) = tag.kind else { return Data() }
            return Data(uid.bytes)
        }

        var historicalBytes: Data? {
            guard case .miFare(_, _, let bytes) = tag.kind else { return nil }
            return bytes.map { Data($0) }
        }

        func sendMiFareCommand(commandPacket command: Data, completionHandler: @escaping NFCReply<Data>) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.sendMiFareCommand([UInt8](command), of: tag, in: &world)
            } completion: { answer, error in
                completionHandler(Data(answer ?? []), error)
            }
        }

        func sendMiFareISO7816Command(
            _ apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) -> Bool in
                try reader.refuseISO7816Command(of: tag, in: &world)
            } completion: { _, error in
                completionHandler(Data(), 0, 0, error)
            }
        }
    }

    /// Returns both status flags as numbers; 0 after an error.
    func flags(_ status: StatusFlags?) -> (first: Int, second: Int) {
        (Int(status?.flag1 ?? 0), Int(status?.flag2 ?? 0))
    }
#endif
