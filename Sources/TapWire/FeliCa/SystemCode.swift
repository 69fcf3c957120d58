/// A FeliCa system code: two bytes, sent in big-endian order.
///
/// Source: FeliCa Card User's Manual, excerpted edition, Polling.
public struct SystemCode: OpenCode, CustomStringConvertible {
    /// The code as a number; `0x0003` is sent as `00 03`.
    public let rawValue: UInt16

    @inlinable
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Reads a code as written in Info.plist: exactly four hexadecimal digits.
    package init?(digits: String) {
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let value = UInt16(digits, radix: 16) else {
            return nil
        }
        self.init(value)
    }

    /// The Polling wildcard, which every system answers.
    public static let any = SystemCode(0xFFFF)
    /// Transit cards: Suica, PASMO, ICOCA and compatible cards.
    public static let transit = SystemCode(0x0003)
    /// The common area of FeliCa Networks: Edy, nanaco, WAON and others.
    public static let commonArea = SystemCode(0xFE00)
    public static let ndef = SystemCode(0x12FC)

    /// Returns whether Polling for `self` reaches a system with code `system`; a byte `FF` in `self` matches any byte.
    @inline(always)
    public func matches(_ system: SystemCode) -> Bool {
        if self == system { return true }
        let high = rawValue >> 8 == 0xFF || rawValue >> 8 == system.rawValue >> 8
        let low = rawValue & 0xFF == 0xFF || rawValue & 0xFF == system.rawValue & 0xFF
        return high && low
    }
}

// The table of known system codes, with names from the lists of Proxmark3, TRETJapanNFCReader and felica-tool.

extension SystemCode {
    public static let lite = SystemCode(0x88B4)
    /// FeliCa Plug, and FeliCa Link in Plug mode.
    package static let plug = SystemCode(0xFEE1)

    /// The entry in the table of known codes; ``any`` has none.
    package var entry: CodeEntry<SystemCode>? {
        Self.known.first { $0.code == self }
    }

    /// The codes with a publicly known use, in ascending order.
    package static let known: [CodeEntry<SystemCode>] = [
        entry(0x0003, "transit", "Suica, PASMO, ICOCA, Kitaca, TOICA, manaca, PiTaPa, nimoca, SUGOCA, Hayakaken."),
        entry(0x0102, "EZ-Link", "The transit card of Singapore until 2009."),
        entry(0x040F, "NicePass", "A regional transit card."),
        entry(0x04A6, "LuLuCa", "A regional transit card."),
        entry(0x04C1, "QUICPay", "The QUICPay payment."),
        entry(0x04C7, "nanaco", "nanaco on phones; cards have it in FE00."),
        entry(0x12FC, "NFC Forum Type 3 Tag", "A tag with an NDEF message."),
        entry(0x8003, "Yamanashi Kotsu", "A regional transit card."),
        entry(0x8005, "Shenzhen Tong", "The transit card of Shenzhen."),
        entry(0x8008, "Octopus", "The transit card of Hong Kong."),
        entry(0x800D, "Himawari", "A regional transit card."),
        entry(0x8016, "Nagasaki Smart Card", "A regional transit card."),
        entry(0x801E, "am/pm Edy", "An Edy card of a chain of shops."),
        entry(0x8029, "Saitama Railway", "A regional transit card."),
        entry(0x802B, "Setamaru", "A regional transit card."),
        entry(0x804C, "Kitami Bus", "A regional transit card."),
        entry(0x8074, "Ohmi Railway", "A regional transit card."),
        entry(0x80CD, "free area", "FeliCa Networks' free area of phones."),
        entry(0x80DE, "IruCa", "A regional transit card with the services of system 0003."),
        entry(0x80E0, "DESUCA", "A regional transit card."),
        entry(0x80EF, "ICa", "A regional transit card."),
        entry(0x8102, "MIWA", "Keys for door locks."),
        entry(0x811D, "Edy", "An Edy card of the first years."),
        entry(0x8157, "CI-CA", "A regional transit card."),
        entry(0x8182, "ANA", "The card of an airline."),
        entry(0x8194, "RapiCa", "A regional transit card."),
        entry(0x825E, "MIWA", "Keys for door locks."),
        entry(0x8287, "NicoPa", "A regional transit card."),
        entry(0x832C, "passca", "A regional transit card."),
        entry(0x83CC, "HareCa", "A regional transit card."),
        entry(0x83EE, "ayuca", "A regional transit card."),
        entry(0x84A1, "hanica", "A regional transit card."),
        entry(0x852B, "WAON", "The operator's own system of a WAON card."),
        entry(0x854C, "EX-IC", "The card for reserved Shinkansen rides."),
        entry(0x8592, "PASPY", "A regional transit card with the services of system 0003."),
        entry(0x8620, "Blackboard", "A campus card."),
        entry(0x862C, "itappy", "A regional transit card."),
        entry(0x865E, "SAPICA", "A regional transit card with the services of system 0003."),
        entry(0x869B, "Tsukica", "A regional transit card."),
        entry(0x86A7, "Suica", "The operator's own system of a Suica card."),
        entry(0x8760, "FCF campus", "The campus card format of FCF."),
        entry(0x88B4, "FeliCa Lite", "FeliCa Lite and Lite-S: one service, blocks without a session."),
        entry(0x8B43, "NORUCA", "A regional transit card."),
        entry(0x8B5D, "Ryuto", "A regional transit card."),
        entry(0x8B61, "Rakuten Edy", "An Edy card."),
        entry(0x8B98, "Randen", "A regional transit card."),
        entry(0x8BDC, "Rakuten Edy", "An Edy card."),
        entry(0x8CC1, "Speedpass", "The card of a chain of filling stations."),
        entry(0x8D3F, "Kururu", "A regional transit card."),
        entry(0x8DB6, "Asahikawa", "A regional transit card."),
        entry(0x8E4B, "University Co-op", "A campus card with prepaid money."),
        entry(0x8E58, "odeca", "A regional transit card."),
        entry(0x8F18, "Nankai", "A regional transit card."),
        entry(0x8FC1, "OKICA", "The transit card of Okinawa."),
        entry(0x9027, "Kumamon IC", "A regional transit card."),
        entry(0x9099, "emica", "A regional transit card."),
        entry(0x90AB, "Ibappi", "A regional transit card."),
        entry(0x90B7, "KMT", "The card of the commuter trains of Jakarta."),
        entry(0x90E3, "Dhaka MRT", "The card of the metro of Dhaka."),
        entry(0x927A, "Hayakaken", "The operator's own system of a Hayakaken card."),
        entry(0x9373, "KMT", "The card of the commuter trains of Jakarta."),
        entry(0x93EC, "NTasu", "A regional transit card."),
        entry(0x9450, "Ho Chi Minh City metro", "The card of the metro of Ho Chi Minh City."),
        entry(0x9506, "kinoca", "A regional transit card."),
        entry(0x957A, "FeliCa Secure ID", "The identification format of FeliCa Networks."),
        entry(0xFE00, "common area", "FeliCa Networks' common area: Edy, nanaco, WAON, QUICPay, iD."),
        entry(0xFE0F, "Osaifu-Keitai", "The container and management system of a phone."),
        entry(0xFEE1, "FeliCa Plug", "A FeliCa Plug or Link in Plug mode."),
    ]

    private static func entry(_ code: UInt16, _ name: String, _ sentence: String) -> CodeEntry<SystemCode> {
        CodeEntry(SystemCode(code), name, sentence)
    }
}
