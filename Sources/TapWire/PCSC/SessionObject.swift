/// A data object of a transparent session: a tag and a value.
///
/// ```
/// tag (1 or 2) | length (BER, 1 to 3) | value
/// ```
/// A tag whose low five bits are all set has a second byte. Source: PC/SC part 3, supplement for contactless cards,
/// "transparent session".
package struct SessionObject: Hashable, Sendable, CustomStringConvertible {
    package struct Tag: Hashable, Sendable, CustomStringConvertible {
        /// One byte, or two bytes as a number with the first byte high.
        package let rawValue: UInt16

        package init(_ rawValue: UInt16) {
            self.rawValue = rawValue
        }

        fileprivate static func isFirstOfTwo(_ byte: UInt8) -> Bool { byte & 0x1F == 0x1F }

        var bytes: [UInt8] {
            rawValue > 0xFF ? rawValue.bigEndianBytes : [UInt8(truncatingIfNeeded: rawValue)]
        }

        package var description: String { Hex.text(bytes) }
    }

    package static let maximumLength = 65_535

    package let tag: Tag
    package let value: [UInt8]

    /// Creates an object; bytes after ``maximumLength`` are dropped.
    package init(_ tag: Tag, _ value: [UInt8] = []) {
        self.tag = tag
        self.value = Array(value.prefix(Self.maximumLength))
    }

    /// The object in its shortest encoding.
    package var bytes: [UInt8] {
        let count = UInt16(truncatingIfNeeded: value.count)
        return switch count {
        case ..<0x80: tag.bytes + [UInt8(truncatingIfNeeded: count)] + value
        case ..<0x100: tag.bytes + [0x81, UInt8(truncatingIfNeeded: count)] + value
        default: bytesWithWideLength
        }
    }

    /// The object with a three-byte length, `82 hi lo`, as used by the RC-S300 for data to the card.
    package var bytesWithWideLength: [UInt8] {
        tag.bytes + [0x82] + UInt16(truncatingIfNeeded: value.count).bigEndianBytes + value
    }

    package var description: String { value.isEmpty ? "\(tag)" : "\(tag) \(Hex.text(value))" }

    /// Reads consecutive objects.
    ///
    /// - Returns: The objects, and the remaining bytes from the first object that is truncated or has an invalid length.
    package static func list(_ bytes: [UInt8]) -> (objects: [SessionObject], broken: [UInt8]) {
        var objects: [SessionObject] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let (object, end) = first(of: rest) else { break }
            objects.append(object)
            rest = rest[end...]
        }
        return (objects, Array(rest))
    }

    /// Reads the first object and returns it with the index after its end.
    private static func first(of bytes: ArraySlice<UInt8>) -> (SessionObject, Int)? {
        var rest = bytes
        guard let first = rest.popFirst() else { return nil }
        var tag = UInt16(first)
        if Tag.isFirstOfTwo(first) {
            guard let second = rest.popFirst() else { return nil }
            tag = tag << 8 | UInt16(second)
        }
        guard let count = length(&rest), count <= rest.count else { return nil }
        let end = rest.startIndex + count
        return (SessionObject(Tag(tag), Array(rest[..<end])), end)
    }

    /// Reads a BER length: a byte below 80, 81 with one byte, or 82 with two.
    private static func length(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        switch first {
        case ..<0x80: return Int(first)
        case 0x81: return rest.popFirst().map { Int($0) }
        case 0x82:
            guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            return Int(high) << 8 | Int(low)
        default: return nil
        }
    }
}

extension SessionObject.Tag {
    // Manage session.

    /// The reader's version of the data objects; no value in the request, three bytes in the answer.
    package static let version = Self(0x80)
    /// Start a session; no value.
    package static let start = Self(0x81)
    package static let end = Self(0x82)
    package static let fieldOff = Self(0x83)
    package static let fieldOn = Self(0x84)
    /// The timeout in microseconds, four bytes, low byte first.
    package static let timer = Self(0x5F46)
    /// Get parameters; the request has one-byte tags with length 0, the answer has their values.
    package static let getParameters = Self(0xFF6D)
    package static let setParameters = Self(0xFF6E)

    // Transparent exchange.

    /// The frame format options, ``TransmissionFlags``.
    package static let flags = Self(0x90)
    /// The number of bits of the last byte to send, one byte; 0 for all.
    package static let transmittedBits = Self(0x91)
    /// The number of bits of the last byte that are expected or were received, one byte; 0 for all.
    package static let receivedBits = Self(0x92)
    /// Bytes to send.
    package static let transmit = Self(0x93)
    /// Wait for bytes; no value.
    package static let receive = Self(0x94)
    /// Bytes to send before waiting for the answer.
    package static let transceive = Self(0x95)

    // Switch protocol.

    /// Request: the standard and the layer.
    ///
    /// Answer: the last SAK, for type A at layer 3.
    package static let switchProtocol = Self(0x8F)
}

extension SessionObject {
    package static let start = SessionObject(.start)
    package static let end = SessionObject(.end)

    /// An object with the timeout for the card's answer, in microseconds.
    package static func timer(microseconds: UInt32) -> SessionObject {
        SessionObject(.timer, microseconds.littleEndianBytes)
    }

    /// The timeout in microseconds, if the object has four bytes.
    package var microseconds: UInt32? {
        value.count == 4 ? value.reversed().reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    package static func flags(_ flags: TransmissionFlags) -> SessionObject {
        SessionObject(.flags, flags.rawValue.bigEndianBytes)
    }

    /// The frame format options, if the object has two bytes.
    package var transmissionFlags: TransmissionFlags? {
        value.count == 2 ? TransmissionFlags(rawValue: UInt16(value[0]) << 8 | UInt16(value[1])) : nil
    }

    /// An object with the number of bits of the last byte to send; 0 for all.
    package static func transmittedBits(_ count: UInt8) -> SessionObject {
        SessionObject(.transmittedBits, [count])
    }

    /// An object with bytes to send to the card before waiting for its answer.
    package static func transceive(_ bytes: [UInt8]) -> SessionObject {
        SessionObject(.transceive, bytes)
    }

    package static func switchProtocol(to target: SessionProtocol) -> SessionObject {
        SessionObject(.switchProtocol, [target.standard.rawValue, target.layer])
    }

    /// The protocol to switch to, if the object has two bytes.
    package var targetProtocol: SessionProtocol? {
        value.count == 2 ? SessionProtocol(SessionProtocol.Standard(value[0]), layer: value[1]) : nil
    }
}

extension SessionObject.Tag {
    /// The result of the command: the index of an object and a status word.
    package static let status = Self(0xC0)
    /// The receiver's result, ``ReceptionStatus``.
    package static let receptionStatus = Self(0x96)
    package static let received = Self(0x97)
    package static let atr = Self(0x5F51)
}

extension SessionObject {
    package static func status(_ status: ObjectStatus) -> SessionObject {
        SessionObject(.status, [status.index] + status.status.bytes)
    }

    /// The result of the command, if the object has three bytes.
    var objectStatus: ObjectStatus? {
        value.count == 3 ? ObjectStatus(StatusWord(value[1], value[2]), index: value[0]) : nil
    }

    /// An object with the number of received bits of the last byte; 0 for all.
    package static func receivedBits(_ count: UInt8) -> SessionObject {
        SessionObject(.receivedBits, [count])
    }

    package static func receptionStatus(_ status: ReceptionStatus) -> SessionObject {
        SessionObject(.receptionStatus, [status.rawValue, 0])
    }

    /// The receiver's result, if the object has two bytes; the second byte, the position of a collision, is ignored.
    package var receptionStatus: ReceptionStatus? {
        value.count == 2 ? ReceptionStatus(rawValue: value[0]) : nil
    }

    package static func received(_ bytes: [UInt8]) -> SessionObject {
        SessionObject(.received, bytes)
    }

    package static func atr(_ atr: [UInt8]) -> SessionObject {
        SessionObject(.atr, atr)
    }
}

/// The result of a command's objects.
///
/// ```
/// index of the object that failed, 0 for none | SW1 | SW2
/// ```
/// Source: PC/SC part 3, supplement for contactless cards, "generic error".
package struct ObjectStatus: Hashable, Sendable {
    /// The index of the failed object, counted from 1; 0 if none failed.
    package var index: UInt8
    package var status: StatusWord

    package init(_ status: StatusWord, index: UInt8 = 0) {
        self.index = index
        self.status = status
    }

    package static let success = ObjectStatus(.success)
}

/// A receiver's result for the answer of a card.
///
/// Source: PC/SC part 3, supplement for contactless cards, "response status".
package struct ReceptionStatus: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let badCRC = ReceptionStatus(rawValue: 0x01)
    package static let collision = ReceptionStatus(rawValue: 0x02)
    package static let badParity = ReceptionStatus(rawValue: 0x04)
    package static let badFraming = ReceptionStatus(rawValue: 0x08)
}
