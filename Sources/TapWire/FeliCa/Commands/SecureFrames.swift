extension CommandCode {
    public static let secureRead = CommandCode(0x14)
    public static let secureWrite = CommandCode(0x16)
    public static let secureReadV2 = CommandCode(0x44)
    public static let secureWriteV2 = CommandCode(0x46)
}

/// A packet of a session: it has no IDm, and everything after the code can be read only with the session keys.
///
/// ```
/// DES       LEN | code | encrypted: transaction number (2, LE), transaction ID (6), payload, padding, MAC (8)
/// AES (v2)  LEN | code | transaction number (2, LE) | encrypted payload | encrypted MAC (8)
/// ```
/// The packet addresses the card's current system. Source: FeliCa Card User's Manual (Unofficial Edition), "secure
/// communication".
public struct SecureFrame: FrameValue {
    public var code: CommandCode
    /// Everything after LEN and code.
    public var body: [UInt8]

    public init(code: CommandCode, body: [UInt8]) {
        self.code = code
        self.body = body
    }

    public init(parsing packet: Span<UInt8>) throws(WireError) {
        guard let code = CommandCode(of: packet), code.byteCount == 1 else {
            throw WireError(.wrongCode, at: 1, in: "secure packet")
        }
        try FeliCaPacket.check(packet, code, length: FeliCaPacket.minimumLength...FeliCaPacket.maximumLength)
        self.code = code
        body = packet.array(FeliCaPacket.minimumLength..<packet.count)
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(header: FeliCaPacket.minimumLength + body.count, code)
        buffer.append(body)
    }
}

/// A read within a session, command codes 14 (DES) and 44 (AES).
///
/// ```
/// payload of the command   n | block list element × n
/// payload of the response  00 00 | n | data (16) × n        or        status flag 1 | status flag 2
/// ```
/// Elements refer to the services of Authentication1. In a DES session padding may follow. Source: FeliCa Card User's Manual
/// (Unofficial Edition), "Read" and "Read v2".
public enum SecureRead {
    public static let maximumBlocks = 14
    public static let maximumBlocksV2 = 15

    /// The payload of the command.
    package static func payload(blocks: [BlockListElement]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: blocks.count)] + blocks.flatMap(\.bytes)
    }

    /// The payload of an answer; padding may follow.
    package struct Result: Hashable, Sendable {
        package var status: StatusFlags
        package var blocks: [BlockData]

        package init(payload: [UInt8]) throws(WireError) {
            guard payload.count >= 2 else { throw WireError(.truncated, at: payload.count, in: "status flags") }
            status = StatusFlags(payload[0], payload[1])
            blocks = []
            guard status.isSuccess else { return }
            guard payload.count > 2 else { throw WireError(.truncated, at: 2, in: "number of blocks") }
            let count = Int(payload[2])
            guard payload.count >= 3 + BlockData.byteCount * count else {
                throw WireError(.truncated, at: payload.count, in: "block data")
            }
            blocks = (0..<count).map { BlockData(payload[(3 + BlockData.byteCount * $0)...]) }
        }
    }
}

/// A write within a session, command codes 16 (DES) and 46 (AES).
///
/// ```
/// payload of the command   n | block list element × n | data (16) × n
/// payload of the response  status flag 1 | status flag 2
/// ```
/// In a DES session, an element with access mode 4 changes the key of its node: the block number is the new key version, and
/// the data is the key package. Source: FeliCa Card User's Manual (Unofficial Edition), "Write", "Write v2" and "key change".
public enum SecureWrite {
    /// The maximum number of blocks in a command with two-byte elements.
    public static let maximumBlocks = 12
    public static let maximumBlocksV2 = 13

    /// The payload of the command.
    package static func payload(blocks: [BlockListElement], data: [BlockData]) -> [UInt8] {
        SecureRead.payload(blocks: blocks) + data.flatMap(\.bytes)
    }

    package static func status(payload: [UInt8]) throws(WireError) -> StatusFlags {
        guard payload.count >= 2 else { throw WireError(.truncated, at: payload.count, in: "status flags") }
        return StatusFlags(payload[0], payload[1])
    }
}

extension CommandDescription {
    /// The session commands for reading and writing.
    static let secure: [CommandDescription] = [
        secureFrame(.secureRead, "Read", word: "secure_read", "Reads blocks inside a DES session.", time: .read),
        secureFrame(
            .secureWrite, "Write", word: "secure_write", "Writes blocks inside a DES session, or changes keys.",
            time: .write),
        secureFrame(
            .secureReadV2, "Read v2", word: "secure_read_v2", "Reads blocks inside an AES session.", time: .read),
        secureFrame(
            .secureWriteV2, "Write v2", word: "secure_write_v2", "Writes blocks inside an AES session.", time: .write),
    ]
}
