import TapCards
import TapClient
import TapField
import TapRecording
import TapScenario
import TapWire
import TestSupport
import Testing

/// Scrubbing of sessions with tags, whose texts span several pages or blocks.
@Suite struct `Scrubbed tags` {
    static let uid: [UInt8] = [0x04, 0xA2, 0x3B, 0x5C, 0x6D, 0x7E, 0x80]
    private static let cards = [
        "{ic: NTAG215, uid: 04A23B5C6D7E80, ndef: [{uri: 'https://shop.invalid/card?id=8812'}, {text: Tarō 17, lang: ja}]}",
        "{ic: NTAG213, uid: 04A23B5C6D7E80, ndef: [{text: member 0042 of the club}]}",
        "{template: ndef, ndef: [{uri: 'https://shop.invalid/card?id=8812'}]}",
    ]

    @Test(arguments: cards) func `contain a message of the same shape without its content`(_ card: String) async throws
    {
        let made = try await MadeSession(card, .ndef)
        let scrubbed = made.session.scrubbed().session
        let text = RecordingFile(name: "made", scrubbed).text
        let scenario = try MadeSession.scenario(text)
        let (replayed, world) = try await MadeSession.run(.ndef, on: scenario)
        let recorded = try #require(world.card(named: "card")?.engine as? RecordedCard)
        #expect(recorded.mismatch == nil && recorded.firstLeft == nil)
        let (old, new) = (try #require(made.result.message), try #require(replayed.message))
        #expect(new.records.map(\.type) == old.records.map(\.type))
        #expect(new.records.map(\.payload.count) == old.records.map(\.payload.count))
        for record in new.records {
            let said = String(decoding: record.payload.dropFirst(), as: UTF8.self)
            for word in ["shop", "8812", "Tar", "member", "0042", "example"] { #expect(!said.contains(word)) }
        }
        #expect(scrubbed.scrubbed().session == scrubbed)
        #expect(RecordingCheck.findings(in: scenario) == [])
        let bare = text.filter { !$0.isWhitespace }
        for trace in ["04A23B", "5C6D7E80", Hex.text(Array("shop".utf8)), Hex.text(Array("0042".utf8))] {
            #expect(!bare.contains(trace))
        }
        let findings = RecordingCheck.findings(
            in: try MadeSession.scenario(RecordingFile(name: "made", made.session).text))
        #expect(findings.contains { $0.what.contains("text") })
    }

    @Test func `from FeliCa Lite have one IDm, no key and no text`() async throws {
        let text = "{template: felica-lite, ndef: [{uri: 'https://shop.invalid/card?id=8812'}]}"
        var session = try await MadeSession(text, .ndef).session
        let idm = try #require(session.idm)
        let name = idm.rawValue.bigEndianBytes
        let key = Array(UInt8(1)...16)
        let write = WriteWithoutEncryption.Request(
            idm: idm, services: [Type3Services.write], blocks: [BlockListElement(blockNumber: 0x87)],
            data: [BlockData(key)])
        let numbers: [UInt16] = [0x82, 0x83, 0x88, 0x05]
        let read = ReadWithoutEncryption.Request(
            idm: idm, services: [Type3Services.read], blocks: numbers.map { BlockListElement(blockNumber: $0) })
        let blocks: [[UInt8]] = [
            name + [0, 1, 9, 9, 9, 9, 9, 9], name + key.prefix(8), key, Array("my own name".utf8),
        ]
        let answer = ReadWithoutEncryption.Response(idm: idm, blocks: blocks.map { BlockData($0) })
        session.exchanges += [
            .init(Array(write.bytes.dropFirst()), nil),
            .init(Array(read.bytes.dropFirst()), .init(Array(answer.bytes.dropFirst()))),
        ]
        let scrubbed = session.scrubbed().session
        let left = scrubbed.exchanges.map { Hex.text($0.command) + Hex.text($0.answer?.bytes ?? []) }.joined()
        for trace in [
            Hex.text(name.dropFirst()), Hex.text(Array("shop".utf8)), Hex.text(Array("own".utf8)), "09090909",
        ] {
            #expect(!left.contains(trace))
        }
        let new = try #require(scrubbed.idm).rawValue.bigEndianBytes
        let last = try #require(scrubbed.exchanges.last?.answer?.bytes)
        let shown = try ReadWithoutEncryption.Response(parsing: [UInt8(last.count + 1)] + last).blocks.map(\.bytes)
        #expect(Array(shown[0].prefix(10)) == new + [0, 1] && shown[1] == new + key.prefix(8) && shown[2] == key)
        #expect(!scrubbed.exchanges[scrubbed.exchanges.count - 2].command.suffix(16).elementsEqual(key))
        #expect(scrubbed.scrubbed().session == scrubbed)
    }

    @Test func `have one UID on all pages, correct check bytes and test passwords`() throws {
        let uid = try #require(UID(Self.uid))
        let pages: [UInt8] = [0x04, 0xA2, 0x3B, 0x15, 0x5C, 0x6D, 0x7E, 0x80, 0xCF, 0x48, 0, 0, 0xE1, 0x10, 0x3E, 0]
        var session = RecordedSession(.frame, .typeA(uid: uid))
        session.exchanges = [
            .init([0x93, 0x20], .init([0x88, 0x04, 0xA2, 0x3B, 0x15])),
            .init([0x30, 0x00], .init(pages)), .init([0x3A, 0x01, 0x02], .init(Array(pages[4..<12]))),
            .init([0x1B, 0xDE, 0xAD, 0xBE, 0xEF], .init([0x12, 0x34])),
            .init([0xA2, 0x85, 0xDE, 0xAD, 0xBE, 0xEF], .init([0xA], bitCount: 4)),
            .init([0xA2, 0x86, 0x12, 0x34, 0, 0], .init([0xA], bitCount: 4)),
            .init([0x1B, 0xFF, 0xFF, 0xFF, 0xFF], .init([0], bitCount: 4)), .init([0x3C, 0x00], .init(Array(1...32))),
        ]
        let scrubbed = session.scrubbed()
        guard case .typeA(let new) = scrubbed.session.card else { return #expect(Bool(false)) }
        let answers = scrubbed.session.exchanges.map { $0.answer?.bytes ?? [] }
        let parts = new.cascadeParts.map(\.bytes)
        #expect(new.bytes.first == 0x04 && new != uid)
        #expect(answers[0] == parts[0])
        #expect(answers[1] == Array(parts[0].dropFirst()) + parts[1] + pages[9...])
        #expect(answers[2] == parts[1].prefix(4) + [parts[1][4]] + pages[9..<12])
        let commands = scrubbed.session.exchanges.map(\.command)
        #expect(commands[3] == [0x1B] + commands[4].dropFirst(2) && commands[3] != session.exchanges[3].command)
        #expect(Array(commands[5][2..<4]) == answers[3])
        #expect(commands[6] == session.exchanges[6].command)
        #expect(answers[7].count == 32 && answers[7] != Array(1...32))
        #expect(scrubbed.session.scrubbed().session == scrubbed.session)
        #expect(scrubbed.notes[0].contains("2 passwords or keys"))
    }

    @Test func `are written and read back as the same text`() throws {
        var session = RecordedSession(.frame, .typeA(uid: try #require(UID(Self.uid))))
        let message = NDEFMessage([try NDEFRecord(.text(try NDEFText("my secret name", language: "en")))])
        let bytes = try TLVBlock(message).bytes + TLVBlock.terminator.bytes
        let padded = bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        let ack = CardRecording.Answer([0xA], bitCount: 4)
        for (index, start) in stride(from: 0, to: padded.count, by: 4).enumerated().reversed() {
            session.exchanges.append(.init([0xA2, UInt8(4 + index)] + padded[start..<start + 4], ack))
        }
        session.exchanges.append(.init([0x3A, 4, UInt8(3 + padded.count / 4)], .init(padded)))
        let scrubbed = session.scrubbed().session
        let read = try #require(scrubbed.exchanges.last?.answer?.bytes)
        #expect(scrubbed.exchanges.dropLast().reversed().flatMap { $0.command.dropFirst(2) } == read)
        let area = Type2DataArea(16..<16 + read.count)
        let found = try #require(try area.ndefMessageBlock(in: [UInt8](repeating: 0, count: 16) + read))
        guard case .text(let text) = try NDEFMessage(parsing: found.block.value).records[0].content else {
            return #expect(Bool(false))
        }
        #expect(text.text == "xx xxxxxx xxxx" && text.language == "en")
    }

    @Test func `show the placeholder where the tag mirrors its UID`() throws {
        let uid = try #require(UID(Self.uid))
        var session = RecordedSession(.frame, .typeA(uid: uid))
        let message = NDEFMessage([try NDEFRecord(.uri(NDEFURI("https://a.invalid/\(uid)x000102")))])
        let bytes = try TLVBlock(message).bytes + TLVBlock.terminator.bytes
        session.exchanges = [.init([0x3A, 4, 20], .init(bytes + [UInt8](repeating: 0, count: 68 - bytes.count)))]
        let scrubbed = session.scrubbed().session
        guard case .typeA(let new) = scrubbed.card else { return #expect(Bool(false)) }
        let read = String(decoding: scrubbed.exchanges[0].answer?.bytes ?? [], as: UTF8.self)
        #expect(read.contains("x.xxxxxxx/\(new)x000000"))
        #expect(scrubbed.scrubbed().session == scrubbed)
    }

    @Test func `do not change when scrubbed again, whatever the memory contains`() throws {
        var random = TestRandom()
        for _ in 0..<TestScale.count(200) {
            let session = RandomSession.tag(&random)
            let once = session.scrubbed()
            let isSame = once.session.scrubbed().session == once.session
            #expect(isSame, "TAPSIM_TEST_SEED=\(TestSeed.value)")
            #expect(once.session.byteCounts == session.byteCounts)
        }
    }
}

extension RandomSession {
    /// Reads and writes of pages with a message, parts of a message, or random contents.
    static func tag(_ random: inout TestRandom) -> RecordedSession {
        var session = RecordedSession(
            .frame, UID(random.bytes(random.pick([4, 7]))).map { .typeA(uid: $0) } ?? .unknown)
        var memory = random.bytes(64)
        for _ in 0..<1 + random.number(below: 8) {
            if random.oneIn(3) {
                let text = (try? NDEFText(random.text(random.number(below: 12)), language: "en")).map {
                    NDEFRecord.Content.text($0)
                }
                let uri = NDEFRecord.Content.uri(NDEFURI("https://" + random.text(random.number(below: 9))))
                let message = NDEFMessage([text, uri].compactMap { $0.flatMap { try? NDEFRecord($0) } })
                let bytes = (try? TLVBlock(message).bytes) ?? []
                memory.replaceSubrange(16..<16 + min(48, bytes.count), with: bytes.prefix(48))
            }
            if random.oneIn(4) { memory[12] = 0xE1 }
            switch random.number(below: 4) {
            case 0: session.exchanges.append(.init([0xA2, random.byte() % 16] + random.bytes(4), nil))
            case 1:
                session.exchanges.append(
                    .init(random.bytes(random.number(1...6)), .init(random.bytes(random.number(1...9)))))
            default:
                let (first, last) = (random.number(below: 8), random.number(8...15))
                session.exchanges.append(
                    .init([0x3A, UInt8(first), UInt8(last)], .init(Array(memory[4 * first..<4 * last + 4]))))
            }
        }
        return session
    }
}
