import TapWire

/// How a family of readers selects cards and carries frames.
///
/// A dialect is found while a card is connected and used for that reader until the link is closed. What it remembers of
/// the reader's settings is void once the card was gone.
protocol ReaderDialect {
    var limits: LinkLimits { get }

    /// Selects a card, if one answers.
    ///
    /// - Throws: ``LinkError`` where the reader cannot look for it or the way to the reader fails.
    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag?

    /// Sends a frame to the selected card; `nil` for silence.
    ///
    /// - Throws: ``LinkError`` where the reader cannot carry it or the way to the reader fails.
    mutating func transceive(
        _ frame: AirFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> AirFrame?

    /// Leaves the reader as it was found.
    mutating func end(over channel: any CardChannel)
}

extension ReaderDialect {
    mutating func end(over channel: any CardChannel) {}
}

extension Target {
    /// The technology the card is looked for with.
    var technology: Technology {
        switch self {
        case .felica(_, let technology): technology
        case .typeA: .typeA106
        }
    }
}

extension AirFrame {
    /// Refuses a frame that is to go out damaged in a way no reader sends.
    ///
    /// - Throws: ``LinkError`` for a frame with wrong parity, and for a FeliCa frame with a wrong CRC.
    func checkSendable(by reader: String) throws(LinkError) {
        guard integrity == .badParity || technology.isFeliCa && integrity != .good else { return }
        throw .cannotCarry(
            "a frame that is damaged on purpose", over: reader, "use a virtual card, or `tapsim run` with a fault")
    }
}

/// The dialect a reader speaks, as far as its name tells.
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

    /// The family of a reader that goes by a name.
    ///
    /// Sources: names in the list of the CCID driver and in programs; Sony's go by `FeliCa Port/PaSoRi` on Windows.
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

/// Finds the dialect of a reader with a card in it: by its name, then by what it answers.
enum DialectSearch {
    /// The first dialect the reader turns out to speak.
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

    /// The code by which the driver takes escape commands, or `nil` if it says that it takes none.
    private static func escapeCode(of channel: any CardChannel) throws(LinkError) -> ControlCode? {
        guard let list = try channel.control(.features, []) else { return nil }
        return ReaderFeature.list(list).first { $0.tag == .escape }?.code
    }
}

/// A reader that has one way to FeliCa cards and another to type A cards.
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
        _ frame: AirFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> AirFrame? {
        switchOver(to: frame.technology, over: channel)
        return isFeliCa
            ? try felica.transceive(frame, timeout: timeout, over: channel)
            : try typeA.transceive(frame, timeout: timeout, over: channel)
    }

    mutating func end(over channel: any CardChannel) {
        if isFeliCa { felica.end(over: channel) } else { typeA.end(over: channel) }
    }

    /// Leaves the reader to the other way, which knows nothing of what this one has set.
    private mutating func switchOver(to technology: Technology, over channel: any CardChannel) {
        guard technology.isFeliCa != isFeliCa else { return }
        end(over: channel)
        isFeliCa = technology.isFeliCa
    }
}
