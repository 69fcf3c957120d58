import TapField
import TapWire
import Testing

@testable import TapPhone

@Suite struct `An app's declarations` {
    private static let misspelt = ["3", "+003", "00030", "", "00 3", "ＦＥ００", "FFFF", "00FF", "FF00"]
    private static let entries: [([String], [String], [String])] = [
        (["0003", "fe00", "0003"], ["0003", "FE00"], []),
        (["FFFF"], [], ["Invalid system code entry: FFFF"]),
        (misspelt + ["12FC"], ["12FC"], misspelt.map { "Invalid system code entry: \($0)" }),
    ]

    @Test(arguments: entries)
    func `contain four hexadecimal digits without FF`(entries: [String], codes: [String], complaints: [String]) {
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
    func `are checked before a session begins`(
        codes: [String], usage: String?, technologies: PhoneTechnologies, reason: String?
    ) {
        let declarations = PhoneDeclarations(feliCaSystemCodes: codes, usageDescription: usage)
        var error: PhoneError?
        do { try declarations.check(technologies) } catch let thrown { error = thrown }
        #expect(error?.code == (reason == nil ? nil : .securityViolation))
        #expect(error?.reason?.contains(reason ?? "") ?? true)
    }

    @Test func `may be missing, and are not needed by NDEF sessions`() throws {
        try PhoneDeclarations.notGiven.check([.iso14443, .iso18092])
        let app = PhoneDeclarations(feliCaSystemCodes: ["0003"], usageDescription: "Reads cards.")
        for declarations in [PhoneDeclarations.notGiven.forNDEF, app.forNDEF] {
            try declarations.check([.iso14443, .iso18092])
            #expect(declarations.systemCodes == [.ndef])
        }
    }

    @Test func `must contain the text for the user in NDEF sessions`() {
        let app = PhoneDeclarations(feliCaSystemCodes: ["0003"], usageDescription: nil)
        #expect(throws: PhoneError.self) { try app.forNDEF.check(.iso14443) }
    }

    private static let choices: [([String], [String], [String], [String])] = [
        (["0003", "FE00"], [], ["0003", "FE00"], []),
        (["0003", "FE00"], ["fe00", "FE00"], ["FE00"], []),
        (["0003"], ["FE00", "0003"], ["0003"], ["FE00"]),
        (["0003"], ["FFFF", "0003"], ["0003"], ["FFFF"]),
    ]

    @Test(arguments: choices)
    func `limit the codes that a session can choose`(
        declared: [String], chosen: [String], polled: [String], dropped: [String]
    ) throws {
        let session = PhoneDeclarations(feliCaSystemCodes: declared, usageDescription: "x").choosing(chosen)
        try session.check(.iso18092)
        #expect(session.polledCodes(among: session.systemCodes).map(\.description) == polled)
        #expect(session.complaints.count == dropped.count)
        for (complaint, entry) in zip(session.complaints, dropped) { #expect(complaint.contains(entry)) }
    }

    @Test func `do not let a session begin that chooses only undeclared codes`() {
        let session = PhoneDeclarations(feliCaSystemCodes: ["0003"], usageDescription: "x").choosing(["FE00"])
        let error = #expect(throws: PhoneError.self) { try session.check(.iso18092) }
        #expect(error?.code == .securityViolation)
        #expect(error?.reason?.contains("lists system code FE00, but Info.plist does not") == true)
    }

    @Test func `have the numbers of Core NFC`() {
        #expect(PhoneTechnologies.iso14443.rawValue == 1)
        #expect(PhoneTechnologies.iso15693.rawValue == 2)
        #expect(PhoneTechnologies.iso18092.rawValue == 4)
        #expect(PhoneTechnologies.pace.rawValue == 8)
    }
}
