import TapField
import TapWire

/// Whether a tag holds NDEF and may be written, with the numbers of Core NFC.
public enum PhoneNDEFStatus: Int, Hashable, Sendable {
    /// The tag holds no NDEF.
    case notSupported = 1
    /// It may be read and written, as far as the tag says.
    case readWrite = 2
    /// It may be read alone.
    case readOnly = 3
}

/// What a phone tells of the NDEF of a tag.
public struct PhoneNDEFReport: Hashable, Sendable {
    public let status: PhoneNDEFStatus
    /// Bytes for a message; zero without NDEF.
    public let capacity: Int

    public init(status: PhoneNDEFStatus, capacity: Int) {
        self.status = status
        self.capacity = capacity
    }

    static let none = PhoneNDEFReport(status: .notSupported, capacity: 0)
}

/// NDEF of Type 2 and Type 3 tags, as the phone's own procedures handle it.
extension PhoneReader {
    /// Asks whether a tag holds NDEF.
    ///
    /// A Type 2 tag is judged by its capability container alone, so one that needs a password for the rest says that it
    /// may be written.
    ///
    /// - Throws: ``PhoneError``, ``PhonePolicy/protectedContainer`` where even the container needs a password.
    public mutating func queryNDEFStatus(
        of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> PhoneNDEFReport {
        switch tag.kind {
        case .miFare: try queryType2(of: tag, in: &world)
        case .feliCa: try queryType3(of: tag, in: &world)
        }
    }

    /// Reads the NDEF message of a tag.
    ///
    /// - Returns: The bytes of the message, which is whole and not empty.
    /// - Throws: ``PhoneError`` 403 where there is no message, 102 where there is no NDEF or it is malformed,
    ///   ``PhonePolicy/protectedRead`` where pages need a password.
    public mutating func readNDEF(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> [UInt8] {
        let bytes =
            switch tag.kind {
            case .miFare: try readType2(of: tag, in: &world)
            case .feliCa: try readType3(of: tag, in: &world)
            }
        guard !bytes.isEmpty else {
            throw PhoneError(.zeroLengthMessage, reason: "the tag is formatted and its message has no bytes")
        }
        do {
            _ = try NDEFMessage(parsing: bytes)
        } catch {
            throw .noResponse("the NDEF message on the tag is malformed: \(error)")
        }
        return bytes
    }

    /// Writes an NDEF message in place of the one on the tag.
    ///
    /// - Throws: ``PhoneError`` 400 for a tag that takes no message, 402 for one too small, 401 where the tag does not
    ///   carry a write out.
    public mutating func writeNDEF(
        _ message: [UInt8], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) {
        switch tag.kind {
        case .miFare: try writeType2(message, of: tag, in: &world)
        case .feliCa: try writeType3(message, of: tag, in: &world)
        }
    }

    /// Makes the NDEF of a tag read-only for ever.
    ///
    /// - Throws: ``PhoneError`` 400 for a tag that takes no message, 401 where the tag does not carry a write out.
    public mutating func writeLock(of tag: PhoneTag, in world: inout World) throws(PhoneError) {
        switch tag.kind {
        case .miFare: try lockType2(of: tag, in: &world)
        case .feliCa: try lockType3(of: tag, in: &world)
        }
    }
}

extension PhoneError {
    /// A message longer than the tag.
    static func tooLong(_ count: Int, room: Int) -> PhoneError {
        PhoneError(
            .tagSizeTooSmall,
            reason: "the message has \(count) bytes and the tag has room for \(room); shorten it or use a larger tag")
    }

    /// A tag that takes no message.
    static func notWritable(_ reason: String) -> PhoneError {
        PhoneError(.tagNotWritable, reason: reason)
    }
}
