#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    extension NFCTagReaderSession {
        /// The tag that commands go to.
        public var connectedTag: NFCTag? { link.found(link.phone?.reader?.connectedTag)?.object }

        /// Connects to a tag, so that it takes commands; a tag connected before is halted.
        ///
        /// - Parameters:
        ///   - tag: A tag this session has found last.
        ///   - completionHandler: Called on the queue of the session with an error, or with nothing.
        @preconcurrency
        public func connect(to tag: NFCTag, completionHandler: @escaping @Sendable (Error?) -> Void) {
            link.connect(to: tag.phoneObject, completionHandler)
        }

        /// Connects to a tag, so that it takes commands; a tag connected before is halted.
        public nonisolated(nonsending) func connect(to tag: NFCTag) async throws {
            try await link.connect(to: tag.phoneObject)
        }
    }

    extension SessionLink {
        /// Connects to the tag of an object; one that is none of ours is an error.
        func connect(to object: PhoneTagObject?, _ completion: @escaping @Sendable (Error?) -> Void) {
            guard let phone, let object, object.link === self else {
                let error = NFCReaderError(
                    PhoneError(.invalidParameter, reason: "the tag was not found by this session"))
                run { completion(error) }
                return
            }
            phone.connect(to: object.tag, of: self) { result in
                let error = result.error.map { NFCReaderError($0) }
                self.run { completion(error) }
            }
        }

        nonisolated(nonsending) func connect(to object: PhoneTagObject?) async throws {
            let _: Void = try await withCheckedThrowingContinuation { continuation in
                connect(to: object) { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }
            }
        }
    }

    extension NFCTag {
        /// The tag as an object of ours; nothing for one that an app made itself.
        fileprivate var phoneObject: PhoneTagObject? {
            switch self {
            case .feliCa(let tag): tag as? PhoneTagObject
            case .miFare(let tag): tag as? PhoneTagObject
            case .iso7816, .iso15693: nil
            }
        }
    }

    extension Result {
        /// Why it failed, if it did.
        var error: Failure? {
            if case .failure(let error) = self { error } else { nil }
        }
    }
#endif
