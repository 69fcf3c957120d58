import TapWire

extension CardTemplate: OtherwiseNamed {
    /// Romanizations of the Japanese name that differ from ``rawValue``, and long names.
    var otherNames: [String] { Self.otherNames[rawValue] ?? [] }

    private static let otherNames: [String: [String]] = [
        "suica": ["suika"], "icoca": ["ikoka"], "pasmo": ["pasumo"], "toica": ["toika"], "manaca": ["manaka"],
        "kitaca": ["kitaka"], "sugoca": ["sugoka"], "nimoca": ["nimoka"], "icsca": ["ikusuka"], "iruca": ["iruka"],
        "paspy": ["pasupi"], "sapica": ["sapika"], "okica": ["okika"], "edy": ["edei", "rakuten-edy"],
        "nanaco": ["nanako"], "ryuto": ["riyuto"], "octopus": ["okutopasu"], "luluca": ["ruruka"],
        "felica-lite": ["felica-lite-s", "lite-s"], "ndef": ["ntag", "ntag21x", "nfc", "nfc-tag"],
    ]

    /// The advice on the name of a technology that is not a template, or `nil` for other names.
    static func advice(onTechnology name: String) -> String? {
        let name = name.lowercased()
        if name.hasPrefix("mifare") {
            return "TapSim simulates FeliCa and NTAG21x, not MIFARE; for an NFC tag, use `ndef`"
        }
        guard name.hasPrefix("felica"), !name.hasPrefix("felica-lite") else { return nil }
        return "name a FeliCa card, such as `suica`, `edy` or `felica-lite`, or an IC, such as `RC-S962`"
    }
}
