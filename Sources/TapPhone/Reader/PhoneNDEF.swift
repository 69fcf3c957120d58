import TapField
import TapWire

/// The NDEF status of a tag, with Core NFC's numbers.
public enum PhoneNDEFStatus: Int, Hashable, Sendable {
    case notSupported = 1
    case readWrite = 2
    case readOnly = 3
}

public struct PhoneNDEFReport: Hashable, Sendable {
    public let status: PhoneNDEFStatus
    /// The capacity in bytes; zero without NDEF.
    public let capacity: Int

    public init(status: PhoneNDEFStatus, capacity: Int) {
        self.status = status
        self.capacity = capacity
    }

    static let none = PhoneNDEFReport(status: .notSupported, capacity: 0)
}

/// NDEF on Type 2 and Type 3 tags, as the phone itself reads and writes it.
extension PhoneReader {
    /// Returns whether a tag contains NDEF.
    ///
    /// A Type 2 tag is judged by its capability container alone, so a tag whose other pages need a password counts as
    /// writable.
    ///
    /// - Throws: ``PhoneError``, ``PhonePolicy/protectedContainer`` if even the container needs a password.
    public mutating func queryNDEFStatus(
        of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> PhoneNDEFReport {
        switch tag.kind {
        case .miFare: try queryType2(of: tag, in: &world)
        case .feliCa: try queryType3(of: tag, in: &world)
        }
    }

    /// Reads the NDEF message of a tag, complete and not empty.
    ///
    /// - Throws: ``PhoneError`` 403 if there is no message, 102 if there is no NDEF or it is malformed,
    ///   ``PhonePolicy/protectedRead`` if pages need a password.
    public mutating func readNDEF(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> [UInt8] {
        let bytes =
            switch tag.kind {
            case .miFare: try readType2(of: tag, in: &world)
            case .feliCa: try readType3(of: tag, in: &world)
            }
        guard !bytes.isEmpty else {
            throw PhoneError(.zeroLengthMessage, reason: "the tag is formatted, but its message is empty")
        }
        do {
            _ = try NDEFMessage(parsing: bytes)
        } catch {
            throw .noResponse("the NDEF message on the tag is malformed: \(error)")
        }
        return bytes
    }

    /// Replaces the NDEF message of a tag.
    ///
    /// - Throws: ``PhoneError`` 400 for a tag that accepts no message, 402 for a tag that is too small, 401 for a failed
    ///   write.
    public mutating func writeNDEF(
        _ message: [UInt8], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) {
        switch tag.kind {
        case .miFare: try writeType2(message, of: tag, in: &world)
        case .feliCa: try writeType3(message, of: tag, in: &world)
        }
    }

    /// Makes a tag's NDEF read-only permanently.
    ///
    /// - Throws: ``PhoneError`` 400 for a tag that accepts no message, 401 for a failed write.
    public mutating func writeLock(of tag: PhoneTag, in world: inout World) throws(PhoneError) {
        switch tag.kind {
        case .miFare: try lockType2(of: tag, in: &world)
        case .feliCa: try lockType3(of: tag, in: &world)
        }
    }
}

extension PhoneError {
    static func tooLong(_ count: Int, room: Int) -> PhoneError {
        PhoneError(
            .tagSizeTooSmall,
            reason: "the message has \(count) bytes and the tag has room for \(room); shorten it or use a larger tag")
    }

    static func notWritable(_ reason: String) -> PhoneError {
        PhoneError(.tagNotWritable, reason: reason)
    }
}
