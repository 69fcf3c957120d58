#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapField
    import TapPhone

    /// What the tags that a phone finds have in common: NDEF, and the way to the phone.
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

        /// A copy is the tag itself: it lies before the phone once.
        func copy(with zone: NSZone? = nil) -> Any { self }

        static var supportsSecureCoding: Bool { true }

        /// A tag is nothing that can be kept, so that nothing of it is written.
        func encode(with coder: NSCoder) {}

        /// Nothing was written, so that nothing is read.
        required init?(coder: NSCoder) { nil }

        /// Lets a call reach the tag, and hands what came of it to `completion` on the queue of the session.
        ///
        /// - Parameters:
        ///   - event: What kind of call it is.
        ///   - body: What to do with the tag.
        ///   - completion: Gets the value, or the error.
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

        func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
            perform(as: .readNDEF) { [tag] reader, world throws(PhoneError) in
                try reader.readNDEF(of: tag, in: &world)
            } completion: { bytes, error in
                completionHandler(bytes.flatMap { NFCNDEFMessage(data: Data($0)) }, error)
            }
        }

        func writeNDEF(
            _ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void
        ) {
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

        func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
            perform(as: .lockNDEF) { [tag] reader, world throws(PhoneError) in
                try reader.writeLock(of: tag, in: &world)
            } completion: { _, error in
                completionHandler(error)
            }
        }
    }
#endif
