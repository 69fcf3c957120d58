#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapWire

    extension NFCNDEFPayload {
        /// Creates a well-known record; nothing for a subclass, which has no such initialiser.
        class func wellKnown(_ type: [UInt8], _ payload: [UInt8]) -> Self? {
            NFCNDEFPayload(format: .nfcWellKnown, type: Data(type), identifier: Data(), payload: Data(payload)) as? Self
        }

        /// Text and language of a text record; nothing of either for another record.
        public func wellKnownTypeTextPayload() -> (String?, Locale?) {
            guard let payload = wellKnownPayload(NDEFRecord.WellKnownType.text),
                let text = try? NDEFText(parsing: payload)
            else { return (nil, nil) }
            return (text.text, Locale(identifier: text.language))
        }

        /// The payload if the record is well-known and of a type.
        func wellKnownPayload(_ expectedType: [UInt8]) -> [UInt8]? {
            typeNameFormat == .nfcWellKnown && Array(type) == expectedType ? Array(payload) : nil
        }
    }
#endif
