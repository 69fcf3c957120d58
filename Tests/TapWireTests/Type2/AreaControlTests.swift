import TapWire
import TestSupport
import Testing

@Suite struct `Lock and memory control` {
    @Test(arguments: WireVector.file("control-tlvs.txt"))
    func `describe an area`(vector: WireVector) throws {
        let says = vector.says.split(separator: ",")[0]
        if says.hasPrefix("lock") {
            let control = try LockControl(parsing: vector.bytes)
            let area = control.area
            #expect(says == "lock \(area.address) \(area.bitCount) bits \(area.bytesPerBit) bytes each")
            #expect(control.bytes == vector.bytes)
        } else {
            let control = try MemoryControl(parsing: vector.bytes)
            #expect(says == "memory \(control.address) \(control.addresses.count) bytes")
            #expect(control.bytes == vector.bytes)
        }
    }

    @Test func `use whole bytes for lock bits`() {
        #expect(LockArea(address: 160, bitCount: 12, bytesPerBit: 8).addresses == 160..<162)
        #expect(LockArea(address: 520, bitCount: 8, bytesPerBit: 64).addresses == 520..<521)
        #expect(LockArea(address: 520, bitCount: -9, bytesPerBit: 64).addresses.isEmpty)
        #expect(LockArea(address: .max, bitCount: .max, bytesPerBit: 64).addresses.isEmpty)
    }

    @Test func `accept any three bytes, and only three`() throws {
        var random = TestRandom("area controls")
        for _ in 0..<1_000 {
            let bytes = random.bytes(3)
            #expect(try LockControl(parsing: bytes).bytes == bytes, "seed \(TestSeed.value)")
            #expect(try MemoryControl(parsing: bytes).bytes == bytes, "seed \(TestSeed.value)")
        }
        WireLaws.expectFixedSize(LockControl.self, 3)
        WireLaws.expectFixedSize(MemoryControl.self, 3)
        #expect(LockControl(rawValue: 0xFF12_3456) == LockControl(rawValue: 0x12_3456))
    }
}

@Suite struct `Capability containers` {
    @Test(arguments: [("E1101200", 144), ("E1103E00", 496), ("E1106D00", 872), ("E110060F", 48)])
    func `of NTAG announce their data area`(hex: String, size: Int) throws {
        let container = try CapabilityContainer(parsing: Hex.bytes(hex))
        #expect(container.announcesNDEF)
        #expect(container.dataAreaSize == size)
        #expect(container.readAccess == .free)
        #expect(container.writeAccess == (hex.hasSuffix("0F") ? .none : .free))
        let made = CapabilityContainer(dataAreaSize: size, writeAccess: container.writeAccess)
        #expect(made == container)
    }

    @Test func `imply default lock bytes that exist only on NTAG213`() {
        let assumed = [144, 496, 872, 48].map { CapabilityContainer(dataAreaSize: $0).defaultLockArea }
        #expect(assumed[0] == LockArea(address: 4 * 0x28, bitCount: 12, bytesPerBit: 8))
        #expect(assumed[1]?.address == 4 * 0x80)
        #expect(assumed[2]?.address == 4 * 0xDE)
        #expect(assumed[3] == nil)
    }

    @Test(arguments: ["F110FFEE", "00000000", "E1203E00"])
    func `of other tags do not announce NDEF`(hex: String) throws {
        let bytes = try Hex.bytes(hex)
        #expect(try !CapabilityContainer(parsing: bytes).announcesNDEF)
    }

    @Test func `accept any four bytes, and only four`() throws {
        var random = TestRandom("capability containers")
        for _ in 0..<1_000 {
            let bytes = random.bytes(4)
            #expect(try CapabilityContainer(parsing: bytes).bytes == bytes, "seed \(TestSeed.value)")
        }
        WireLaws.expectFixedSize(CapabilityContainer.self, 4)
        #expect(CapabilityContainer(dataAreaSize: 100_000).dataAreaSize == 2_040)
        #expect(CapabilityContainer(dataAreaSize: -8).dataAreaSize == 0)
    }
}
