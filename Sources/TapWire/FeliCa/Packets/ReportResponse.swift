/// What stands behind the status flags of an answer that carries more than them.
public protocol ReportBody: Hashable, Sendable {
    /// Reads the body, which is the rest of `packet` from `offset` on.
    ///
    /// - Throws: ``WireError`` where the rest does not fit.
    init(parsing packet: Span<UInt8>, from offset: Int) throws(WireError)

    /// Number of bytes, at least one.
    var byteCount: Int { get }

    func write(into buffer: inout FrameBuffer)
}

/// An answer with status flags and, unless the card refused, a report behind them.
///
/// ```
/// LEN | code + 1 | IDm (8) | status flag 1 | status flag 2 | report
/// 0C  | code + 1 | IDm (8) | status flag 1 | status flag 2
/// ```
public struct ReportResponse<Command: FeliCaCommand, Body: ReportBody>: FrameValue {
    public var idm: IDm
    public var status: StatusFlags
    /// The report; nothing where the answer ends with the status flags.
    public var body: Body?

    public init(idm: IDm, status: StatusFlags = .success, body: Body? = nil) {
        self.idm = idm
        self.status = status
        self.body = body
    }

    public init(parsing packet: Span<UInt8>) throws(WireError) {
        let lengths = FeliCaPacket.statusLength...FeliCaPacket.maximumLength
        try FeliCaPacket.check(packet, Command.code.response, length: lengths)
        idm = packet.idm
        status = packet.status
        body =
            packet.count > FeliCaPacket.statusLength
            ? try Body(parsing: packet, from: FeliCaPacket.statusLength) : nil
    }

    public func write(into buffer: inout FrameBuffer) {
        Self.writeHeader(idm: idm, status: status, bodyLength: body?.byteCount ?? 0, into: &buffer)
        body?.write(into: &buffer)
    }

    /// Appends all that comes before a report of `bodyLength` bytes.
    static func writeHeader(
        idm: IDm, status: StatusFlags = .success, bodyLength: Int, into buffer: inout FrameBuffer
    ) {
        buffer.append(header: FeliCaPacket.statusLength + bodyLength, Command.code.response, idm, status)
    }
}
