import FuzzSupport

@testable import TapWire

/// A parser, and the invariants of everything it accepts.
struct WireParser: Sendable {
    /// Returns `true` if the parser accepts bytes, all of them or some of a stream.
    let takes: @Sendable ([UInt8]) -> Bool

    init(_ takes: @escaping @Sendable ([UInt8]) -> Bool) {
        self.takes = takes
    }

    /// Creates a parser whose values stay the same after printing and parsing.
    init<Value: WireValue>(_: Value.Type) {
        self.init { bytes in
            guard let value = try? Value(parsing: bytes) else { return false }
            let printed = value.bytes
            expect((try? Value(parsing: printed)) == value, "\(value) is printed as \(printed)")
            return true
        }
    }

    /// Creates a parser for a record, which also prints each of its fields.
    init<Record: BlockRecord>(record _: Record.Type) {
        let value = WireParser(Record.self)
        self.init { bytes in
            guard value.takes(bytes), let record = try? Record(parsing: bytes) else { return false }
            expect(record.bytes == bytes, "\(record) keeps every bit")
            for field in (Record.fields as? any RecordFields)?.listed ?? [] { _ = field.text(in: record.stored) }
            return true
        }
    }

    /// Returns the parsers for the commands and answers of a FeliCa card.
    static func feliCa<Command: FeliCaCommand>(_: Command.Type) -> [WireParser] {
        [WireParser(Command.Request.self), WireParser(Command.Response.self)]
    }

    static func pn532<Command: PN532Command>(_: Command.Type) -> [WireParser] {
        [WireParser(Command.Request.self), WireParser(Command.Response.self)]
    }

    /// The order is part of every saved input: new parsers go to the end.
    static let all = feliCaParsers + typeAParsers + readerParsers + contentParsers + records + [.descriptions]

    private static let feliCaParsers =
        feliCa(Polling.self) + feliCa(RequestService.self) + feliCa(RequestResponse.self)
        + feliCa(ReadWithoutEncryption.self) + feliCa(WriteWithoutEncryption.self) + feliCa(SearchServiceCode.self)
        + feliCa(RequestSystemCode.self) + feliCa(RequestBlockInformation.self) + feliCa(RequestCodeList.self)
        + feliCa(RequestBlockInformationEx.self) + feliCa(SetParameter.self)
        + feliCa(GetContainerIssueInformation.self) + feliCa(GetAreaInformation.self) + feliCa(GetNodeProperty.self)
        + feliCa(GetContainerProperty.self) + feliCa(RequestServiceV2.self) + feliCa(GetSystemStatus.self)
        + feliCa(RequestProductInformation.self) + feliCa(RequestSpecificationVersion.self) + feliCa(ResetMode.self)
        + feliCa(GetContainerID.self) + feliCa(Echo.self) + feliCa(Authentication1.self)
        + feliCa(Authentication2.self) + feliCa(Authentication1V2.self) + feliCa(Authentication2V2.self)
        + [.blockAccess, .blockSelection]

    private static let typeAParsers = [
        WireParser(ShortFrame.self), WireParser(Anticollision.Request.self), WireParser(Select.Request.self),
        WireParser(HLTA.Request.self), WireParser(CascadePart.self), WireParser(ATQA.self), WireParser(SAK.self),
        WireParser(PageRequest<ReadPages>.self), WireParser(ReadPages.Response.self), WireParser(FastRead.Request.self),
        WireParser(FastRead.Response.self), WireParser(WritePage.Request.self),
        WireParser(PageRequest<CompatibilityWrite>.self), WireParser(CompatibilityWrite.Data.self),
        WireParser(GetVersion.Request.self), WireParser(GetVersion.Response.self),
        WireParser(AddressRequest<ReadCounter>.self), WireParser(ReadCounter.Response.self),
        WireParser(AddressRequest<ReadSignature>.self), WireParser(OriginalitySignature.self),
        WireParser(PasswordAuthentication.Request.self), WireParser(PasswordAuthentication.Response.self),
        WireParser(Acknowledgement.self), .identifier, .framing,
    ]

    private static let contentParsers = [
        WireParser(NDEFMessage.self), WireParser(NDEFText.self), WireParser(NDEFURI.self),
        WireParser(NDEFSmartPoster.self), WireParser(TLVBlock.self), WireParser(CapabilityContainer.self),
        WireParser(LockControl.self), WireParser(MemoryControl.self), .memory, .text,
    ]

    private static let records = [
        WireParser(record: AttributeInformationBlock.self), WireParser(record: LiteMemoryConfiguration.self),
        WireParser(record: TransitHistoryRecord.self), WireParser(record: TransitBalance.self),
        WireParser(record: TransitGateRecord.self), WireParser(record: TransitEntry.self),
        WireParser(record: SapicaPoints.self), WireParser(record: RyutoHistoryRecord.self),
        WireParser(record: OctopusBalance.self), WireParser(record: PurseBlock.self),
        WireParser(record: CardNumberBlock.self), WireParser(record: EdyHistoryRecord.self),
        WireParser(record: EdyIdentification.self), WireParser(record: NanacoHistoryRecord.self),
        WireParser(record: NanacoPoints.self), WireParser(record: WAONHistoryRecord.self),
        WireParser(record: WAONPoints.self),
    ]

    private static let readerParsers =
        pn532(GetFirmwareVersion.self) + pn532(RFConfiguration.self) + pn532(ReadRegister.self)
        + pn532(WriteRegister.self) + pn532(InListPassiveTarget.self) + pn532(InAutoPoll.self)
        + pn532(InDataExchange.self) + pn532(InCommunicateThru.self) + pn532(InDeselect.self) + pn532(InRelease.self)
        + pn532(InSelect.self)
        + [
            WireParser(PN532Packet.Command.self), WireParser(PN532Packet.Answer.self), WireParser(PN532Frame.self),
            .pn532Stream, .port100, .ccid, .proxmark3, WireParser(CommandAPDU.self), WireParser(ResponseAPDU.self),
            WireParser(SessionRequest.self), WireParser(SessionResponse.self), WireParser(ReaderFeature.self),
            WireParser(ContactlessATR.self), WireParser(StorageCard.self), .lists,
        ]
}
