import TapWire

/// The ASCII mirror: text that READ and FAST_READ show in place of what user memory holds.
///
/// Digits are upper case, UID0 first, the counter's highest digit first; both together have an `x` between them.
/// Sources: NTAG213/215/216 data sheet rev. 3.2, "ASCII mirror function"; behaviour of a genuine NTAG216 for text
/// that fits only in part.
struct NTAGMirror {
    /// Digits of the UID.
    static let uidLength = 14
    /// Digits of the counter.
    static let counterLength = 6

    private var uidStart: Int?
    private var separator: Int?
    private var counterStart: Int?
    private let uid: [UInt8]
    private let counter: UInt32

    /// Lays out the mirror.
    ///
    /// - Parameters:
    ///   - kind: What to show.
    ///   - configuration: Where it begins.
    ///   - showsCounter: Whether the reader may see the counter.
    ///   - fit: What to show if not all fits.
    ///   - uid: The seven bytes of the UID.
    ///   - counter: The counter.
    ///   - layout: Where user memory ends.
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

    /// A page as a reader sees it.
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
