import TapWire

/// A named change of a definition: the tags that tests most often want.
///
/// What a preset is not about stays as it is.
public enum NTAGPreset: String, Hashable, Sendable, CaseIterable {
    /// A tag as delivered.
    case genuineBlank
    /// A clone as Fudan makes them, as far as readers can tell.
    case fudanLikeClone
    /// A tag as a maker of game figures sets them up, of a figure that does not exist: free to read, password for
    /// writing, most locks set.
    case amiiboStyle
    /// User memory can be neither read nor written without the password; the capability container stays readable.
    ///
    /// A phone sees an NDEF tag and then fails to read it.
    case protected
    /// User memory can be read freely and written with the password.
    case writeProtected
    /// Protected, and so many wrong passwords have come that the right one no longer helps.
    case lockedForEver
    /// A capability container of another use, which is no NDEF and cannot be made one.
    case foreignCapabilityContainer
    /// A capability container of zeros.
    case emptyCapabilityContainer
    /// An NDEF message TLV whose length points far beyond the memory.
    case overlongTLV
    /// A TLV of an unknown type before an empty NDEF message.
    case unknownTLV
    /// An NDEF message followed by neither a terminator nor zeros.
    case missingTerminator

    /// The definition with the preset's change.
    public func applied(to definition: NTAGDefinition) -> NTAGDefinition {
        var changed = definition
        switch self {
        case .genuineBlank: changed.becomeBlank()
        case .fudanLikeClone: changed.becomeFudanLike()
        case .amiiboStyle: changed.becomeAmiiboStyle()
        case .protected: changed.protect(reading: true)
        case .writeProtected: changed.protect(reading: false)
        case .lockedForEver:
            changed.protect(reading: true)
            changed.configuration.access.authlim = Self.lockingLimit
            changed.failedAuthentications = Self.lockingLimit
        case .foreignCapabilityContainer: changed.capabilityContainer = Self.foreignCapabilityContainerBytes
        case .emptyCapabilityContainer: changed.capabilityContainer = .zero
        case .overlongTLV: changed.userMemory = [0x03, 0xFF, 0xFF, 0xFE]
        case .unknownTLV: changed.userMemory = [0x42, 0x03, 0x01, 0x02, 0x03, 0x03, 0x00, 0xFE]
        case .missingTerminator:
            let message: [UInt8] = [0x03, 0x03, 0xD0, 0x00, 0x00]
            changed.userMemory = message + repeatElement(0xFF, count: definition.product.layout.userByteCount)
        }
        return changed
    }

    /// The AUTHLIM of a tag that is locked for ever.
    private static let lockingLimit: UInt8 = 3
    fileprivate static let foreignCapabilityContainerBytes = PageData(0xF1, 0x10, 0xFF, 0xEE)
}

extension NTAGDefinition {
    /// Keeps nothing but the UID.
    fileprivate mutating func becomeBlank() {
        if let blank = try? NTAGDefinition(product, uid: uid) { self = blank }
    }

    /// Vendor byte, UID, signature and NAK of a clone whose maker is known from such tags.
    fileprivate mutating func becomeFudanLike() {
        guard let clone = UID([0x1D] + uid.bytes.dropFirst()), (try? setUID(clone)) != nil else { return }
        let repeated = (0..<OriginalitySignature.byteCount).map { uid.bytes[$0 % uid.bytes.count] }
        version.vendor = 0x53
        signature = (try? OriginalitySignature(parsing: repeated)) ?? .zero
        configuration.cfg1[1] = 0
        quirks.badCrc = .nak0
    }

    /// Lock bytes, configuration, what readers know the kind of tag by, and the password that follows from the UID.
    ///
    /// Character, model and series are numbers that no figure has; what a figure keeps encrypted is left as it is.
    /// Sources: pyamiibo; 3dbrew, "Amiibo", page layout; the checks of rom-properties.
    fileprivate mutating func becomeAmiiboStyle() {
        self[page: 0x04] = PageData(0xA5, 0, 0, 0)
        self[page: 0x05] = .zero
        self[page: 0x15] = PageData(0x7F, 0x70, 0, 0)
        self[page: 0x16] = PageData(0x7F, 0x70, 0x7F, 0x02)
        let uid = uid.bytes
        password = PageData(
            0xAA ^ uid[1] ^ uid[3], 0x55 ^ uid[2] ^ uid[4], 0xAA ^ uid[3] ^ uid[5], 0x55 ^ uid[4] ^ uid[6])
        pack = 0x8080
        capabilityContainer = NTAGPreset.foreignCapabilityContainerBytes
        staticLocks = StaticLockBits(rawValue: 0xE00F)
        dynamicLocks = DynamicLockBits(groups: 0x0001, blockLocks: 0x0F)
        configuration = NTAGConfiguration(cfg0: PageData(0, 0, 0, 0x04), cfg1: PageData(0x5F, 0, 0, 0))
    }

    fileprivate mutating func protect(reading: Bool) {
        configuration.auth0 = UInt8(NTAGLayout.firstUserPage)
        configuration.access.prot = reading
    }
}
