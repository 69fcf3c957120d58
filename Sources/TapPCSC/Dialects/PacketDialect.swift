import TapWire

/// Readers that take a raw FeliCa packet in one APDU, and have no such command for other cards.
struct PacketDialect: ReaderDialect {
    /// The APDU format of a reader family.
    enum Family: Hashable {
        /// ACS ACR1251, ACR1252, ACR1281: `FF 00 00 00 Lc packet`.
        ///
        /// Source: ACR1252U application programming interface 1.09, "FeliCa access".
        case acs
        /// Sony RC-S380: `FF FE 01 00 Lc packet`.
        ///
        /// Source: open-source readers of transit cards; the command is not in a public manual.
        case sony
    }

    private let family: Family

    init(_ family: Family) {
        self.family = family
    }

    /// A packet in a short APDU loses nothing: the longest answer of a card is 253 bytes.
    let limits = LinkLimits.none

    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag? {
        guard case .felica(let polling, let technology) = target else { return nil }
        let frame = RFFrame(technology, polling.bytes)
        guard let answer = try transceive(frame, timeout: timeout, over: channel) else { return nil }
        return (try? Polling.Response(parsing: answer.bytes)).map { .felica($0, technology) }
    }

    mutating func transceive(
        _ frame: RFFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> RFFrame? {
        try frame.checkSendable(by: channel.readerName)
        let command =
            switch family {
            case .acs: CommandAPDU(ins: .acs, data: frame.bytes)
            case .sony: CommandAPDU(ins: .sonyRaw, p1: 0x01, data: frame.bytes)
            }
        guard let response = try channel.send(command) else { return nil }
        // Sony's driver distinguishes a damaged answer from a missing one; ACS drivers do not.
        if family == .sony, response.status == .noInformation {
            return RFFrame(frame.technology, [], integrity: .badCRC)
        }
        return response.status.isSuccess && !response.data.isEmpty ? RFFrame(frame.technology, response.data) : nil
    }
}
