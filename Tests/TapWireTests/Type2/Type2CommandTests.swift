import TapWire
import TestSupport
import Testing

@Suite struct `Commands of Type 2 tags` {
    @Test func `round-trip`() {
        var random = TestRandom()
        for _ in 0..<100 {
            let page = random.byte()
            let data = PageData(random.bytes(4))
            Self.checkCommand(ReadPages.Request(page: page))
            Self.checkCommand(FastRead.Request(first: page, last: data[0]))
            Self.checkCommand(WritePage.Request(page: page, data: data))
            Self.checkCommand(CompatibilityWrite.Request(page: page))
            Self.checkCommand(ReadCounter.Request(address: page))
            Self.checkCommand(PasswordAuthentication.Request(password: data))
            Self.checkCommand(ReadSignature.Request(address: page))
            LayoutProperties.check(CompatibilityWrite.Data(data))
        }
        Self.checkCommand(GetVersion.Request())
    }

    @Test func `have responses that round-trip`() {
        var random = TestRandom()
        for _ in 0..<100 {
            let block = SIMD16<UInt8>.random(in: 0...255, using: &random)
            LayoutProperties.check(ReadPages.Response(block))
            LayoutProperties.check(OriginalitySignature(r: block, s: block &+ 1))
            LayoutProperties.check(GetVersion.Response(random.next()))
            LayoutProperties.check(ReadCounter.Response(value: UInt32(truncatingIfNeeded: random.next())))
            LayoutProperties.check(PasswordAuthentication.Response(pack: UInt16(truncatingIfNeeded: random.next())))
            LayoutProperties.check(Acknowledgement(random.byte()))
        }
    }

    private static func checkCommand<Value: WireValue>(_ value: Value) {
        LayoutProperties.check(value)
        LayoutProperties.checkCode(value)
    }

    @Test(arguments: [
        ("60", GetVersion.Request().bytes), ("30 04", ReadPages.Request(page: 4).bytes),
        ("3A 04 81", FastRead.Request(first: 4, last: 0x81).bytes),
        ("A2 0A 11 22 33 44", WritePage.Request(page: 0x0A, data: PageData(0x11, 0x22, 0x33, 0x44)).bytes),
        ("A0 0A", CompatibilityWrite.Request(page: 0x0A).bytes),
        (
            "55 66 77 88 00 00 00 00 00 00 00 00 00 00 00 00",
            CompatibilityWrite.Data(PageData(0x55, 0x66, 0x77, 0x88)).bytes
        ),
        ("39 02", ReadCounter.Request().bytes),
        ("1B 12 34 56 78", PasswordAuthentication.Request(password: PageData(0x12, 0x34, 0x56, 0x78)).bytes),
        ("3C 00", ReadSignature.Request().bytes), ("50 00", HLTA.Request().bytes),
        ("AB CD", PasswordAuthentication.Response(pack: 0xABCD).bytes),
        ("30 3F 00", ReadCounter.Response(value: 0x3F30).bytes),
    ])
    func `have the layout of the data sheet`(hex: String, bytes: [UInt8]) throws {
        #expect(bytes == (try Hex.bytes(hex)))
    }

    @Test func `have responses that split into pages`() throws {
        let bytes = try Hex.bytes("80 7F DA 80 81 7E DB 87 00 00 00 BD 04 00 00 FF")
        let pages = ["807FDA80", "817EDB87", "000000BD", "040000FF"]
        #expect(try ReadPages.Response(parsing: bytes).pages.map(\.description) == pages)
        let fast = try FastRead.Response(parsing: bytes)
        #expect(fast.pages.map(\.description) == pages)
        #expect(fast.bytes == bytes)
        #expect(throws: WireError.self) { try FastRead.Response(parsing: Array(bytes.dropLast())) }
        let tooMany = Array(repeating: UInt8(0), count: 4 * (FastRead.Response.maximumPages + 1))
        #expect(throws: WireError.self) { try FastRead.Response(parsing: tooMany) }
    }

    @Test(
        arguments: [
            (0x0F, 128...256), (0x11, 256...512), (0x13, 512...1_024), (0x0E, 128...128), (0xFF, nil),
        ] as [(UInt64, ClosedRange<Int>?)])
    func `give the size of the memory`(storage: UInt64, bytes: ClosedRange<Int>?) {
        let version = GetVersion.Response(0x0004_0402_0100_0003 | storage << 8)
        #expect(version.storageBytes == bytes)
    }

    @Test func `give vendor and product`() {
        var version = GetVersion.Response(0x0004_0402_0100_1103)
        #expect([version.vendor, version.productType] == [4, 4])
        version.vendor = 0x53
        #expect(Hex.text(version.bytes) == "0053040201001103")
    }

    @Test func `have sixteen acknowledgement nibbles, only one of which is ACK`() {
        let all = (0..<16).map { Acknowledgement($0) }
        #expect(all.filter(\.isAck) == [.ack])
        #expect(all.allSatisfy { !$0.meaning.isEmpty })
        #expect("\(Acknowledgement.ack) \(Acknowledgement.writeFailed)" == "ACK A NAK 5")
        #expect(throws: WireError.self) { try Acknowledgement(parsing: [0x10]) }
        var buffer = FrameBuffer()
        Acknowledgement.authenticationLimit.write(into: &buffer)
        #expect(buffer.bitCount == 4)
    }

    @Test func `have explanations`() {
        let explanations = Type2Opcode.explanations
        #expect(Set(explanations.map(\.opcode)).count == explanations.count)
        #expect(explanations.allSatisfy { $0.sentence.hasSuffix(".") && !$0.name.isEmpty })
        #expect(explanations.filter(\.isKnownToNTAG21x).count == 9)
        #expect(Type2Opcode.read.explanation?.name == "READ")
        #expect("\(Type2Opcode.passwordAuthentication) \(Type2Opcode(0x7F))" == "PWD_AUTH command 7F")
    }
}

@Suite struct `The GET_VERSION response of an NTAG21x` {
    @Test(arguments: NTAGProduct.allCases) func `identifies the IC`(product: NTAGProduct) {
        #expect(NTAGProduct(product.version) == product)
    }

    @Test func `identifies the IC of a clone with another vendor byte`() {
        var version = NTAGProduct.ntag215.version
        version.vendor = 0x53
        #expect(NTAGProduct(version) == .ntag215)
    }

    @Test func `does not identify an IC for MIFARE Ultralight EV1 or sizes that do not exist`() {
        #expect(NTAGProduct(GetVersion.Response(0x0004_0301_0100_0B03)) == nil)
        #expect(NTAGProduct(GetVersion.Response(0x0004_0402_0100_0B03)) == nil)
    }
}
