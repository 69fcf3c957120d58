#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    /// A tag that was found, and the object that apps have of it.
    struct FoundTag {
        /// The tag as the phone knows it.
        let tag: PhoneTag
        /// The tag as apps of `NFCTagReaderSession` have it.
        let object: NFCTag
        /// The same object as apps of `NFCNDEFReaderSession` have it.
        let ndef: NFCNDEFTag

        init(_ tag: PhoneTag, _ link: SessionLink) {
            self.tag = tag
            switch tag.kind {
            case .feliCa:
                let object = FeliCaTagObject(tag, link)
                (self.object, ndef) = (.feliCa(object), object)
            case .miFare:
                let object = MiFareTagObject(tag, link)
                (self.object, ndef) = (.miFare(object), object)
            }
        }
    }
#endif
