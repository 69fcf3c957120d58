import TapWire

/// The differences between FeliCa Lite, Lite-S and Link, and points on which sources disagree.
///
/// The defaults are those of a Lite-S. ``switches`` documents each property, its values and the evidence for them.
public struct FeliCaLiteProfile: QuirkSet {
    public var liteMaxReadBlocks = 4
    public var liteMaxWriteBlocks = 2
    public var liteCommands: FeliCaCommandSet = [.polling, .readWithoutEncryption, .writeWithoutEncryption, .echo]
    /// The maximum number of data bytes Echo returns.
    public var liteEchoMax = 75
    /// The form in which status flag 1 gives the position of an error.
    public var liteStatusLocation = FeliCaProfile.StatusLocation.bitmap
    /// The reaction to bytes after the end of a command.
    public var liteTrailingBytes = FeliCaProfile.TrailingBytes.ignore
    public var litePollingRequestCodes = FeliCaProfile.PollingRequestCodes.upToPerformance
    /// The bytes Polling returns for request code 02, most significant byte first on the wire.
    public var litePerformanceBytes = FeliCaProfile.PerformanceBytes(0x0083)
    /// The result of a Read of a read-only block through service 0009.
    public var liteReadRoThroughRW = ReadOnlyRead.refused
    /// The effect of a Write to REG that would increase A or B.
    public var liteRegViolation = RegisterViolation.refused
    public var liteWcntCountsRC = false
    /// A Boolean value that indicates whether a new MC takes effect at once.
    public var liteMcImmediate = false
    /// A Boolean value that indicates whether a Write of STATE without MAC_A authenticates if MC does not require MAC_A.
    public var liteStatePlainWrite = true
    /// A Boolean value that indicates whether a Write with MAC_A is accepted if MC does not require it.
    public var liteMacWhereNotAsked = true
    /// The reaction to Authentication1; an answer contains sixteen zero bytes.
    public var liteAuth1Dummy = FeliCaProfile.Reaction.silence
    public var liteRcClearsExtAuth = false
    /// The result of a Read of MAC before RC is written.
    public var liteMacWithoutRC = MACWithoutChallenge.zeros
    public var liteWcntWarning = CounterWarning.off
    /// A Boolean value that indicates whether MC may allow changes of CK and CKV with MAC_A after the lock.
    public var liteCkWriteWithMacAfterLock = true
    /// A Boolean value that indicates whether a time slot is drawn at random; otherwise the first one is used.
    public var liteRandomSlot = true

    public init() {}

    public enum ReadOnlyRead: String, Hashable, Sendable, CaseIterable {
        case refused = "A8"
        case data
    }

    public enum RegisterViolation: String, Hashable, Sendable, CaseIterable {
        case refused = "A8"
        /// The fields that do not grow are stored, and the answer is success.
        case merge
    }

    public enum MACWithoutChallenge: String, Hashable, Sendable, CaseIterable {
        case zeros
        case refused = "B2"
    }

    public enum CounterWarning: String, Hashable, Sendable, CaseIterable {
        case off
        /// FF 71 for the last 10,000 writes, which are still carried out.
        case nearEnd
    }
}

extension FeliCaLiteProfile.ReadOnlyRead: QuirkValue {}
extension FeliCaLiteProfile.RegisterViolation: QuirkValue {}
extension FeliCaLiteProfile.MACWithoutChallenge: QuirkValue {}
extension FeliCaLiteProfile.CounterWarning: QuirkValue {}

extension FeliCaLiteProfile {
    static let allCommands: FeliCaCommandSet = [
        .polling, .readWithoutEncryption, .writeWithoutEncryption, .echo,
    ]

    /// The switches, one per property of this type.
    public static let switches = packetSwitches + memorySwitches + sessionSwitches

    public static let unpublished = CardFacts(switches.compactMap(\.unpublished))

    private static let commands = AllowedValues<FeliCaCommandSet>(
        description: "codes from \(allCommands.quirkText), separated by spaces"
    ) { set in set.codes.allSatisfy(allCommands.contains) }

    private static let packetSwitches: [QuirkSwitch<FeliCaLiteProfile>] = [
        QuirkSwitch(
            "liteMaxReadBlocks", \.liteMaxReadBlocks, .range(1...ReadWithoutEncryption.maximumBlocks),
            "The maximum number of blocks one Read returns.",
            evidence: "4 according to the manual, and measured by felica-tool."),
        QuirkSwitch(
            "liteMaxWriteBlocks", \.liteMaxWriteBlocks, .range(1...2),
            "The maximum number of blocks in one Write; the second is MAC_A.",
            evidence: "1 on FeliCa Lite, 2 on Lite-S, according to the manual."),
        QuirkSwitch(
            "liteCommands", \.liteCommands, commands, "The commands the card knows; it is silent to all others.",
            evidence: "Measured by felica-tool; Echo only on Lite-S."),
        QuirkSwitch(
            "liteEchoMax", \.liteEchoMax, .range(0...Echo.maximumDataLength),
            "The maximum number of data bytes Echo returns; the card is silent to a longer Echo.",
            evidence: "75 on Lite-S, measured by felica-tool."),
        QuirkSwitch(
            "liteStatusLocation", \.liteStatusLocation, .cases,
            "How status flag 1 gives the position of an error in a list: its number, one bit of eight, or FF.",
            evidence: "A bitmap in the Flipper firmware and the library of M5Stack."),
        QuirkSwitch(
            unpublished: .liteTrailingBytes, \.liteTrailingBytes, .any("ignore, silence, or the codes it is silent to"),
            "The reaction to a command with bytes after its end.", evidence: "Unknown for Lite and Lite-S."),
        QuirkSwitch(
            "litePollingRequestCodes", \.litePollingRequestCodes, .cases,
            "The request codes of Polling the card knows.",
            evidence: "felica-tool lists Lite-S among the chips that know 02."),
        QuirkSwitch(
            unpublished: .litePerformanceBytes, \.litePerformanceBytes, .any("two bytes in hexadecimal"),
            "The bytes Polling returns for request code 02.",
            evidence: "0083 is 212 and 424 kbit/s with automatic detection, as on other cards."),
        QuirkSwitch(
            "liteRandomSlot", \.liteRandomSlot, .oneOf(true, false),
            "Whether a time slot is drawn at random; if not, the card uses the first.",
            evidence: "According to the manual, chips draw one; a fixed one makes readers' traces comparable."),
        QuirkSwitch(
            unpublished: .liteAuth1Dummy, \.liteAuth1Dummy, .cases,
            "Whether Authentication1 is answered, with sixteen zero bytes.",
            evidence:
                "A trace of an RC-S966 in an issue of Proxmark3 has the answer, and readers of the manual name the "
                + "command; felica-tool measured silence."),
    ]

    private static let memorySwitches: [QuirkSwitch<FeliCaLiteProfile>] = [
        QuirkSwitch(
            unpublished: .liteReadRoThroughRW, \.liteReadRoThroughRW, .cases,
            "The answer to a Read of a block that cannot be written through service 0009: A8, or its data.",
            evidence: "A8 in the Flipper firmware for blocks of user data and REG, and data for 81, 85, 90 and A0; not "
                + "confirmed on a chip."),
        QuirkSwitch(
            unpublished: .liteRegViolation, \.liteRegViolation, .cases,
            "The effect of a Write to REG that would increase A or B: A8 and nothing stored, or the rest is stored.",
            evidence: "The Flipper firmware merges and reports success; a label printer's manual mentions a verify "
                + "error, which fits both."),
        QuirkSwitch(
            unpublished: .liteMcImmediate, \.liteMcImmediate, .oneOf(false, true),
            "Whether a new MC takes effect at once, or at the next power-on.",
            evidence: "At power-on in the Flipper firmware, and M5Stack's instructions cycle the field."),
        QuirkSwitch(
            "liteWcntCountsRC", \.liteWcntCountsRC, .oneOf(false, true), "Whether WCNT counts writes of RC.",
            evidence: "It does not, according to readers of the manual; the Flipper firmware counts them."),
        QuirkSwitch(
            unpublished: .liteWcntWarning, \.liteWcntWarning, .cases,
            "Whether the last 10,000 writes before WCNT is exhausted are carried out but answered with FF 71.",
            evidence: "The Flipper firmware warns in a window whose bounds look like a slip of byte order."),
        QuirkSwitch(
            "liteCkWriteWithMacAfterLock", \.liteCkWriteWithMacAfterLock, .oneOf(true, false),
            "Whether CK and CKV can be changed with MAC_A after the lock, if MC allows it.",
            evidence: "They can according to the definition of MC and to nfcpy; the Flipper firmware refuses."),
    ]

    private static let sessionSwitches: [QuirkSwitch<FeliCaLiteProfile>] = [
        QuirkSwitch(
            unpublished: .liteStatePlainWrite, \.liteStatePlainWrite, .oneOf(true, false),
            "Whether a Write of STATE without MAC_A authenticates, if MC does not require MAC_A.",
            evidence: "It does in the Flipper firmware, and authors of clients warn about it; not measured."),
        QuirkSwitch(
            unpublished: .liteMacWhereNotAsked, \.liteMacWhereNotAsked, .oneOf(true, false),
            "Whether a Write with MAC_A is accepted if MC does not require it, or refused with B2.",
            evidence:
                "Accepted as nfcpy uses it and by the Flipper firmware; a reader of the starter manual suspects B2."),
        QuirkSwitch(
            unpublished: .liteRcClearsExtAuth, \.liteRcClearsExtAuth, .oneOf(false, true),
            "Whether writing RC again ends external authentication.", evidence: "Not documented."),
        QuirkSwitch(
            unpublished: .liteMacWithoutRC, \.liteMacWithoutRC, .cases,
            "The answer to a Read of MAC before RC is written: zeros, or B2.", evidence: "Not documented."),
    ]
}
