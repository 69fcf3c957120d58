/// Commands of one maker's readers.
///
/// Sources: ACS, "ACR122U application programming interface" 2.04; Sony's PaSoRi sample code and published articles on
/// it.
extension CommandAPDU {
    /// ACS: bytes for the PN532, or, on readers without one, a FeliCa packet for the card.
    public static func directTransmit(_ bytes: [UInt8]) -> CommandAPDU {
        CommandAPDU(ins: .acs, data: bytes)
    }

    /// ACS: the firmware, whose answer is text without a status word.
    public static let acsFirmware = CommandAPDU(ins: .acs, p1: 0x48, expected: 0)

    /// Sony: selects the service that read and update binary work on.
    public static func selectService(_ service: NodeCode) -> CommandAPDU {
        let code = service.rawValue
        return CommandAPDU(ins: .selectService, p2: 0x01, data: [UInt8(truncatingIfNeeded: code), UInt8(code >> 8)])
    }

    /// Sony: a FeliCa packet, LEN first, for the card.
    public static func sonyRaw(_ packet: [UInt8]) -> CommandAPDU {
        CommandAPDU(ins: .sonyRaw, p1: 0x01, data: packet, expected: 0)
    }

    /// Sony: Polling, whose packet goes without its LEN, as does the answer.
    public static func sonyPolling(_ polling: Polling.Request) -> CommandAPDU {
        CommandAPDU(ins: .sonyRaw, data: Array(polling.bytes.dropFirst()), expected: 0)
    }
}
