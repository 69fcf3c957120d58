import TapCards
import TapWire
import TestSupport
import Testing

@Suite struct `Presets of NTAG21x` {
    @Test func `create a blank tag`() throws {
        let blank = NTAGPreset.genuineBlank.applied(to: SampleTags.t3())
        #expect(blank == (try NTAGDefinition(.ntag215, uid: SampleTags.t0().uid)))
        #expect(blank.signature == NTAGDefinition.sampleSignature)
    }

    @Test func `create a clone that readers can detect`() {
        let clone = NTAGPreset.fudanLikeClone.applied(to: SampleTags.t0())
        #expect(clone.uid == SampleTags.t0().uid)
        var session = NTAGSession(clone)
        session.select()
        #expect(session.send("60") == "00 53 04 02 01 00 11 03")
        #expect(session.send("3C 00").hasPrefix("04 A2 3B 5C 6D 7E 80 04 A2"))
        #expect(session.send("3A 84 84") == "00 00 00 00")
        #expect(session.send("30 00!crc") == "00:4")
    }

    /// A tag that starts with AUTHLIM failures is as locked as one that counted them.
    @Test func `lock a tag that stays locked when AUTHLIM is raised`() {
        var tag = SampleTags.t0()
        tag.configuration.access.authlim = 3
        tag.failedAuthentications = 3
        tag.quirks.authLimitRaised = .staysLocked
        var session = NTAGSession(tag)
        session.select()
        #expect(session.send("A2 84 05 05 00 00") == "0A:4")
        session.select()
        #expect(session.send("1B FF FF FF FF") == "04:4")
    }

    @Test(arguments: [("04A23B5C6D7E80", "54 03 88 B8"), ("041F98EA1E3E81", "5F D3 7E CA")])
    func `derive the password of a figure from its UID`(uid: String, password: String) throws {
        var tag = SampleTags.t0()
        try tag.setUID(try #require(UID(Hex.bytes(uid))))
        tag = NTAGPreset.amiiboStyle.applied(to: tag)
        #expect(Hex.text(tag.password.bytes, separator: " ") == password)
        var session = NTAGSession(tag)
        session.select()
        #expect(session.send("1B \(password)") == "80 80")
    }

    @Test func `lock a figure as its manufacturer does`() {
        var session = NTAGSession(NTAGPreset.amiiboStyle.applied(to: SampleTags.t0()))
        let card = session.card
        #expect((0..<135).filter(card.isLocked) == [3, 13, 14, 15] + Array(16...31))
        #expect(
            [2, 3, 0x82, 0x83, 0x84].map { card[page: $0].description } == [
                "CF480FE0", "F110FFEE", "01000FBD", "00000004", "5F000000",
            ])
        session.select()
        #expect(session.send("3A 04 04") == "A5 00 00 00")
        #expect(session.send("A2 04 00 00 00 00") == "00:4")
    }

    /// Pages that rom-properties and console emulators check before they accept a tag as a figure's.
    @Test func `create a figure that readers recognise by its pages`() throws {
        let tag = try NTAGDefinition(.ntag215, uid: SampleTags.t0().uid)
        var session = NTAGSession(NTAGPreset.amiiboStyle.applied(to: tag))
        session.select()
        #expect(session.send("60") == "00 04 04 02 01 00 11 03")
        #expect(session.send("3A 02 04").hasSuffix("48 0F E0 F1 10 FF EE A5 00 00 00"))
        #expect(session.send("3A 15 16").hasSuffix("02") && session.send("3A 15 15").hasSuffix("00"))
        #expect(session.send("3A 15 16") != "00 00 00 00 00 00 00 02")
        #expect(session.send("3A 82 84") == "01 00 0F BD 00 00 00 04 5F 00 00 00")
    }

    @Test func `protect a tag from page 04 on`() {
        var session = NTAGSession(NTAGPreset.protected.applied(to: SampleTags.t0()))
        session.select()
        #expect(session.send("30 03").hasPrefix("E1 10 3E 00 04 A2"))
        #expect(session.send("30 04") == "00:4")
        session = NTAGSession(NTAGPreset.writeProtected.applied(to: SampleTags.t1()))
        session.select()
        #expect(session.send("3A 04 04") == "03 14 D1 01")
        #expect(session.send("A2 04 00 00 00 00") == "00:4")
    }

    @Test func `lock a tag permanently`() {
        var session = NTAGSession(NTAGPreset.lockedForEver.applied(to: SampleTags.t1()))
        session.select()
        #expect(session.send("1B 12 34 56 78") == "04:4")
    }

    @Test(arguments: [
        (NTAGPreset.foreignCapabilityContainer, 3, "F1 10 FF EE"), (.emptyCapabilityContainer, 3, "00 00 00 00"),
        (.overlongTLV, 4, "03 FF FF FE"), (.unknownTLV, 4, "42 03 01 02"), (.missingTerminator, 4, "03 03 D0 00"),
        (.missingTerminator, 0x81, "FF FF FF FF"),
    ])
    func `break content that parsers read`(preset: NTAGPreset, page: Int, content: String) {
        for product in NTAGProduct.allCases where page < product.layout.dynamicLockPage {
            let tag = preset.applied(to: SampleTags.t0(product))
            #expect(Hex.text(tag[page: page].bytes, separator: " ") == content)
            #expect(tag[page: product.layout.dynamicLockPage] == NTAGDefinition.deliveredDynamicLocks)
        }
    }
}
