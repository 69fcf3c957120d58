extension SessionObject.Tag {
    /// What became of the command: the index of an object and a status word.
    public static let status = Self(0xC0)
    /// What the receiver found, ``ReceptionStatus``.
    public static let receptionStatus = Self(0x96)
    /// The bytes received.
    public static let received = Self(0x97)
    /// The ATR the card has now.
    public static let atr = Self(0x5F51)
}

extension SessionObject {
    /// Says what became of the command.
    public static func status(_ status: ObjectStatus) -> SessionObject {
        SessionObject(.status, [status.index] + status.status.bytes)
    }

    /// What became of the command, if the object has three bytes.
    public var objectStatus: ObjectStatus? {
        value.count == 3 ? ObjectStatus(StatusWord(value[1], value[2]), index: value[0]) : nil
    }

    /// Says how many bits of the last byte were received; 0 for all.
    public static func receivedBits(_ count: UInt8) -> SessionObject {
        SessionObject(.receivedBits, [count])
    }

    /// Says what the receiver found.
    public static func receptionStatus(_ status: ReceptionStatus) -> SessionObject {
        SessionObject(.receptionStatus, [status.rawValue, 0])
    }

    /// What the receiver found, if the object has two bytes; the second, the place of a collision, is left out.
    public var receptionStatus: ReceptionStatus? {
        value.count == 2 ? ReceptionStatus(rawValue: value[0]) : nil
    }

    /// Gives the bytes received.
    public static func received(_ bytes: [UInt8]) -> SessionObject {
        SessionObject(.received, bytes)
    }

    /// Gives the ATR the card has now.
    public static func atr(_ atr: [UInt8]) -> SessionObject {
        SessionObject(.atr, atr)
    }
}

/// What became of the objects of a command.
///
/// ```
/// index of the object that failed, 0 for none | SW1 | SW2
/// ```
/// Source: PC/SC part 3, supplement for contactless cards, "generic error".
public struct ObjectStatus: Hashable, Sendable {
    /// Which object failed, counted from 1; 0 if none did.
    public var index: UInt8
    /// What became of it.
    public var status: StatusWord

    public init(_ status: StatusWord, index: UInt8 = 0) {
        self.index = index
        self.status = status
    }

    /// All objects were carried out.
    public static let success = ObjectStatus(.success)
}

/// What a receiver found in the answer of a card.
///
/// Source: PC/SC part 3, supplement for contactless cards, "response status".
public struct ReceptionStatus: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The CRC is wrong.
    public static let badCRC = ReceptionStatus(rawValue: 0x01)
    /// Cards collided.
    public static let collision = ReceptionStatus(rawValue: 0x02)
    /// A parity bit is wrong.
    public static let badParity = ReceptionStatus(rawValue: 0x04)
    /// The framing is wrong.
    public static let badFraming = ReceptionStatus(rawValue: 0x08)
}
