import TapWire

/// The immutable data shared by all cards created from one definition.
public final class NTAGTemplate: Hashable, Sendable {
    public let definition: NTAGDefinition
    let layout: NTAGLayout
    let quirks: NTAGQuirks
    /// The memory as a reader sees it: PWD and PACK read as zero, so a card stores them elsewhere.
    let pages: [PageData]
    let password: PageData
    let packPage: PageData
    /// The two cascade levels of the UID, with the check bytes from the memory.
    let firstPart: CascadePart
    let secondPart: CascadePart

    public init(_ definition: NTAGDefinition) {
        self.definition = definition
        layout = definition.product.layout
        quirks = definition.quirks
        password = definition[page: layout.passwordPage]
        packPage = definition[page: layout.packPage]
        var open = definition
        open[page: layout.passwordPage] = .zero
        open[page: layout.packPage] = .zero
        pages = (0..<layout.pageCount).map { open[page: $0] }
        let (page0, page1, page2) = (open[page: 0], open[page: 1], open[page: 2])
        firstPart = CascadePart(
            data: PageData(UID.cascadeTag, page0[0], page0[1], page0[2]).littleEndian, bcc: page0[3])
        secondPart = CascadePart(data: page1.littleEndian, bcc: page2[0])
    }

    public static func == (left: NTAGTemplate, right: NTAGTemplate) -> Bool {
        left === right || left.definition == right.definition
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(definition.uid)
    }
}

extension PageData {
    /// The page as a number, byte 0 least significant.
    fileprivate var littleEndian: UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
}

/// The settings in effect until the tag reads its memory again.
///
/// Sources: NTAG213/215/216 data sheet rev. 3.2 for CFGLCK; behavior of genuine tags for the rest.
struct NTAGLatches: Hashable {
    var mirrorKind = NTAGConfiguration.MirrorKind.none
    var isConfigurationLocked = false
    var access = NTAGAccess(rawValue: 0)
    var auth0: UInt8 = 0xFF
    var staticLocks = StaticLockBits(rawValue: 0)
    var dynamicLocks = DynamicLockBits(groups: 0, blockLocks: 0)

    /// A Boolean value that indicates whether any page may be locked; on most tags, none is.
    @inline(__always)
    var hasLocks: Bool { staticLocks.rawValue | dynamicLocks.groups != 0 }

    /// Applies the settings that take effect at a moment.
    mutating func take(
        _ configuration: NTAGConfiguration, _ staticLocks: StaticLockBits, _ dynamicLocks: DynamicLockBits,
        at moment: NTAGQuirks.LatchMoment, quirks: NTAGQuirks
    ) {
        if NTAGQuirks.LatchMoment.powerOn.isDue(at: moment) {
            mirrorKind = configuration.mirrorKind
        }
        if quirks.cfglckLatch.isDue(at: moment) {
            isConfigurationLocked = configuration.access.cfglck
        }
        if quirks.accessLatch.isDue(at: moment) {
            access = configuration.access
            auth0 = configuration.auth0
        }
        if quirks.lockLatch.isDue(at: moment) {
            self.staticLocks = staticLocks
            self.dynamicLocks = dynamicLocks
        }
    }
}

// The effect of a write on lock bits: bits are only ever set, and frozen bits do not change.

extension StaticLockBits {
    /// Returns the bits after a write of `written`: frozen bits keep their value and no bit is cleared.
    ///
    /// - Parameters:
    ///   - written: The bits of the command.
    ///   - bl94MissesL8L9: Whether L8 and L9 are frozen by the next higher block-lock bit instead of their own.
    func gaining(_ written: StaticLockBits, bl94MissesL8L9: Bool) -> StaticLockBits {
        let (low, middle, high): (UInt16, UInt16, UInt16) =
            bl94MissesL8L9 ? (0x0008, 0x00F0, 0xFF00) : (0x0008, 0x03F0, 0xFC00)
        var frozen: UInt16 = 0
        if rawValue & 0x01 != 0 { frozen |= low }
        if rawValue & 0x02 != 0 { frozen |= middle }
        if rawValue & 0x04 != 0 { frozen |= high }
        return StaticLockBits(rawValue: rawValue | written.rawValue & ~frozen)
    }
}

extension DynamicLockBits {
    /// Returns the bits after a write of `written`: frozen bits keep their value and no bit is cleared.
    ///
    /// - Parameters:
    ///   - written: The bits of the command.
    ///   - layout: The number of bits with a meaning.
    ///   - storesReserved: Whether reserved bits are stored like the others.
    func gaining(_ written: DynamicLockBits, of layout: NTAGLayout, storesReserved: Bool) -> DynamicLockBits {
        var frozen: UInt16 = 0
        for bit in 0..<layout.blockLockBitCount where blockLocks >> UInt8(bit) & 1 == 1 {
            frozen |= 3 << UInt16(2 * bit)
        }
        let groupMask = storesReserved ? .max : UInt16(truncatingIfNeeded: (1 << layout.dynamicLockBitCount) - 1)
        let blockMask = storesReserved ? .max : UInt8(truncatingIfNeeded: (1 << layout.blockLockBitCount) - 1)
        return DynamicLockBits(
            groups: groups | written.groups & ~frozen & groupMask,
            blockLocks: blockLocks | written.blockLocks & blockMask)
    }
}

/// The ASCII mirror: text that READ and FAST_READ show in place of user memory.
///
/// Digits are upper case, UID0 first, the counter's most significant digit first; if both are shown, `x` separates them.
/// Sources: NTAG213/215/216 data sheet rev. 3.2, "ASCII mirror function"; behavior of a genuine NTAG216 for text that fits only
/// in part.
struct NTAGMirror {
    static let uidLength = 14
    static let counterLength = 6

    private var uidStart: Int?
    private var separator: Int?
    private var counterStart: Int?
    private let uid: [UInt8]
    private let counter: UInt32

    /// Lays out the mirror in user memory; `fit` decides what to show if it does not fit completely.
    init(
        _ kind: NTAGConfiguration.MirrorKind, _ configuration: NTAGConfiguration, showsCounter: Bool,
        fit: NTAGQuirks.MirrorFit, uid: [UInt8], counter: UInt32, layout: NTAGLayout
    ) {
        self.uid = uid
        self.counter = counter
        guard Int(configuration.mirrorPage) >= NTAGLayout.firstUserPage else { return }
        let start = Int(configuration.mirrorPage) * PageData.byteCount + Int(configuration.mirrorByte)
        let end = (layout.lastUserPage + 1) * PageData.byteCount
        let isUIDShown = kind == .uid || kind == .uidAndCounter
        let counterOffset = kind == .uidAndCounter ? Self.uidLength + 1 : 0
        let isCounterSelected = kind == .counter || kind == .uidAndCounter
        let doesCounterFit = start + counterOffset + Self.counterLength <= end
        if isCounterSelected, !doesCounterFit, fit == .none { return }
        if isUIDShown, start + Self.uidLength <= end { uidStart = start }
        if isCounterSelected, showsCounter, doesCounterFit {
            counterStart = start + counterOffset
            separator = isUIDShown ? start + Self.uidLength : nil
        }
    }

    func overlay(_ data: PageData, of page: Int) -> PageData {
        var shown = data
        for index in 0..<PageData.byteCount {
            shown[index] = character(at: page * PageData.byteCount + index) ?? data[index]
        }
        return shown
    }

    private func character(at address: Int) -> UInt8? {
        if let uidStart, uidStart..<uidStart + Self.uidLength ~= address {
            let digit = address - uidStart
            return Self.digit(digit % 2 == 0 ? uid[digit / 2] >> 4 : uid[digit / 2])
        }
        if let counterStart, counterStart..<counterStart + Self.counterLength ~= address {
            let shift = 4 * (Self.counterLength - 1 - (address - counterStart))
            return Self.digit(UInt8(truncatingIfNeeded: counter >> UInt32(shift)))
        }
        return address == separator ? UInt8(ascii: "x") : nil
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        let nibble = value & 0x0F
        return nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}
