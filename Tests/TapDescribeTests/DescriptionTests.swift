import TapDescribe
import TapWire
import Testing

@Suite struct `Descriptions of frames` {
    private static let read = RFFrame(
        .felica212, [0x14, 0x06, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0x8B, 0x00, 0x0F, 0x09, 2, 0x80, 0x00, 0x81, 0x03])

    @Test func `show the record fields of blocks of known services`() throws {
        let balance = TransitBalance(balance: 3_084, updateNumber: 291)
        let history = TransitHistoryRecord(
            .fareGate, date: try TransitDate(#require(CalendarDate("2026-11-18"))), balance: 2_943, sequence: 290)
        let answer = ReadWithoutEncryption.Response(
            idm: IDm(0x0101_0101_0101_0101), blocks: [balance.stored, history.stored])
        let frame = RFFrame(.felica212, answer.bytes)
        let description = FrameDescription(answer: frame, to: Self.read)
        #expect(description.title == "Read Without Encryption response")
        #expect(description.command?.rawValue == "felica.read")
        #expect(description.line == "2 blocks")
        let blocks = description.fields.filter { $0.name.hasPrefix("data of block") }
        #expect(blocks.map(\.meaning) == ["008B block 0, attributes and balance", "090F block 3, history record"])
        #expect(Self.detail("balance", of: blocks[0]) == "3084 yen")
        #expect(Self.detail("date", of: blocks[1]) == "2026-11-18")
        #expect(Self.detail("terminal", of: blocks[1]) == "automatic gate")
    }

    @Test func `show a two-block record at its second block`() throws {
        let entry = TransitEntry(entryStation: StationCode(line: 1, station: 204))
        let request = ReadWithoutEncryption.Request(
            idm: IDm(0), services: [TransitServices.entry.code],
            blocks: [BlockListElement(blockNumber: 0), BlockListElement(blockNumber: 1)])
        let answer = ReadWithoutEncryption.Response(idm: IDm(0), blocks: [entry.stored.first, entry.stored.second])
        let description = FrameDescription(
            answer: RFFrame(.felica212, answer.bytes), to: RFFrame(.felica212, request.bytes))
        let last = try #require(description.fields.last)
        #expect(Self.detail("entry station", of: last) == "001-204")
    }

    @Test func `show the configuration pages of the product in a full memory dump`() throws {
        for product in NTAGProduct.allCases {
            let layout = product.layout
            var bytes = [UInt8](repeating: 0, count: layout.byteCount)
            bytes[layout.cfg0Page * 4 + 3] = 0x04
            bytes[layout.cfg1Page * 4] = 0x80
            let command = RFFrame(.typeA106, [0x3A, 0, UInt8(layout.pageCount - 1)])
            let description = FrameDescription(answer: RFFrame(.typeA106, bytes), to: command)
            #expect(description.line == "\(layout.pageCount) pages")
            let configured = description.fields.filter { $0.meaning.hasPrefix("on ") }
            #expect(configured.count == 5)
            #expect(configured.allSatisfy { $0.meaning.hasPrefix("on \(product.rawValue): ") })
            #expect(Self.detail("AUTH0", of: configured[1])?.hasPrefix("page 04") == true)
            #expect(Self.detail("PROT", of: configured[2]) == "the password is needed to read and to write")
        }
    }

    @Test func `show the meaning of the page that WRITE sets`() throws {
        let description = FrameDescription(command: RFFrame(.typeA106, [0xA2, 0x03, 0xE1, 0x10, 0x3E, 0x00]))
        let data = try #require(description.fields.last)
        #expect(data.meaning == "capability container")
        #expect(Self.detail("data area", of: data) == "496 bytes")
    }

    @Test func `show what is wrong with a frame`() {
        let unknown = FrameDescription(command: RFFrame(.typeA106, [0x77, 1, 2]))
        #expect(unknown.remark == "not a command that TapSim knows")
        #expect(unknown.fields.last?.name == "bytes not understood")
        let damaged = FrameDescription(command: RFFrame(.typeA106, [0x30, 0], integrity: .badCRC))
        #expect(damaged.remark == "its CRC is wrong")
        let other = FrameDescription(
            answer: RFFrame(.felica212, [11, 5, 1, 1, 1, 1, 1, 1, 1, 1, 0]), to: Self.read)
        #expect(other.remark == "it does not answer Read Without Encryption")
    }

    private static func detail(_ name: String, of field: FrameDescription.Field) -> String? {
        field.details.first { $0.name == name }?.meaning
    }
}
