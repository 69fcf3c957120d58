import TapWire

/// Readers that present a card as storage and nothing more: the last resort.
///
/// For a type A card, READ and WRITE become read binary and update binary; for a FeliCa card, only IDm and PMm are known. All
/// other frames are rejected with an error. Source: PC/SC part 3, "storage card functionality".
struct StorageDialect: ReaderDialect {
    /// The length of an IDm, and of a PMm, in bytes.
    private static let identifierLength = 8

    /// READ returns four pages; no longer answer gets through.
    let limits = LinkLimits(maximumAnswerLength: ReadPages.pageCount * PageData.byteCount)

    mutating func activate(
        _ target: Target, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag? {
        let isFeliCa = (try? ContactlessATR(parsing: channel.atr))?.isFeliCa ?? false
        guard isFeliCa == target.technology.isFeliCa else { return nil }
        if case .felica(let polling, let technology) = target {
            return try find(polling, technology, over: channel)
        }
        // The card may have fallen back to IDLE; the reader selects it only after a reset.
        guard try channel.reset(), let bytes = try data(0, over: channel), let uid = UID(bytes) else { return nil }
        return .typeA(TypeATag(atqa: .assumed(uid), sak: .complete, uid: uid))
    }

    /// Returns the system that the reader has selected, which is the one that answers a Polling for any system.
    private func find(
        _ polling: Polling.Request, _ technology: Technology, over channel: any CardChannel
    ) throws(LinkError) -> ActivatedTag? {
        guard polling.systemCode == .any else {
            throw Self.cannotCarry("Polling for system \(polling.systemCode)", channel)
        }
        guard let idm = try data(0, over: channel), idm.count == Self.identifierLength else { return nil }
        guard let pmm = try data(1, over: channel), pmm.count == Self.identifierLength else {
            throw Self.cannotCarry("the PMm of a FeliCa card", channel)
        }
        let answer = Polling.Response(idm: IDm(UInt64(octets: idm)), pmm: PMm(UInt64(octets: pmm)))
        return .felica(answer, technology)
    }

    /// Returns the data of Get Data: UID or IDm for 0, PMm on FeliCa readers for 1.
    private func data(_ parameter: UInt8, over channel: any CardChannel) throws(LinkError) -> [UInt8]? {
        let command = CommandAPDU(ins: .getData, p1: parameter, expected: 0)
        guard let response = try channel.send(command), response.status.isSuccess else { return nil }
        return response.data
    }

    mutating func transceive(
        _ frame: RFFrame, timeout: Duration, over channel: any CardChannel
    ) throws(LinkError) -> RFFrame? {
        try frame.checkSendable(by: channel.readerName)
        if frame.technology == .typeA106, frame.bitCount % 8 == 0, frame.integrity == .good {
            if let read = try? ReadPages.Request(parsing: frame.bytes) { return try carry(read, over: channel) }
            if let write = try? WritePage.Request(parsing: frame.bytes) { return try carry(write, over: channel) }
        }
        throw Self.cannotCarry(CommandName(of: frame)?.rawValue ?? "a frame", channel)
    }

    private func carry(_ read: ReadPages.Request, over channel: any CardChannel) throws(LinkError) -> RFFrame? {
        let command = CommandAPDU(ins: .readBinary, p2: read.page, expected: limits.maximumAnswerLength)
        guard let response = try channel.send(command) else { return nil }
        return response.status.isSuccess ? RFFrame(.typeA106, response.data) : Self.refusal(response.status)
    }

    private func carry(_ write: WritePage.Request, over channel: any CardChannel) throws(LinkError) -> RFFrame? {
        let command = CommandAPDU(ins: .updateBinary, p2: write.page, data: write.data.bytes)
        guard let response = try channel.send(command) else { return nil }
        return response.status.isSuccess ? Self.frame(.ack) : Self.refusal(response.status)
    }

    /// Returns the most probable answer of the card behind a status word of the reader: silence, or a NAK.
    private static func refusal(_ status: StatusWord) -> RFFrame? {
        [.noCardAnswer, .noReaderAnswer].contains(status) ? nil : frame(.invalidArgument)
    }

    private static func frame(_ acknowledgement: Acknowledgement) -> RFFrame {
        RFFrame(.typeA106, acknowledgement.bytes, bitCount: Acknowledgement.bitCount)
    }

    private static func cannotCarry(_ what: String, _ channel: any CardChannel) -> LinkError {
        .cannotCarry(
            what, over: channel.readerName,
            "it only supports storage commands; use an ACR122U, an RC-S300 or a reader with transparent sessions")
    }
}
