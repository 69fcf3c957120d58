import ScenarioSupport
import TapCards
import TapDocument
import TapScenario
import TapWire
import TapYAML
import TestSupport
import Testing

/// Dumps of a tag in each format, identical to those of the tools.
private struct Dump {
    let tag: NTAGDefinition

    init() throws {
        var memory = (0..<NTAGProduct.ntag213.layout.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 4) }
        memory[3] = 0x88 ^ memory[0] ^ memory[1] ^ memory[2]
        memory[8] = memory[4] ^ memory[5] ^ memory[6] ^ memory[7]
        var tag = try NTAGDefinition(.ntag213, image: memory)
        tag.signature = OriginalitySignature(r: SIMD16(repeating: 0x5A), s: SIMD16(repeating: 0xA5))
        tag.counter = 0x01_0203
        self.tag = tag
    }

    private var pages: [String] {
        (0..<tag.product.layout.pageCount).map { Hex.text(tag[page: $0].bytes) }
    }

    var binary: [UInt8] { tag.memory }

    var hexadecimal: String { "# a tag\n" + pages.joined(separator: "\r\n") + " # the end\n" }

    var flipper: String {
        """
        Filetype: Flipper NFC device
        Version: 4
        # Device type can be anything
        Device type: NTAG/Ultralight
        NTAG/Ultralight type: NTAG213
        Signature: \(Hex.text(tag.signature.bytes, separator: " "))
        Mifare version: \(Hex.text(tag.version.bytes, separator: " "))
        Counter 0: 0
        Counter 2: \(tag.counter)
        Pages total: 45
        Pages read: 45
        \(pages.enumerated().map { "Page \($0): \($1)" }.joined(separator: "\n"))
        Failed authentication attempts: 0
        """
    }

    var json: String {
        let blocks = pages.enumerated().map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ")
        let card =
            "\"Version\": \"\(Hex.text(tag.version.bytes))\", \"Signature\": \"\(Hex.text(tag.signature.bytes))\", "
            + "\"Counter2\": \"030201\""
        return "{\"Created\": \"proxmark3\", \"FileType\": \"mfu\", \"Card\": {\(card)}, \"blocks\": {\(blocks)}}"
    }

    var proxmark: [UInt8] {
        tag.version.bytes + [0, 0, 0, 44] + tag.signature.bytes + Array(repeating: 0, count: 8) + [3, 2, 1, 0xBD]
            + tag.memory
    }
}

@Suite(.enabled(if: YAMLReader.isAvailable)) struct `Dumps of tags` {
    private func load(_ card: String, _ dump: [UInt8]) -> LoadedScenario {
        var files = StoredFiles([:])
        files.files["dumps/tag"] = dump
        return LoadedScenario("format: 1\ncards: {tag: {\(card)}}", name: "main.yaml", files: files)
    }

    private func tag(_ card: String, _ dump: [UInt8]) throws -> NTAGDefinition? {
        let loaded = load(card, dump)
        #expect(loaded.diagnostics.isEmpty, "\(loaded.diagnostics.text())")
        guard case .ntag(let template)? = loaded.first?.cards.first?.definition else { return nil }
        return template.definition
    }

    @Test func `produce the same tag in every format`() throws {
        let dump = try Dump()
        var plain = dump.tag
        plain.signature = try NTAGDefinition(.ntag213, image: dump.binary).signature
        plain.counter = 0
        let whole: [[UInt8]] = [Array(dump.flipper.utf8), Array(dump.json.utf8), dump.proxmark]
        for bytes in whole { #expect(try tag("image: dumps/tag", bytes) == dump.tag) }
        for bytes in [dump.binary, Array(dump.hexadecimal.utf8)] {
            #expect(try tag("image: dumps/tag", bytes) == plain)
        }
    }

    @Test func `are overridden by the card's other keys`() throws {
        let dump = try Dump()
        let tag = try #require(
            try tag(
                "ic: NTAG213, image: dumps/tag, uid: 04A1B2C3D4E580, pages: {5: \"01 02 03 04\"}, config: {pwd: DEADBEEF}",
                dump.binary))
        #expect(tag.uid.bytes == [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80])
        #expect(tag[page: 5].bytes == [1, 2, 3, 4] && tag.password.bytes == [0xDE, 0xAD, 0xBE, 0xEF])
        #expect(tag[page: 6] == dump.tag[page: 6] && tag[page: 44] == dump.tag[page: 44])
        let named = try #require(try self.tag("template: ndef, ic: NTAG213, image: dumps/tag", dump.binary))
        #expect(named.memory == dump.tag.memory)
    }

    @Test func `that are truncated are completed with factory values of a known IC and a warning`() throws {
        let bytes = Array(try Dump().binary.prefix(64))
        let loaded = load("ic: NTAG215, image: dumps/tag", bytes)
        #expect(loaded.diagnostics.found.map(\.code) == [.partialDump, .partialDump])
        #expect(!loaded.diagnostics.hasErrors)
        #expect(loaded.diagnostics.text().contains("not read: 16 to 132"))
        #expect(loaded.diagnostics.text().contains("does not contain the password: it ends before PWD"))
        guard case .ntag(let template)? = loaded.first?.cards.first?.definition else {
            Issue.record("no tag")
            return
        }
        let tag = template.definition
        let delivered = try NTAGDefinition(.ntag215, uid: tag.uid)
        #expect(Array(tag.memory.prefix(64)) == bytes)
        #expect(tag.memory.dropFirst(64) == delivered.memory.dropFirst(64))
        // The factory values say nothing about this tag's password.
        #expect(!tag.isPasswordKnown)
    }

    @Test func `made by a reader have an unknown password, so that none matches`() throws {
        var dumped = SampleTags.t0(.ntag213)
        dumped.password = .zero
        dumped.configuration.auth0 = 4
        let bytes = dumped.memory
        let loaded = load("image: dumps/tag", bytes)
        #expect(loaded.diagnostics.found.map(\.code) == [.partialDump], "\(loaded.diagnostics.text())")
        let test = try #require(loaded.first)
        guard case .ntag(let template)? = test.cards.first?.definition else {
            Issue.record("no tag")
            return
        }
        #expect(!template.definition.isPasswordKnown)
        var card = NTAGCard(template)
        card.fieldRose()
        var context = CardContext(random: SeededGenerator(seed: 1))
        let selects = zip([CascadeLevel.first, .second], card.uid.cascadeParts).map { Select.Request($0, $1).bytes }
        _ = card.answer(
            ShortFrame.wupa.bytes, bitCount: TypeAFraming.shortFrameBits, integrity: .good, context: &context)
        for frame in selects {
            _ = card.answer(frame, bitCount: frame.count * 8, integrity: .good, context: &context)
        }
        let guess = PasswordAuthentication.Request(password: .zero).bytes
        let answer = card.answer(guess, bitCount: guess.count * 8, integrity: .good, context: &context)
        #expect(answer?.bitCount == Acknowledgement.bitCount)
        var diagnostics = Diagnostics()
        let again = ScenarioLoader.scenario(from: test.resolved, file: "again", into: &diagnostics)
        #expect(diagnostics.isEmpty && again?.cases.first?.cards == test.cards)
        let given = try #require(try tag("image: dumps/tag, config: {pwd: DEADBEEF}", bytes))
        #expect(given.isPasswordKnown && given.password.bytes == [0xDE, 0xAD, 0xBE, 0xEF])
        #expect(try tag("image: dumps/tag, config: {pwd: \"00 00 00 00\"}", bytes)?.isPasswordKnown == true)
        #expect(try tag("image: dumps/tag, preset: amiibo", bytes)?.isPasswordKnown == true)
    }

    private static let tag213 = (try? Dump().binary) ?? []

    @Test(
        arguments: [
            ("", [0x04, 0x01, 0x02], DiagnosticCode.noDump), ("", Array("04 0G".utf8), .noDump),
            ("", Array("{}".utf8), .noDump), ("", Array("{".utf8), .noDump),
            ("", Array("{\"blocks\": {\"0\": \"0102\"}}".utf8), .noDump),
            ("", Array("{\"blocks\": {\"1\": \"01020304\"}}".utf8), .noDump),
            ("", Array("Filetype: Flipper NFC device\nVersion: 4\nDevice type: Mifare Classic\n".utf8), .noDump),
            (
                "", Array("Filetype: Flipper NFC device\nVersion: 2\nDevice type: NTAG215\nPage 1: 00 00 00 00".utf8),
                .noDump
            ),
            ("", [], .noDump), ("", Array(repeating: 0x80, count: 2_000_000), .noDump),
            ("", Array(tag213.prefix(64)), .missingKey), ("", Array(repeating: 0x80, count: 180), .noDump),
            (", ic: NTAG215", Array(repeating: 0x80, count: 8), .noDump),
            (", ic: NTAG216", tag213, .contradiction), (", ic: RC-S962", tag213, .contradiction),
        ] as [(String, [UInt8], DiagnosticCode)])
    func `that match no tag or another tag are rejected`(_ keys: String, _ bytes: [UInt8], _ code: DiagnosticCode) {
        let loaded = load("image: dumps/tag\(keys)", bytes)
        #expect(loaded.diagnostics.found.map(\.code) == [code], "\(loaded.diagnostics.text())")
        #expect(loaded.scenario == nil)
    }

    @Test func `that do not exist are reported where they are named`() {
        let loaded = load("image: tag.bin", [])
        #expect(loaded.diagnostics.found.map(\.code) == [.fileUnreadable])
        #expect(loaded.diagnostics.found.first?.place.range?.text == "tag.bin")
        let alone = CardDocument.card("image: tag.bin")
        #expect(alone.diagnostics.found.map(\.code) == [.noFiles])
    }

    @Test func `do not trap if corrupted`() throws {
        let dump = try Dump()
        var mutations = Mutations(
            seed: TestSeed.value, "dumps", of: [dump.hexadecimal, dump.flipper, dump.json])
        for _ in 0..<300 {
            let loaded = load("image: dumps/tag", mutations.next())
            #expect(loaded.scenario != nil || loaded.diagnostics.hasErrors, "seed \(TestSeed.value)")
        }
    }

    @Test func `are inlined when the card is resolved`() throws {
        let loaded = load("image: dumps/tag", Array(try Dump().flipper.utf8))
        let test = try #require(loaded.first)
        var diagnostics = Diagnostics()
        let again = ScenarioLoader.scenario(from: test.resolved, file: "again", into: &diagnostics)
        #expect(diagnostics.isEmpty && again?.cases.first?.cards == test.cards)
    }
}
