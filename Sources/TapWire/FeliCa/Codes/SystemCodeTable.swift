// The table of known system codes. Names after the lists of Proxmark3, TRETJapanNFCReader and felica-tool.

extension SystemCode {
    /// FeliCa Lite and Lite-S.
    public static let lite = SystemCode(0x88B4)

    /// The entry of the table of known codes; ``any`` has none.
    public var entry: CodeEntry<SystemCode>? {
        Self.known.first { $0.code == self }
    }

    /// The codes whose use is public, in ascending order.
    public static let known: [CodeEntry<SystemCode>] = [
        entry(0x0003, "transit", "Suica, PASMO, ICOCA, Kitaca, TOICA, manaca, PiTaPa, nimoca, SUGOCA, Hayakaken."),
        entry(0x040F, "NicePass", "A regional transit card."),
        entry(0x04C1, "QUICPay", "The QUICPay payment."),
        entry(0x04C7, "nanaco", "nanaco on phones; cards have it in FE00."),
        entry(0x12FC, "NFC Forum Type 3 Tag", "A tag that holds an NDEF message."),
        entry(0x8003, "Yamanashi Kotsu", "A regional transit card."),
        entry(0x8005, "Shenzhen Tong", "The transit card of Shenzhen."),
        entry(0x8008, "Octopus", "The transit card of Hong Kong."),
        entry(0x80DE, "IruCa", "A regional transit card with the services of system 0003."),
        entry(0x80E0, "DESUCA", "A regional transit card."),
        entry(0x80EF, "ICa", "A regional transit card."),
        entry(0x811D, "Edy", "An Edy card of the first years."),
        entry(0x8157, "CI-CA", "A regional transit card."),
        entry(0x8194, "RapiCa", "A regional transit card."),
        entry(0x8287, "NicoPa", "A regional transit card."),
        entry(0x83EE, "ayuca", "A regional transit card."),
        entry(0x84A1, "hanica", "A regional transit card."),
        entry(0x852B, "WAON", "The operator's own system of a WAON card."),
        entry(0x854C, "EX-IC", "The card for reserved Shinkansen rides."),
        entry(0x8592, "PASPY", "A regional transit card with the services of system 0003."),
        entry(0x865E, "SAPICA", "A regional transit card with the services of system 0003."),
        entry(0x86A7, "Suica", "The operator's own system of a Suica card."),
        entry(0x8760, "FCF campus", "The campus card format of FCF."),
        entry(0x88B4, "FeliCa Lite", "FeliCa Lite and Lite-S: one service, blocks without a session."),
        entry(0x8B5D, "Ryuto", "A regional transit card."),
        entry(0x8B61, "Rakuten Edy", "An Edy card."),
        entry(0x8E4B, "University Co-op", "A campus card with prepaid money."),
        entry(0x8FC1, "OKICA", "The transit card of Okinawa."),
        entry(0x9027, "Kumamon IC", "A regional transit card."),
        entry(0x927A, "Hayakaken", "The operator's own system of a Hayakaken card."),
        entry(0x957A, "FeliCa Secure ID", "The identification format of FeliCa Networks."),
        entry(0xFE00, "common area", "FeliCa Networks' common area: Edy, nanaco, WAON, QUICPay, iD."),
        entry(0xFE0F, "Osaifu-Keitai", "The container and management system of a phone."),
        entry(0xFEE1, "FeliCa Plug", "A FeliCa Plug or Link in Plug mode."),
    ]

    private static func entry(_ code: UInt16, _ name: String, _ sentence: String) -> CodeEntry<SystemCode> {
        CodeEntry(SystemCode(code), name, sentence)
    }
}
