/// GetFirmwareVersion, code 02.
///
/// ```
/// command  D4 | 02
/// answer   D5 | 03 | IC | version | revision | support
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "GetFirmwareVersion".
public enum GetFirmwareVersion: PN532Command {
    public static let code = PN532Code.getFirmwareVersion

    public typealias Request = PN532DataRequest<GetFirmwareVersion>

    public struct Response: PN532Value {
        public static var tfi: UInt8 { PN532Packet.toHost }
        public static var packetCode: PN532Code { code.answer }

        /// The chip; 32 is a PN532.
        public var ic: UInt8
        /// The version of its firmware.
        public var version: UInt8
        /// The revision.
        public var revision: UInt8
        /// What it speaks: bit 0 type A, bit 1 type B, bit 2 ISO/IEC 18092.
        public var support: UInt8

        public init(ic: UInt8, version: UInt8, revision: UInt8, support: UInt8) {
            self.ic = ic
            self.version = version
            self.revision = revision
            self.support = support
        }

        /// What a PN532 with firmware 1.6 answers.
        public static let pn532 = Response(ic: 0x32, version: 1, revision: 6, support: 7)

        public init(data: [UInt8]) throws(WireError) {
            try WireError.requireCount(data.count, is: 4, of: "firmware version")
            self.init(ic: data[0], version: data[1], revision: data[2], support: data[3])
        }

        public var data: [UInt8] { [ic, version, revision, support] }
    }
}
