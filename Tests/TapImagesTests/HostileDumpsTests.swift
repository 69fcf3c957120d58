import TapCards
import TapDocument
import TapWire
import TestSupport
import Testing

@testable import TapImages

/// Any input gives a card or an error, and uses no more memory than a card.
@Suite struct `Corrupted and hostile dumps` {
    /// Reads the bytes in every format; checks that the results can be written and read again.
    private func take(_ name: String, _ bytes: [UInt8]) {
        let file = SourceFile(name: name, bytes: bytes)
        _ = CardImage.isDump(file)
        guard let image = try? CardImage(reading: file) else { return }
        for note in image.notes() { #expect(!note.message.isEmpty && !note.hint.isEmpty) }
        switch image.content {
        case .tag(let tag): if let product = tag.product { _ = try? tag.tag(product) }
        case .lite(let card): if let ic = card.ic { _ = card.card(ic) }
        case .felica(let card):
            guard let ic = card.ic, let definition = try? card.card(ic) else { return }
            let count = definition.systems.reduce(0) { $0 + $1.services.reduce(0) { $0 + $1.blocks.count } }
            #expect(count <= FeliCaImage.maximumBlocks)
            _ = try? FeliCaTemplate(definition)
        }
        for format in image.formats {
            guard let written = try? image.bytes(format) else { continue }
            #expect(throws: Never.self, "seed \(TestSeed.value), \(format) of \(name)") {
                try CardImage(reading: SourceFile(name: name, bytes: written))
            }
        }
    }

    /// Every seventh length of a long dump, so that cuts fall anywhere in a line; every length with `--long`.
    @Test(arguments: SampleDumps.all.map(\.name)) func `are accepted or rejected wherever they are truncated`(
        name: String
    ) {
        let bytes = SampleDumps.bytes(name)
        let step = bytes.count < 1_000 || TestScale.isLong ? 1 : 7
        for count in stride(from: 0, to: bytes.count, by: step) { take(name, Array(bytes.prefix(count))) }
    }

    @Test(arguments: SampleDumps.all.map(\.name)) func `are accepted or rejected with any bytes changed`(name: String) {
        var random = TestRandom("changed \(name)")
        let bytes = SampleDumps.bytes(name)
        let pieces = SampleDumps.all.map(\.bytes)
        for _ in 0..<TestScale.count(100) {
            let changed = random.changed(
                bytes, by: pieces, upTo: 40, letters: "0123456789ABCDEFX?*:|#\n\"{}")
            take(name, changed)
        }
    }

    @Test func `are accepted or rejected with any content and length`() {
        var random = TestRandom()
        for count in [
            0, 1, 3, 4, 12, 15, 16, 64, 160, 172, 180, 200, 212, 228, 236, 520, 532, 540, 572, 588, 596, 924, 956, 980,
        ] {
            take("a.bin", random.bytes(count))
        }
        take("a.bin", Array(repeating: 0, count: CardImage.maximumBytes + 1))
        take("a.txt", Array(repeating: UInt8(ascii: "0"), count: CardImage.maximumBytes))
    }

    @Test func `round-trip with a block that no such card has`() throws {
        let lines = SampleDumps.lines("lite.txt").filter { !$0.hasPrefix("  13") || $0 > "  132" }
            .map { $0.replacing("   14:", with: "   28:") }
        let image = try CardImage(reading: SourceFile(name: "a.txt", text: lines.joined(separator: "\n")))
        let written = try image.bytes(.flipper)
        let again = try CardImage(reading: SourceFile(name: "a.nfc", bytes: written)).bytes(.flipper)
        #expect(String(decoding: written, as: UTF8.self) == String(decoding: again, as: UTF8.self))
    }

    @Test func `do not store the blocks of a service twice`() throws {
        let lines = SampleDumps.lines("standard.txt").map { $0.replacing("0x008B", with: "0x0088") }
        let image = try CardImage(reading: SourceFile(name: "a.txt", text: lines.joined(separator: "\n")))
        guard case .felica(let card) = image.content else { throw ImageProblem("no card", hint: "") }
        let problem = #expect(throws: ImageProblem.self) { try card.card(try #require(card.ic)) }
        #expect(problem?.message == "service 0088 of system 0003 appears twice in the dump")
    }

    @Test func `cannot create blocks without limit`() throws {
        let lines = SampleDumps.lines("standard.nfc").map { $0.replacing("Block index 01", with: "Block index FFFF") }
        let far = try CardImage(reading: SourceFile(name: "a.nfc", text: lines.joined(separator: "\n")))
        guard case .felica(let card) = far.content else { throw ImageProblem("no card", hint: "") }
        let problem = #expect(throws: ImageProblem.self) { try card.card(try #require(card.ic)) }
        #expect(problem?.hint == "at most 8192 blocks are allowed")
        let rows = SampleDumps.lines("standard.txt").map { $0.replacing(" 0013:", with: " 1FFF:") }
        #expect(throws: ImageProblem.self) {
            try CardImage(reading: SourceFile(name: "a.txt", text: rows.joined(separator: "\n")))
        }
    }
}
