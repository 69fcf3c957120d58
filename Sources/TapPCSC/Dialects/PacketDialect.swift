import TapWire

/// Readers that take a raw FeliCa packet in one APDU; they know no other way to a card of another kind.
struct PacketDialect: ReaderDialect {
    /// How a family writes the APDU.
    enum Family: Hashable {
        /// ACS ACR1251, ACR1252, ACR1281: `FF 00 00 00 Lc packet`.
        ///
        /// Source: ACR1252U application programming interface 1.09, "FeliCa access".
        case acs
        /// Sony RC-S380: `FF FE 01 00 Lc packet`.
        ///
        /// Source: readers of transit cards in the open; the command is not in a public manual.
        case sony
    }

    private let family: Family

    init(_ family: Family) {
        self.family = family
    }

    /// A packet in a short APDU loses nothing: 253 bytes are the longest answer of a card.
    let limits = LinkLimits.none

    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag? {
        guard case .felica(let polling, let technology) = target else { return nil }
        let frame = AirFrame(technology, polling.bytes)
        guard let answer = try transceive(frame, timeout: timeout, over: channel) else { return nil }
        return (try? Polling.Response(parsing: answer.bytes)).map { .felica($0, technology) }
    }

    mutating func transceive(
        _ frame: AirFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> AirFrame? {
        try frame.checkSendable(by: channel.readerName)
        let command =
            switch family {
            case .acs: CommandAPDU(ins: .acs, data: frame.bytes)
            case .sony: CommandAPDU(ins: .sonyRaw, p1: 0x01, data: frame.bytes)
            }
        guard let response = try channel.send(command) else { return nil }
        // Sony's driver tells a damaged answer from none; those of ACS do not.
        if family == .sony, response.status == .noInformation {
            return AirFrame(frame.technology, [], integrity: .badCRC)
        }
        return response.status.isSuccess && !response.data.isEmpty ? AirFrame(frame.technology, response.data) : nil
    }
}
