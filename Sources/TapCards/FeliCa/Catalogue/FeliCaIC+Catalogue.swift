import TapWire

// The chips. Codes and names: felica-tool, lists of chips and of supported commands, and the annotations of the
// Proxmark3 client.

extension FeliCaIC {
    /// Cards with DES keys.
    static let desCards: [FeliCaIC] = [
        FeliCaIC(
            "RC-S914", .des, ic: 0x00, rom: [0x02], aliases: ["RC-S830"], limits: (8, 8)
        ).measured(
            read: 12, write: nil, commands: .des.subtracting([.echo]), echo: nil, requestCodes: .upToSystemCode),
        FeliCaIC(
            "RC-S914 export", .des, ic: 0x00, rom: [0x03], aliases: ["RC-S833"], limits: (8, 8)
        ).measured(
            read: nil, write: nil, commands: .des.subtracting([.echo, .searchServiceCode, .requestSystemCode]),
            echo: nil, requestCodes: .upToSystemCode),
        FeliCaIC(
            "RC-S915", .des, ic: 0x01, rom: [0x03, 0x04],
            aliases: ["RC-S860", "RC-S862", "RC-S863", "RC-S864", "RC-S891"],
            limits: (8, 8), pmm: .seen(0x0301_4B02_4F49_93FF, "a card traced in the tests of nfcpy")
        ).measured(read: 12, write: nil, commands: .des, requestCodes: .upToSystemCode),
        FeliCaIC("RC-S919", .des, ic: 0x02),
        FeliCaIC("RC-S952", .des, ic: 0x08, limits: (12, 8)),
        FeliCaIC("RC-S953", .des, ic: 0x09, limits: (12, 8)),
        FeliCaIC(
            "RC-S95x", .des, ic: 0x0B, rom: [0x10],
            pmm: .seen(0x100B_4B42_8485_D0FF, "a transit card traced in the tests of nfcpy")
        ).measured(read: 12, write: 10, commands: .des, trailing: .silence, echo: 238),
        FeliCaIC("RC-S954", .des, ic: 0x0C, limits: (12, 8)),
        FeliCaIC(
            "RC-S960", .des, ic: 0x0D, rom: [0x0F], aliases: ["RC-S880", "RC-S889"], limits: (12, 10),
            pmm: .seen(0x0F0D_2304_2F77_83FF, "a card in the tests of nfcpy")),
        FeliCaIC(
            "RC-S962", .des, ic: 0x20, rom: [0x01], aliases: ["RC-S885", "RC-S888", "RC-S892", "RC-S893"],
            pmm: .seen(0x0120_2204_2767_4EFF, "widely quoted, not confirmed", .inferred)
        ).measured(read: 12, write: 10, commands: .des, trailing: .silence),
        FeliCaIC("FeliCa CN/HK", .des, ic: 0x24, rom: [0x02], aliases: ["Octopus"]).measured(
            read: 12, write: nil, commands: .des.subtracting([.echo, .searchServiceCode]),
            trailing: .silenceFor([.polling, .requestService, .readWithoutEncryption]), echo: nil,
            unknownAttribute: .silence),
    ]

    private static let nodeProperty: FeliCaCommandSet = .aes.union([.getNodeProperty])

    /// Cards with AES keys.
    static let aesCards: [FeliCaIC] = [
        FeliCaIC(
            "SD1", .aes, ic: 0x31, rom: [0x05, 0x06], aliases: ["RC-S114"],
            pmm: .seen(0x0531_4345_4682_B7FF, "a card dumped for the Flipper firmware")
        ).measured(read: 15, write: 13, commands: .aes),
        FeliCaIC("RC-SA00/1", .aes, ic: 0x32, rom: [0x03], aliases: ["RC-SA00"]).measured(
            read: 15, write: 13, commands: .aes),
        FeliCaIC("RC-SA00/2", .aes, ic: 0x33, rom: [0x03]),
        FeliCaIC("RC-SA01/1", .aes, ic: 0x34, rom: [0x03], aliases: ["RC-SA01"]),
        FeliCaIC("RC-SA01/2", .aes, ic: 0x35, rom: [0x03]),
        FeliCaIC("RC-SA04/1", .aes, ic: 0x36, rom: [0x01], aliases: ["RC-SA04"]).measured(
            read: 15, write: 13, commands: .aes),
        FeliCaIC("SD2", .aes, ic: 0x38, rom: [0x02]).measured(read: 15, write: 13, commands: .aes),
        FeliCaIC("SD2 dual interface", .aes, ic: 0x3B, rom: [0x04]).measured(
            read: 15, write: 13, commands: nodeProperty),
        FeliCaIC("RC-SA08", .aes, ic: 0x3E, rom: [0x03]),
        FeliCaIC("RC-SA24/1-3x", .aes, ic: 0x43, rom: [0x01], aliases: ["RC-SA24"]),
        FeliCaIC("RC-SA20/1", .aes, ic: 0x44, rom: [0x01], aliases: ["RC-SA20"]).measured(
            read: 15, write: 13, commands: nodeProperty),
        FeliCaIC("RC-SA20/2", .aes, ic: 0x45, rom: [0x01], commands: nodeProperty),
        FeliCaIC("RC-SA21/2", .aes, ic: 0x46, rom: [0x01], aliases: ["RC-SA21"]).measured(
            read: 15, write: 13, commands: nodeProperty),
        FeliCaIC("RC-SA24/1-3x1", .aes, ic: 0x47, rom: [0x01]),
        FeliCaIC("RC-SA21/2x1", .aes, ic: 0x48, rom: [0x01], commands: nodeProperty),
        FeliCaIC("RC-SA28/1x", .aes, ic: 0x4B, rom: [0x02], aliases: ["RC-SA28"]),
        FeliCaIC("SD3", .aes, ic: 0x50),
        FeliCaIC("RC-SA40/2P", .aes, ic: 0x51, aliases: ["RC-SA40"]),
        FeliCaIC("RC-SA41/2C", .aes, ic: 0x52, aliases: ["RC-SA41"]),
        FeliCaIC("RC-SA14", .aes, ic: 0xA2),
    ]

    /// Phones; the plain name of a version with several IC codes is that of the first.
    static let phones: [FeliCaIC] =
        [
            FeliCaIC("Mobile FeliCa 1.0", .mobile, ic: 0x06),
            FeliCaIC("Mobile FeliCa 1.1", .mobile, ic: 0x07),
        ]
        + phone("Mobile FeliCa 2.0", .mobile, ics: 0x10...0x13)
        + phone("Mobile FeliCa 3.0", .mobile, ics: 0x14...0x15)
        + [
            FeliCaIC("Mobile FeliCa 4.0 for Apple Wallet", .mobileAES, ic: 0x16, rom: [0x01], aliases: ["Apple Wallet"])
                .measured(
                    read: 15, write: 13, commands: .aes.union([.getContainerIssueInformation]),
                    trailing: .silenceFor([.polling])),
            FeliCaIC("Mobile FeliCa 4.0", .mobileAES, ic: 0x17),
            FeliCaIC("Mobile FeliCa 4.1", .mobileAES, ic: 0x18, rom: [0x01]).measured(
                read: 15, write: 13, commands: .aes.union(.mobile), trailing: .silenceFor([.polling])),
        ]
        + (UInt8(0x19)...0x1F).map { ic in
            FeliCaIC(
                "Mobile FeliCa 4.1 (IC \(Hex.digits(ic, width: 2)))", .mobileAES, ic: ic,
                commands: .aes.union(.mobile))
        }

    private static func phone(_ name: String, _ generation: Generation, ics: ClosedRange<UInt8>) -> [FeliCaIC] {
        ics.map { ic in
            let plain = ic == ics.lowerBound ? [name] : []
            return FeliCaIC("\(name) (IC \(Hex.digits(ic, width: 2)))", generation, ic: ic, aliases: plain)
        }
    }

    /// No chip: the profile under which the built test vectors hold, with the PMm of an IC 0B.
    static let vectorS: FeliCaIC = {
        func fact<Value>(_ value: Value) -> Fact<Value> { .known(value, .certain, source: "built for test vectors") }
        var ic = FeliCaIC("vector-s", .des, ic: nil)
        let profile = FeliCaProfile()
        ic.maxReadBlocks = fact(profile.maxReadBlocks)
        ic.maxWriteBlocks = fact(profile.maxWriteBlocks)
        ic.supportedCommands = fact(.des)
        ic.pollingRequestCodes = fact(profile.pollingRequestCodes)
        ic.trailingBytes = fact(.ignore)
        ic.echoMax = fact(profile.echoMax)
        ic.requestServiceUnknownAttribute = fact(.answer)
        ic.statusLocation = fact(.ordinal)
        ic.performanceBytes = fact(profile.performanceBytes)
        ic.pmm = fact(PMm(0x100B_4B42_8485_D0FF))
        return ic
    }()
}
