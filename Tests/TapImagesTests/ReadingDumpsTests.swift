import TapCards
import TapDocument
import TapWire
import TestSupport
import Testing

@testable import TapImages

@Suite struct `Dumps of tags` {
    private func image(_ name: String) throws -> CardImage {
        try CardImage(reading: SourceFile(name: name, bytes: SampleDumps.bytes(name)))
    }

    private func tag(_ name: String) throws -> NTAGDefinition {
        guard case .tag(let tag) = try image(name).content else { throw ImageProblem("no tag", hint: "") }
        return try tag.tag(tag.product ?? .ntag213)
    }

    @Test(arguments: ["tag.nfc", "old.nfc", "pm3.bin", "tag.eml", "tag.json"])
    func `contain the counter, version and signature of the tag`(name: String) throws {
        #expect(try tag(name) == SampleDumps.tag)
        #expect(try image(name).notes().isEmpty)
    }

    @Test(arguments: [
        ("tag.bin", ["version", "signature", "NFC counter"]), ("signed.bin", ["version", "NFC counter"]),
        ("old-pm3.bin", ["NFC counter"]),
    ]) func `report missing parts if they contain only memory`(name: String, missing: [String]) throws {
        let tag = try tag(name)
        #expect(tag.memory == SampleDumps.tag.memory && tag.isPasswordKnown && tag.counter == 0)
        let notes = try image(name).notes()
        #expect(notes.map(\.kind) == missing.map { _ in .notHeld })
        for (note, name) in zip(notes, missing) { #expect(note.message.contains("the \(name)")) }
    }

    @Test func `without PWD leave the password unknown`() throws {
        let tag = try tag("short.bin")
        #expect(!tag.isPasswordKnown && tag.memory.prefix(532) == SampleDumps.tag.memory.prefix(532))
        #expect(
            try image("short.bin").notes().contains { $0.kind == .secret && $0.message.contains("it ends before PWD") })
        #expect(
            try image("tag.txt").notes().contains {
                $0.kind == .secret && $0.message.contains("PWD always reads as zeros")
            })
        #expect(try self.tag("tag.txt").memory.prefix(532) == SampleDumps.tag.memory.prefix(532))
    }

    @Test(arguments: ["tag.txt", "lite.txt", "standard.txt"])
    func `from nfcpy's print and dump are the same card`(name: String) throws {
        let lines = SampleDumps.lines(name)
        let memory = lines.dropFirst(2).map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0 }.filter { !$0.isEmpty }
        let quoted = memory.map { line in
            let quote = line.contains("'") ? "\"" : "'"
            return quote + line.replacing("\\", with: "\\\\").replacing(quote, with: "\\\(quote)") + quote
        }
        for text in [
            ([lines[0]] + memory).joined(separator: "\n"),
            "$ python3 dump.py\n\(lines[0])\n[\(quoted.joined(separator: ", "))]\n",
        ] {
            let file = SourceFile(name: "blog.txt", text: text)
            #expect(CardImage.isKnown(file))
            #expect(try CardImage(reading: file).content == image(name).content)
        }
    }

    @Test func `that are incomplete report the missing pages`() throws {
        var lines = SampleDumps.lines("tag.nfc")
        for index in lines.indices {
            if lines[index].hasPrefix("Pages read") { lines[index] = "Pages read: 16" }
            let number = lines[index].hasPrefix("Page ") ? Int(lines[index].dropFirst(5).prefix { $0 != ":" }) : nil
            if let number, number >= 16 { lines[index] = "Page \(number): 00 00 00 00" }
        }
        lines[lines.firstIndex { $0.hasPrefix("Page 7:") } ?? 0] = "Page 7: ?? ?? ?? ??"
        let file = SourceFile(name: "a.nfc", text: lines.joined(separator: "\r\n"))
        let image = try CardImage(reading: file)
        guard case .tag(let tag) = image.content else { throw ImageProblem("no tag", hint: "") }
        #expect(tag.pages[7] == nil && tag.pages[16] == nil && tag.pages[15] == SampleDumps.tag[page: 15])
        #expect(image.notes().first?.message.hasSuffix("not read: 7, 16 to 132") == true)
        let made = try tag.tag(.ntag215)
        #expect(made[page: 7] == .zero && made.capabilityContainer == SampleDumps.tag.capabilityContainer)
        #expect(throws: ImageProblem.self) { try image.bytes(.bin) }
        #expect(
            try CardImage(reading: SourceFile(name: "b.nfc", bytes: try image.bytes(.flipper))).notes() == image.notes()
        )
        let shown = try self.image("protected.txt")
        #expect(shown.notes().first?.message.hasSuffix("not read: 8 to 132") == true, "\(shown.notes())")
    }

    @Test func `report values that no tag can have`() throws {
        let changed = [
            "Counter 0": "Counter 0: 5", "Tearing 1": "Tearing 1: 17", "Tearing 2": "Tearing 2: BD", "SAK": "SAK: 08",
            "ATQA": "ATQA: 44 00",
        ]
        let lines = SampleDumps.lines("tag.nfc").map { line in
            changed.first { line.hasPrefix("\($0.key):") }?.value ?? line
        }
        let file = SourceFile(name: "a.nfc", text: lines.joined(separator: "\n"))
        let notes = try CardImage(reading: file).notes()
        #expect(notes.map(\.kind) == [.leftOut, .leftOut, .leftOut, .leftOut])
        for (note, line) in zip(notes, ["ATQA: 44 00", "SAK: 08", "Counter 0: 5", "Tearing 1: 17"]) {
            #expect(note.message.contains("`\(line)`"), "\(note.text)")
        }
    }

    /// BCC0 in the UID line, as in collections of figures; the UID of another tag; a UID one byte short.
    @Test(arguments: ["04 A2 3B 15 5C 6D 7E", "04 A3 3B 5C 6D 7E 80", "04 A2 3B 5C 6D 7E"])
    func `take the UID from the pages, not from other lines`(_ line: String) throws {
        let text = SampleDumps.lines("tag.nfc").map { $0.hasPrefix("UID:") ? "UID: \(line)" : $0 }
        let image = try CardImage(reading: SourceFile(name: "a.nfc", text: text.joined(separator: "\n")))
        guard case .tag(let tag) = image.content else { throw ImageProblem("no tag", hint: "") }
        #expect(try tag.tag(.ntag215).uid == SampleDumps.tag.uid)
        let note = try #require(image.notes().first)
        #expect(note.kind == .leftOut && note.message.contains("`UID: \(line)`"), "\(note.text)")
        #expect(note.hint.contains("`uid`"))
    }

    /// Compares the bytes that the tool wrote with the bytes TapSim writes in that format.
    @Test(arguments: [
        ("tag.nfc", ImageFormat.flipper), ("tag.bin", .bin), ("tag.bin", .mfd), ("pm3.bin", .proxmarkBinary),
        ("tag.json", .proxmarkJSON), ("tag.eml", .eml),
    ]) func `are written the way they were read`(name: String, format: ImageFormat) throws {
        #expect(try image(name).bytes(format) == SampleDumps.bytes(name))
    }

    @Test func `convert from every format to every other and back`() throws {
        let whole = CardImage(.tag(TagImage(SampleDumps.tag)), .flipper)
        for format in whole.formats {
            let again = try CardImage(reading: SourceFile(name: "a", bytes: try whole.bytes(format)))
            #expect(try again.bytes(format) == whole.bytes(format), "\(format)")
            guard case .tag(let tag) = again.content else { throw ImageProblem("no tag", hint: "") }
            #expect(try tag.tag(.ntag215).memory == SampleDumps.tag.memory, "\(format)")
        }
    }

    /// A change to the sample's lines, the line of the error, and part of its message.
    static let damages: [(String, String, Int?, String)] = [
        ("Version: 4", "Version: 9", 2, "has version `9`"), ("Version: 4\n", "", 154, "before `Version`"),
        ("type: NTAG215", "type: Mifare Ultralight C", 8, "is `Mifare Ultralight C`"),
        ("01 00 11 03", "01 00 0F 03", 10, "is that of an NTAG213"), ("01 00 11 03", "01 00 11", 10, "needs 8 bytes"),
        ("Pages total: 135", "Pages total: 50", 17, "an NTAG215 has 135 pages"),
        ("Pages read: 135", "Pages read: 136", 18, "needs a number up to 135"),
        ("Page 20:", "Page 21:", 39, "expected `Page 20`"), ("Page 7: ", "Page 7: 0", 26, "needs 4 bytes"),
        ("Counter 2: 16176", "Counter 2: 99999999", 15, "a number up to 16777215"),
    ]

    @Test(arguments: damages)
    func `that contradict themselves are rejected with the line`(old: String, new: String, line: Int?, part: String)
        throws
    {
        let text = SampleDumps.lines("tag.nfc").joined(separator: "\n").replacing(old, with: new)
        let problem = #expect(throws: ImageProblem.self) {
            try CardImage(reading: SourceFile(name: "a.nfc", text: text))
        }
        #expect(problem?.message.contains(part) == true && problem?.line == line, "\(String(describing: problem))")
    }

    @Test func `that are truncated are rejected with the line or offset`() throws {
        let half = SampleDumps.lines("tag.nfc").prefix(60).joined(separator: "\n")
        let problem = #expect(throws: ImageProblem.self) {
            try CardImage(reading: SourceFile(name: "a.nfc", text: half))
        }
        #expect(problem?.line == 61 && problem?.message == "the file ends before `Page 42`")
        var wrong = SampleDumps.tag.memory
        wrong[8] ^= 1
        let bcc = #expect(throws: ImageProblem.self) { try CardImage(reading: SourceFile(name: "a.bin", bytes: wrong)) }
        #expect(bcc?.message.hasPrefix("BCC1 at offset 8 is CE, but the UID before it requires CF") == true)
        let stranger = #expect(throws: ImageProblem.self) {
            try CardImage(reading: SourceFile(name: "a", text: "hello"))
        }
        #expect(stranger?.line == 1 && stranger?.hint.contains("felica-tool") == true)
    }
}

@Suite struct `Dumps of FeliCa cards` {
    private func image(_ name: String) throws -> CardImage {
        try CardImage(reading: SourceFile(name: name, bytes: SampleDumps.bytes(name)))
    }

    private func card(_ name: String) throws -> FeliCaCardDefinition {
        guard case .felica(let card) = try image(name).content, let ic = card.ic else {
            throw ImageProblem("no card", hint: "")
        }
        let definition = try card.card(ic)
        _ = try FeliCaTemplate(definition)
        return definition
    }

    @Test(arguments: ["standard.nfc", "systems.nfc", "standard.json", "scan.json", "log.json", "standard.txt"])
    func `contain a card's systems, services and blocks`(name: String) throws {
        let card = try card(name)
        #expect(card.idm == IDm(0x0112_0102_0304_0506) && card.pmm == PMm(0x0120_2204_2767_4EFF))
        let system = try #require(card.systems.first)
        #expect(system.code == .transit && system.idm == nil)
        #expect(system.areas.map(\.code).prefix(2) == [.root, NodeCode(0x0080)])
        #expect(system.areas[1].end.number == 2)
        #expect(system.services.map(\.code).prefix(2) == [NodeCode(0x0088), NodeCode(0x008B)])
        #expect(
            system.services[0].blocks.first == BlockData([0, 0, 0, 0, 0, 0, 0, 0, 0x20, 0, 0, 0x30, 0x0C, 0, 2, 0x15]))
        let engine = FeliCaCard(try FeliCaTemplate(card))
        #expect(engine.block(0, of: NodeCode(0x008B))?[11] == 0x30)
        #expect(card.systems.dropFirst().allSatisfy { $0.code == .commonArea })
    }

    /// The areas of a Suica and a PASMO in FareBot's samples; `#000-#000` marks an area without its own services.
    @Test func `nest an area in the preceding area if that has no service`() throws {
        let lines = [
            "Filetype: Flipper NFC device", "Version: 4", "Device type: FeliCa",
            "Manufacture id: 01 12 01 02 03 04 05 06", "Manufacture parameter: 05 31 43 45 46 82 B7 FF",
            "System found: 2", "System 00: 0003", "Area found: 4",
            "Area 000: | Code 0000 | Services #000-#000 |", "Area 001: | Code 0040 | Services #000-#001 |",
            "Area 002: | Code 0FC0 | Services #000-#000 |", "Area 003: | Code 1000 | Services #002-#002 |",
            "Service found: 3", "Service 000: | Code 0048 |", "Service 001: | Code 008B |",
            "Service 002: | Code 108F |",
            "Public blocks read: 0",
            "System 01: FE00", "Area found: 3",
            "Area 000: | Code 0000 | Services #000-#000 |", "Area 001: | Code 3940 | Services #000-#000 |",
            "Area 002: | Code 3941 | Services #000-#001 |",
            "Service found: 2", "Service 000: | Code 3948 |", "Service 001: | Code 398B |", "Public blocks read: 0",
        ]
        let file = SourceFile(name: "suica.nfc", text: lines.joined(separator: "\n"))
        guard case .felica(let image) = try CardImage(reading: file).content, let ic = image.ic else {
            throw ImageProblem("no card", hint: "")
        }
        let card = try image.card(ic)
        _ = try FeliCaTemplate(card)
        let areas = card.systems.map { $0.areas.map { "\($0.code)-\($0.end)" } }
        #expect(
            areas == [["0000-FFFE", "0040-00BF", "0FC0-10BF", "1000-10BF"], ["0000-FFFE", "3940-39BF", "3941-39BF"]])
    }

    @Test func `give each system its own IDm when written`() throws {
        let bytes = try image("standard.txt").bytes(.proxmarkJSON)
        guard case .felica(let card) = try CardImage(reading: SourceFile(name: "a", bytes: bytes)).content else {
            throw ImageProblem("no card", hint: "")
        }
        #expect(card.systems.map(\.idm) == [IDm(0x0112_0102_0304_0506), IDm(0x1112_0102_0304_0506)])
    }

    @Test func `report key versions in either byte order`() throws {
        let proxmark = try card("standard.json").systems[0]
        let scan = try card("scan.json").systems[0]
        let log = try card("log.json").systems[0]
        #expect([proxmark, scan, log].map(\.keys.desVersion) == [1, 1, 1])
        #expect([proxmark, scan, log].map { $0.areas[1].keys.desVersion } == [2, 2, 2])
        #expect([proxmark, scan, log].map { $0.services[1].keys.desVersion } == [3, 3, 3])
        #expect(try card("standard.json").specificationVersion?.options.count == 1)
    }

    @Test func `report inferred, unread and hidden parts`() throws {
        let notes = try image("standard.nfc").notes().map(\.text)
        #expect(
            notes[0].contains(
                "does not state the system code; 0003 is used, since its services are known in this system"))
        #expect(notes.contains { $0.contains("does not state where areas end") })
        #expect(
            notes.contains { $0.contains("key versions") }
                && notes.contains { $0.contains("keys and issue IDs") })
        let hidden = try image("scan.json").notes()
        #expect(
            hidden.contains { $0.kind == .unread && $0.message.hasSuffix("service 008B that were not read: 1") },
            "\(hidden)")
        let two = try card("standard.txt")
        #expect(two.systems[0].services.first { $0.code == NodeCode(0x090C) }?.blocks.count == 0x14)
    }

    @Test(arguments: ["lite.nfc", "lite.txt"])
    func `of a Lite-S contain its blocks, and report CK and refused blocks as unread`(name: String) throws {
        guard case .lite(let image) = try image(name).content, let ic = image.ic else {
            throw ImageProblem("no card", hint: "")
        }
        let card = image.card(ic)
        #expect(card.idm == IDm(0x012E_3D4C_5B6A_7988) && card.model == .liteS)
        #expect(card.configurationBlock.bytes.prefix(5) == [0xFF, 0xFF, 0xFF, 1, 7])
        #expect(card.pads[0][4] == 0x0D && card.cardKey == .zero)
        #expect(card.writeCounter == (name == "lite.nfc" ? 0x1234 : 0xFFFE4B))
        #expect(card.pads[2] == (name == "lite.nfc" ? BlockData((32..<48).map { UInt8($0) }) : card.pads[1]))
        let notes = image.notes
        #expect(notes.last?.kind == .secret)
        if name == "lite.nfc" { #expect(notes.first?.message == "blocks that were not read: 3") }
    }

    @Test(arguments: [("lite.nfc", ImageFormat.flipper), ("systems.nfc", .flipper), ("standard.json", .proxmarkJSON)])
    func `keep their content when written and read again`(name: String, format: ImageFormat) throws {
        let image = try image(name)
        let bytes = try image.bytes(format)
        let again = try CardImage(reading: SourceFile(name: "a.\(format)", bytes: bytes))
        #expect(try again.bytes(format) == bytes)
        switch (image.content, again.content) {
        case (.lite(let first), .lite(let second)): #expect(first == second)
        case (.felica(let first), .felica(let second)):
            #expect(try first.card(.coded(0x20)!) == second.card(.coded(0x20)!))
        default: Issue.record("\(name) became another kind of card")
        }
    }

    /// A sample, a change to it, and the line and part of the error.
    static let damages: [(String, String, String, Int?, String)] = [
        ("standard.nfc", "Service found: 4", "Service found: 5", 14, "is 5, but the file has 4"),
        (
            "standard.nfc", "code 090F | Block index 01", "code 0A0F | Block index 01", 30,
            "which the file does not list"
        ),
        ("standard.nfc", "Code 008B | Attrib", "Code 8B | Attrib", 16, "four hexadecimal digits"),
        ("standard.nfc", "UID: 01 12", "UID: 01 13", 4, "differs from `Manufacture id`"),
        ("lite.nfc", "Block 20:", "Block 99:", 40, "ends before `Block 20`"),
        (
            "standard.json", "\"type\": \"area\", \"code\": \"0080", "\"type\": \"x\", \"code\": \"0080", nil,
            "not a system"
        ),
        ("standard.json", "008B", "00", nil, "needs 2 bytes"),
        ("standard.json", "\"systems\"", "\"x\"", 2, "not a card dump"),
        ("scan.json", "\"primary_idm\": \"01", "\"primary_idm\": \"XX", nil, "is masked"),
        ("lite.txt", "   14: ", "   12: ", 8, "rows are missing"),
        ("tag.txt", "  005: ", "  007: ", 10, "rows are missing"),
        ("tag.txt", "Memory Dump:", "Memory:", 2, "no row number"),
        ("standard.txt", "0x008B", "0x8B", 6, "not a code of four"),
        ("standard.txt", "Area 0000--FFFE", "Area 0000--F0FE", 4, "cannot end at F0FE"),
        ("standard.json", "0000FFFE", "0000F0FE", nil, "invalid end of the area"),
        ("scan.json", "8000bf00", "8000bf0", nil, "needs 4 bytes"),
    ]

    @Test(arguments: damages) func `that are corrupted are rejected with the line`(
        name: String, old: String, new: String, line: Int?, part: String
    ) throws {
        let text = String(decoding: SampleDumps.bytes(name), as: UTF8.self)
        #expect(text.contains(old))
        let problem = #expect(throws: ImageProblem.self) {
            try CardImage(reading: SourceFile(name: name, text: text.replacing(old, with: new)))
        }
        #expect(problem?.message.contains(part) == true, "\(String(describing: problem))")
        if let line { #expect(problem?.line == line, "\(String(describing: problem))") }
    }
}
