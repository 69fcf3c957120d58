import TapWire

/// The complete definition of an NTAG21x: the content of its memory and the state outside it.
///
/// A new definition is a tag as delivered. Pages are set as in an image, including PWD and PACK; locked or invalid content is
/// accepted, because a test may need it.
public struct NTAGDefinition: Hashable, Sendable {
    public let product: NTAGProduct
    /// The UID, always seven bytes, stored in pages 00–02.
    public private(set) var uid: UID
    /// All pages, with PWD and PACK as stored.
    public private(set) var memory: [UInt8]
    /// The NFC counter; values above 24 bits become the maximum.
    public var counter: UInt32 = 0 {
        didSet { counter = min(counter, ReadCounter.maximumValue) }
    }
    public var failedAuthentications: UInt8 = 0
    /// A Boolean value that indicates whether the password is known; if not, no password is accepted.
    ///
    /// PWD always reads as zeros, so a dump made by a reader does not contain it.
    public var isPasswordKnown = true
    public var version: GetVersion.Response
    /// The answer to READ_SIG.
    ///
    /// NXP's signature cannot be generated for a chosen UID. The default is ``sampleSignature`` for ``sampleUID`` and zero for
    /// every other UID: both fail NXP's check, and no invented bytes look as if they could pass it.
    public var signature: OriginalitySignature
    /// Differences between the tag and the presumed behavior of genuine silicon.
    public var quirks = NTAGQuirks()
    /// The switches without a source, except those set by the creator of the tag.
    public var assumptions = CardAssumptions(unknown: NTAGQuirks.unpublished)

    /// Throws ``NTAGDefinitionError`` if the UID is not seven bytes long.
    public init(_ product: NTAGProduct, uid: UID) throws(NTAGDefinitionError) {
        self.product = product
        self.uid = uid
        version = product.version
        signature = uid.bytes == Self.sampleUID ? Self.sampleSignature : .zero
        memory = Array(repeating: 0, count: product.layout.byteCount)
        fillAsDelivered()
        try setUID(uid)
    }

    /// Creates a tag from the pages of an image; missing pages are as delivered.
    ///
    /// Check bytes and lock bytes are kept as in the image, correct or not.
    ///
    /// - Throws: ``NTAGDefinitionError`` if the image ends inside a page or before page 03, or has too many pages.
    public init(_ product: NTAGProduct, image: [UInt8]) throws(NTAGDefinitionError) {
        let limit = product.layout.byteCount
        let isWhole = image.count % PageData.byteCount == 0
        guard isWhole, 3 * PageData.byteCount...limit ~= image.count, let uid = UID(Self.uidBytes(of: image)) else {
            throw .wrongImageLength(image.count, maximum: limit)
        }
        try self.init(product, uid: uid)
        memory.replaceSubrange(..<image.count, with: image)
    }

    /// A page as stored; outside the memory, reads give zero and writes are ignored.
    public subscript(page page: Int) -> PageData {
        get {
            guard 0..<product.layout.pageCount ~= page else { return .zero }
            return PageData(memory.span, at: page * PageData.byteCount)
        }
        set {
            guard 0..<product.layout.pageCount ~= page else { return }
            let start = page * PageData.byteCount
            memory.replaceSubrange(start..<start + PageData.byteCount, with: newValue.bytes)
            if page == product.layout.passwordPage { isPasswordKnown = true }
            if page < NTAGLayout.staticLockPage { uid = UID(Self.uidBytes(of: memory)) ?? uid }
        }
    }

    /// Sets the UID, and with it pages 00 and 01 and BCC1.
    ///
    /// - Throws: ``NTAGDefinitionError`` if the UID is not seven bytes long.
    public mutating func setUID(_ uid: UID) throws(NTAGDefinitionError) {
        let parts = uid.cascadeParts
        guard parts.count == 2 else { throw .wrongUIDLength(uid.bytes.count) }
        // The cascade tag of the first part is not stored in the memory.
        let bytes = parts[0].bytes.dropFirst() + parts[1].bytes
        memory.replaceSubrange(..<bytes.count, with: bytes)
        self.uid = uid
    }

    private mutating func fillAsDelivered() {
        let layout = product.layout
        self[page: NTAGLayout.staticLockPage] = PageData(0, Self.internalByte, 0, 0)
        capabilityContainer = product.deliveredCapabilityContainer
        for (index, page) in product.deliveredUserPages.enumerated() {
            self[page: NTAGLayout.firstUserPage + index] = page
        }
        self[page: layout.dynamicLockPage] = Self.deliveredDynamicLocks
        configuration = .delivered
        password = PageData(0xFF, 0xFF, 0xFF, 0xFF)
    }

    private static func uidBytes(of memory: [UInt8]) -> [UInt8] { Array(memory[0..<3] + memory[4..<8]) }
}

extension NTAGDefinition {
    /// The second byte of page 02, as in dumps of genuine tags.
    public static let internalByte: UInt8 = 0x48
    /// The dynamic lock page as delivered, as in dumps of genuine tags; its last byte always reads BD.
    public static let deliveredDynamicLocks = PageData(0, 0, 0, 0xBD)

    public static let sampleUID: [UInt8] = [0x04, 0xA2, 0x3B, 0x5C, 0x6D, 0x7E, 0x80]
    /// A signature of ``sampleUID`` made with a key generated for tests, not with NXP's.
    ///
    /// Private key 0123456789ABCDEF0123456789ABCDEF, nonce 00112233445566778899AABBCCDDEEFF, on secp128r1; it verifies
    /// against the public key (1BB9273D32CFCD5BB09750DD50AF91B3, CBC8EC11842ECA82183475B8454441A5).
    public static let sampleSignature = OriginalitySignature(
        r: [0x98, 0x64, 0x39, 0xB0, 0xA5, 0xFA, 0xED, 0x88, 0x37, 0xAE, 0x9F, 0x3A, 0xA1, 0x91, 0x7B, 0xD1],
        s: [0x68, 0x57, 0x19, 0x3D, 0x9C, 0xED, 0x6C, 0x6A, 0x28, 0x1A, 0x4A, 0xF7, 0x43, 0x84, 0xD7, 0x9C])

    public var capabilityContainer: PageData {
        get { self[page: NTAGLayout.capabilityContainerPage] }
        set { self[page: NTAGLayout.capabilityContainerPage] = newValue }
    }

    public var staticLocks: StaticLockBits {
        get { StaticLockBits(self[page: NTAGLayout.staticLockPage]) }
        set { self[page: NTAGLayout.staticLockPage] = newValue.page(over: self[page: NTAGLayout.staticLockPage]) }
    }

    public var dynamicLocks: DynamicLockBits {
        get { DynamicLockBits(self[page: product.layout.dynamicLockPage]) }
        set {
            self[page: product.layout.dynamicLockPage] = newValue.page(over: self[page: product.layout.dynamicLockPage])
        }
    }

    public var configuration: NTAGConfiguration {
        get { NTAGConfiguration(cfg0: self[page: product.layout.cfg0Page], cfg1: self[page: product.layout.cfg1Page]) }
        set {
            self[page: product.layout.cfg0Page] = newValue.cfg0
            self[page: product.layout.cfg1Page] = newValue.cfg1
        }
    }

    public var password: PageData {
        get { self[page: product.layout.passwordPage] }
        set { self[page: product.layout.passwordPage] = newValue }
    }

    /// PACK, with PACK0 as the high byte; setting it keeps the two reserved bytes of its page.
    public var pack: UInt16 {
        get { self[page: product.layout.packPage].pack }
        set {
            let page = self[page: product.layout.packPage]
            let (high, low) = (UInt8(newValue >> 8), UInt8(truncatingIfNeeded: newValue))
            self[page: product.layout.packPage] = PageData(high, low, page[2], page[3])
        }
    }

    /// The user memory; setting fewer bytes keeps the rest; extra bytes are dropped.
    public var userMemory: [UInt8] {
        get { Array(memory[userRange]) }
        set { memory.replaceSubrange(userRange.prefix(newValue.count), with: newValue.prefix(userRange.count)) }
    }

    private var userRange: Range<Int> {
        let start = NTAGLayout.firstUserPage * PageData.byteCount
        return start..<start + product.layout.userByteCount
    }
}

extension PageData {
    /// The first two bytes of a PACK page, with PACK0 as the high byte.
    var pack: UInt16 { UInt16(self[0]) << 8 | UInt16(self[1]) }
}

/// A named change to a definition, for the tags that tests need most often.
///
/// A preset keeps everything it does not concern.
public enum NTAGPreset: String, Hashable, Sendable, CaseIterable {
    case genuineBlank
    /// A Fudan clone, as far as readers can tell; it keeps its UID, which may begin with any byte.
    case fudanLikeClone
    /// A tag set up like those of a maker of game figures, for a nonexistent figure: readable without a password, writable with
    /// one, most locks set.
    case amiiboStyle
    /// User memory can be neither read nor written without the password; the capability container stays readable.
    ///
    /// A phone detects an NDEF tag and then fails to read it.
    case protected
    /// User memory can be read freely and written with the password.
    case writeProtected
    /// Protected, and locked by so many wrong passwords that the correct one is no longer accepted.
    case lockedForEver
    /// A capability container with a different use, which is not NDEF and cannot be changed to it.
    case foreignCapabilityContainer
    case emptyCapabilityContainer
    /// An NDEF message TLV whose length extends far beyond the memory.
    case overlongTLV
    /// A TLV of an unknown type before an empty NDEF message.
    case unknownTLV
    /// An NDEF message followed by neither a terminator nor zeros.
    case missingTerminator

    /// Returns the definition with the preset applied.
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

    /// The AUTHLIM of a permanently locked tag.
    private static let lockingLimit: UInt8 = 3
    fileprivate static let foreignCapabilityContainerBytes = PageData(0xF1, 0x10, 0xFF, 0xEE)
}

extension NTAGDefinition {
    /// Keeps only the UID.
    fileprivate mutating func becomeBlank() {
        if let blank = try? NTAGDefinition(product, uid: uid) { self = blank }
    }

    /// Sets the vendor byte, signature and NAK of a clone whose manufacturer is known from such tags.
    fileprivate mutating func becomeFudanLike() {
        let repeated = (0..<OriginalitySignature.byteCount).map { uid.bytes[$0 % uid.bytes.count] }
        version.vendor = 0x53
        signature = (try? OriginalitySignature(parsing: repeated)) ?? .zero
        configuration.cfg1[1] = 0
        quirks.badCrc = .nak0
    }

    /// Sets lock bytes, configuration, the bytes by which readers recognize this kind of tag, and the password derived from the
    /// UID.
    ///
    /// Character, model and series are numbers that no figure has; the data that a figure stores encrypted is unchanged.
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

public enum NTAGDefinitionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The UID of an NTAG must have seven bytes.
    case wrongUIDLength(Int)
    /// An image must consist of whole pages, at least three and at most as many as the IC has.
    case wrongImageLength(Int, maximum: Int)

    public var description: String {
        switch self {
        case .wrongUIDLength(let count):
            "the UID has \(count) bytes; an NTAG has seven"
        case .wrongImageLength(let count, let maximum):
            "the image has \(count) bytes; it must consist of whole pages of four bytes, from 12 to \(maximum) bytes"
        }
    }
}
