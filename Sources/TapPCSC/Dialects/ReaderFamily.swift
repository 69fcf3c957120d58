import TapWire

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
