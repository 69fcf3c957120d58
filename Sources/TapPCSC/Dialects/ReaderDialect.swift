import TapWire

/// The commands with which a family of readers selects cards and carries frames.
///
/// A dialect is determined while a card is connected and used for that reader until the link is closed. Its knowledge of the
/// reader's settings is void once the card has left.
protocol ReaderDialect {
    var limits: LinkLimits { get }

    /// Selects a card, if one answers.
    ///
    /// - Throws: ``LinkError`` if the reader cannot look for the card or the connection to the reader fails.
    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag?

    /// Sends a frame to the selected card; returns `nil` for silence.
    ///
    /// - Throws: ``LinkError`` if the reader cannot carry the frame or the connection to the reader fails.
    mutating func transceive(
        _ frame: RFFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> RFFrame?

    /// Restores the reader's original state.
    mutating func end(over channel: any CardChannel)
}

extension ReaderDialect {
    mutating func end(over channel: any CardChannel) {}
}

extension Target {
    /// The technology in which to look for the card.
    var technology: Technology {
        switch self {
        case .felica(_, let technology): technology
        case .typeA: .typeA106
        }
    }
}

extension RFFrame {
    /// Rejects a frame that is to go out damaged in a way that no reader sends.
    ///
    /// - Throws: ``LinkError`` for a frame with wrong parity, and for a FeliCa frame with a wrong CRC.
    func checkSendable(by reader: String) throws(LinkError) {
        guard integrity == .badParity || technology.isFeliCa && integrity != .good else { return }
        throw .cannotCarry(
            "a deliberately damaged frame", over: reader, "use a virtual card, or `tapsim run` with a fault")
    }
}

/// The family of a reader, as far as its name reveals it.
public enum ReaderFamily: String, Hashable, Sendable, CaseIterable {
    /// ACS ACR122U and its relatives: a PN532 behind direct transmit.
    case acr122
    /// ACS ACR1251, ACR1252, ACR1255, ACR1281: raw FeliCa packets, transparent session.
    case acs
    /// Sony RC-S380: raw FeliCa packets.
    case rcs380
    /// Sony RC-S300: a transparent session in commands to the reader.
    case rcs300
    /// Any other contactless reader: PC/SC part 3.
    case standard

    /// Creates the family of a reader from its name.
    ///
    /// Sources: names in the list of the CCID driver and in programs; on Windows, Sony's are named `FeliCa Port/PaSoRi`.
    public init(readerName: String) {
        let name = readerName.lowercased()
        self = Self.marks.first { mark in mark.words.allSatisfy(name.contains) }?.family ?? .standard
    }

    private static let marks: [(words: [String], family: ReaderFamily)] = [
        (["acr122"], .acr122), (["touchatag"], .acr122),
        (["acr125"], .acs), (["acr128"], .acs), (["acm125"], .acs),
        (["rc-s300"], .rcs300), (["felica port", "4.0"], .rcs300),
        (["rc-s380"], .rcs380), (["felica port"], .rcs380),
    ]
}

/// Finds the dialect of a reader with a card in it: by its name, then by its answers.
enum DialectSearch {
    /// Returns the first dialect that the reader turns out to understand.
    static func dialect(of channel: any CardChannel) throws(LinkError) -> any ReaderDialect {
        switch ReaderFamily(readerName: channel.readerName) {
        case .acs: return DividedDialect(felica: PacketDialect(.acs), typeA: try transparentOrStorage(channel))
        case .rcs380: return DividedDialect(felica: PacketDialect(.sony), typeA: try transparentOrStorage(channel))
        case .rcs300:
            if let escape = try escapeCode(of: channel),
                let dialect = try TransparentDialect(.escape(escape), channel)
            {
                return dialect
            }
        case .acr122, .standard:
            if let dialect = try ACR122Dialect(channel) { return dialect }
        }
        return try transparentOrStorage(channel)
    }

    private static func transparentOrStorage(_ channel: any CardChannel) throws(LinkError) -> any ReaderDialect {
        if let dialect = try TransparentDialect(.transmit, channel) { return dialect }
        return StorageDialect()
    }

    /// Returns the driver's code for escape commands; `nil` if the driver reports none.
    private static func escapeCode(of channel: any CardChannel) throws(LinkError) -> ControlCode? {
        guard let list = try channel.control(.features, []) else { return nil }
        return ReaderFeature.list(list).first { $0.tag == .escape }?.code
    }
}

/// A reader with different commands for FeliCa cards and type A cards.
struct DividedDialect: ReaderDialect {
    private var felica: any ReaderDialect
    private var typeA: any ReaderDialect
    private var isFeliCa = false

    init(felica: any ReaderDialect, typeA: any ReaderDialect) {
        self.felica = felica
        self.typeA = typeA
    }

    var limits: LinkLimits { isFeliCa ? felica.limits : typeA.limits }

    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag? {
        switchOver(to: target.technology, over: channel)
        return isFeliCa
            ? try felica.activate(target, timeout: timeout, over: channel)
            : try typeA.activate(target, timeout: timeout, over: channel)
    }

    mutating func transceive(
        _ frame: RFFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> RFFrame? {
        switchOver(to: frame.technology, over: channel)
        return isFeliCa
            ? try felica.transceive(frame, timeout: timeout, over: channel)
            : try typeA.transceive(frame, timeout: timeout, over: channel)
    }

    mutating func end(over channel: any CardChannel) {
        if isFeliCa { felica.end(over: channel) } else { typeA.end(over: channel) }
    }

    /// Hands the reader over to the other dialect, which knows nothing of the settings of the current one.
    private mutating func switchOver(to technology: Technology, over channel: any CardChannel) {
        guard technology.isFeliCa != isFeliCa else { return }
        end(over: channel)
        isFeliCa = technology.isFeliCa
    }
}
