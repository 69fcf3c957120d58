/// A message between a host and a CCID reader.
///
/// It consists of type, length of the data, slot, sequence number, three parameter bytes and data; numbers are little-endian.
/// Source: USB-IF, CCID specification 1.1, section 6, "CCID messages".
package struct CCIDCommand: Hashable, Sendable {
    package struct Kind: OpenCode {
        package let rawValue: UInt8
        package init(_ rawValue: UInt8) { self.rawValue = rawValue }

        package static let setParameters = Kind(0x61)
        package static let powerOn = Kind(0x62)
        package static let powerOff = Kind(0x63)
        package static let getSlotStatus = Kind(0x65)
        package static let escape = Kind(0x6B)
        package static let getParameters = Kind(0x6C)
        package static let resetParameters = Kind(0x6D)
        package static let transfer = Kind(0x6F)
        package static let abort = Kind(0x72)
    }

    package let kind: Kind
    package let slot: UInt8
    package let sequence: UInt8
    package let data: [UInt8]

    /// The number of bytes before the data.
    package static let headerLength = 10

    /// The total length of the message at the start of a transfer; `nil` while its header is incomplete.
    package static func length(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= headerLength else { return nil }
        return headerLength + bytes[1...4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Parses a complete message; `nil` if its length field is wrong.
    package init?(_ bytes: [UInt8]) {
        guard Self.length(of: bytes) == bytes.count else { return nil }
        kind = Kind(bytes[0])
        slot = bytes[5]
        sequence = bytes[6]
        data = Array(bytes[Self.headerLength...])
    }
}

/// The answer of a CCID reader to a command.
package struct CCIDAnswer: Hashable, Sendable {
    /// bmICCStatus.
    package enum Card: UInt8, Hashable, Sendable {
        case active = 0
        case inactive = 1
        case absent = 2
    }

    /// bError of a failed command.
    package enum Failure: UInt8, Hashable, Sendable {
        case commandNotSupported = 0x00
        case slotDoesNotExist = 0x05
        case cardIsMute = 0xFE
        case cardMadeAnError = 0xF6
    }

    private enum Kind {
        static let dataBlock: UInt8 = 0x80
        static let slotStatus: UInt8 = 0x81
        static let parameters: UInt8 = 0x82
        static let escape: UInt8 = 0x83
    }

    /// bmCommandStatus of a failed command.
    private static let failed: UInt8 = 0x40

    private let kind: UInt8
    package let card: Card
    package let failure: Failure?
    package let data: [UInt8]
    /// The last byte of the header, which depends on the kind.
    private let detail: UInt8

    /// Creates the answer to a kind of command, with the matching message type.
    package init(
        to command: CCIDCommand.Kind, card: Card, failure: Failure? = nil, _ data: [UInt8] = [], detail: UInt8 = 0
    ) {
        kind =
            switch command {
            case .powerOn, .transfer: Kind.dataBlock
            case .setParameters, .getParameters, .resetParameters: Kind.parameters
            case .escape: Kind.escape
            default: Kind.slotStatus
            }
        self.card = card
        self.failure = failure
        self.data = data
        self.detail = detail
    }

    /// The message, with the slot and sequence number of its command.
    package func bytes(slot: UInt8, sequence: UInt8) -> [UInt8] {
        let status = card.rawValue | (failure == nil ? 0 : Self.failed)
        return [kind] + UInt32(data.count).littleEndianBytes
            + [slot, sequence, status, failure?.rawValue ?? 0, detail] + data
    }
}

/// The class descriptor of a CCID reader with one slot.
///
/// Source: USB-IF, CCID specification 1.1, section 5.1, "smart card device class descriptor".
package struct CCIDDescriptor: Hashable, Sendable {
    /// bInterfaceClass.
    package static let classCode: UInt8 = 0x0B

    /// bcdCCID.
    package let version: UInt16
    /// dwDataRate and dwMaxDataRate, in bit/s.
    package let rate: UInt32
    package let maximumRate: UInt32
    /// dwMaxIFSD.
    package let maximumBlock: UInt32
    /// dwFeatures.
    package let features: UInt32
    /// dwMaxCCIDMessageLength.
    package let longestMessage: UInt32

    package init(
        version: UInt16, rate: UInt32, maximumRate: UInt32, maximumBlock: UInt32, features: UInt32,
        longestMessage: UInt32
    ) {
        self.version = version
        self.rate = rate
        self.maximumRate = maximumRate
        self.maximumBlock = maximumBlock
        self.features = features
        self.longestMessage = longestMessage
    }

    package var bytes: [UInt8] {
        let clock: UInt32 = 4_000
        // Slot 0 only; 5, 3 and 1.8 V; T=1; no list of rates, no synchronous or mechanical features, no display, no PIN.
        return [54, 0x21] + version.littleEndianBytes + [0, 7] + UInt32(2).littleEndianBytes
            + clock.littleEndianBytes + clock.littleEndianBytes + [0] + rate.littleEndianBytes
            + maximumRate.littleEndianBytes + [0] + maximumBlock.littleEndianBytes + UInt64(0).littleEndianBytes
            + features.littleEndianBytes + longestMessage.littleEndianBytes + [0, 0, 0, 0, 0, 1]
    }
}
