import TapField
import TapPhone
import TapWire
import Testing

@Suite struct `What an app declares` {
    private static let misspelt = ["3", "+003", "00030", "", "00 3", "ＦＥ００", "FFFF", "00FF", "FF00"]
    private static let entries: [([String], [String], [String])] = [
        (["0003", "fe00", "0003"], ["0003", "FE00"], []),
        (["FFFF"], [], ["Invalid system code entry: FFFF"]),
        (misspelt + ["12FC"], ["12FC"], misspelt.map { "Invalid system code entry: \($0)" }),
    ]

    @Test(arguments: entries)
    func `is four hexadecimal digits without FF`(entries: [String], codes: [String], complaints: [String]) {
        let declarations = PhoneDeclarations(feliCaSystemCodes: entries, usageDescription: "x")
        #expect(declarations.systemCodes.map(\.description) == codes)
        #expect(declarations.complaints == complaints)
    }

    private static let sessions: [([String], String?, PhoneTechnologies, String?)] = [
        (["0003"], "Reads cards.", .iso18092, nil),
        ([], "Reads cards.", .iso18092, "lists no valid FeliCa system code"),
        (["FFFF"], "Reads cards.", [.iso14443, .iso18092], "Invalid system code entry: FFFF"),
        ([], "Reads cards.", .iso14443, nil),
        (["0003"], nil, .iso18092, "a device would end the app"),
        (["0003"], "", .iso14443, "a device would end the app"),
    ]

    @Test(arguments: sessions)
    func `is checked before a session begins`(
        codes: [String], usage: String?, technologies: PhoneTechnologies, reason: String?
    ) {
        let declarations = PhoneDeclarations(feliCaSystemCodes: codes, usageDescription: usage)
        var error: PhoneError?
        do { try declarations.check(technologies) } catch let thrown { error = thrown }
        #expect(error?.code == (reason == nil ? nil : .securityViolation))
        #expect(error?.reason?.contains(reason ?? "") ?? true)
    }

    @Test func `may be nothing at all, and NDEF sessions need none of it`() throws {
        try PhoneDeclarations.notGiven.check([.iso14443, .iso18092])
        try PhoneDeclarations.ndef.check([.iso14443, .iso18092])
        #expect(PhoneDeclarations.ndef.systemCodes == [.ndef])
    }

    @Test func `has the numbers of Core NFC`() {
        #expect(PhoneTechnologies.iso14443.rawValue == 1)
        #expect(PhoneTechnologies.iso15693.rawValue == 2)
        #expect(PhoneTechnologies.iso18092.rawValue == 4)
        #expect(PhoneTechnologies.pace.rawValue == 8)
    }
}
