import TapCards
import TapWire
import Testing

@Suite struct `FeliCa profile switches` {
    @Test func `names are distinct and every switch has an explanation`() {
        let switches = FeliCaProfile.switches
        #expect(Set(switches.map(\.name)).count == switches.count)
        for entry in switches {
            #expect(entry.meaning.hasSuffix(".") && entry.evidence.hasSuffix(".") && !entry.allowedValues.isEmpty)
        }
    }

    @Test func `every property of a profile has a switch with its name`() {
        let properties = Mirror(reflecting: FeliCaProfile()).children.compactMap(\.label)
        #expect(Set(properties) == Set(FeliCaProfile.switches.map(\.name)))
    }

    @Test func `the default value of a switch restores the default`() throws {
        var profile = FeliCaProfile()
        for entry in FeliCaProfile.switches { try profile.set(entry.name, to: entry.defaultValue) }
        #expect(profile == FeliCaProfile())
    }

    private static let settings = [
        ("maxReadBlocks", "15"), ("maxWriteBlocks", "13"), ("statusLocation", "bitmap"), ("statusLocation", "flag"),
        ("countErrorPreference", "A2"), ("serviceCountErrors", "silence"), ("serviceListCheck", "eager"),
        ("requireAscendingLists", "true"), ("requestServiceBadCount", "answer"), ("supportedCommands", "00 06 F000"),
        ("modeOfOptionCommands", "mode0"), ("trailingBytes", "silence"), ("trailingBytes", "00 02 06"),
        ("pollingRequestCodes", "00 01"), ("pollingReservedCodes", "silence"), ("performanceBytes", "0001"),
        ("randomSlot", "false"), ("echoMax", "238"), ("requestServiceUnknownAttribute", "silence"),
        ("encryptionListOrder", "both"), ("blockInfoArea", "free"), ("authNodePath", "full"),
        ("issuerCommands", "silence"), ("authRequiredPlainAccess", "B1"),
        ("cyclicWriteBlockNonZero", "A8"), ("purseDirectRaise", "true"), ("warning71Flag1", "FF"),
        ("cutBlockList", "silence"), ("cutServiceList", "answer"), ("absentPINService", "A4"),
        ("purseCheckOrder", "inOrder"), ("limitedPurseAmount", "signed"), ("purseDirectSum", "checked"),
        ("searchTime", "1500"),
    ]

    @Test(arguments: settings)
    func `a switch prints the value it was set to`(_ name: String, _ value: String) throws {
        let entry = try #require(FeliCaProfile.switches.first { $0.name == name })
        var profile = FeliCaProfile()
        try profile.set(name, to: value)
        #expect(entry.value(in: profile) == value)
        #expect(entry.defaultValue != value)
        #expect(profile != FeliCaProfile())
    }

    @Test func `every switch has a test with a non-default value`() {
        #expect(Set(Self.settings.map(\.0)) == Set(FeliCaProfile.switches.map(\.name)))
    }

    @Test(arguments: [
        ("maxReadBlocks", "16"), ("maxReadBlocks", "twelve"), ("statusLocation", "Bitmap"), ("echoMax", "-1"),
        ("countErrorPreference", "A3"), ("requireAscendingLists", "yes"), ("supportedCommands", "90"),
        ("supportedCommands", "F0"), ("supportedCommands", "0600"), ("performanceBytes", "00"), ("trailingBytes", "x"),
        ("warning71Flag1", "01"), ("pollingRequestCodes", "01"),
    ])
    func `an invalid value is rejected and changes nothing`(_ name: String, _ value: String) throws {
        var profile = FeliCaProfile()
        let error = #expect(throws: QuirkError.self) { try profile.set(name, to: value) }
        #expect(error?.code == .unknownValue)
        #expect(error?.description.contains(name) == true && error?.description.contains(value) == true)
        #expect(profile == FeliCaProfile())
    }

    @Test func `the error for an unknown switch lists the known names`() {
        var profile = FeliCaProfile()
        let error = #expect(throws: QuirkError.self) { try profile.set("maxreadblocks", to: "8") }
        #expect(error?.code == .unknownSwitch)
        #expect(error?.description.contains("maxReadBlocks") == true)
    }
}
