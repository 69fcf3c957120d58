extension SessionObject.Tag {
    // Manage session.

    /// Which version of the data objects the reader speaks; no value asked, three bytes answered.
    public static let version = Self(0x80)
    /// Begin a session; no value.
    public static let start = Self(0x81)
    /// End the session; no value.
    public static let end = Self(0x82)
    /// Field off; no value.
    public static let fieldOff = Self(0x83)
    /// Field on; no value.
    public static let fieldOn = Self(0x84)
    /// How long to wait, four bytes, low byte first, in microseconds.
    public static let timer = Self(0x5F46)
    /// Get parameters; tags of one byte with length 0 asked, with values answered.
    public static let getParameters = Self(0xFF6D)
    /// Set parameters.
    public static let setParameters = Self(0xFF6E)

    // Transparent exchange.

    /// How frames are sent and received, ``TransmissionFlags``.
    public static let flags = Self(0x90)
    /// How many bits of the last byte are sent, one byte; 0 for all.
    public static let transmittedBits = Self(0x91)
    /// How many bits of the last byte are expected or were received, one byte; 0 for all.
    public static let receivedBits = Self(0x92)
    /// Bytes to send.
    public static let transmit = Self(0x93)
    /// Wait for bytes; no value.
    public static let receive = Self(0x94)
    /// Bytes to send, then wait for the answer.
    public static let transceive = Self(0x95)

    // Switch protocol.

    /// The standard and the layer asked for; the last SAK answered, for type A at layer 3.
    public static let switchProtocol = Self(0x8F)
}

extension SessionObject {
    /// Asks for the version.
    public static let version = SessionObject(.version)
    /// Begins a session.
    public static let start = SessionObject(.start)
    /// Ends the session.
    public static let end = SessionObject(.end)
    /// Switches the field off.
    public static let fieldOff = SessionObject(.fieldOff)
    /// Switches the field on.
    public static let fieldOn = SessionObject(.fieldOn)

    /// Says how long to wait for the answer of the card, in microseconds.
    public static func timer(microseconds: UInt32) -> SessionObject {
        SessionObject(.timer, microseconds.bigEndianBytes.reversed())
    }

    /// How long to wait, in microseconds, if the object has four bytes.
    public var microseconds: UInt32? {
        value.count == 4 ? value.reversed().reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    /// Says how frames are sent and received.
    public static func flags(_ flags: TransmissionFlags) -> SessionObject {
        SessionObject(.flags, flags.rawValue.bigEndianBytes)
    }

    /// How frames are sent and received, if the object has two bytes.
    public var transmissionFlags: TransmissionFlags? {
        value.count == 2 ? TransmissionFlags(rawValue: UInt16(value[0]) << 8 | UInt16(value[1])) : nil
    }

    /// Says how many bits of the last byte are sent; 0 for all.
    public static func transmittedBits(_ count: UInt8) -> SessionObject {
        SessionObject(.transmittedBits, [count])
    }

    /// Sends bytes to the card and waits for its answer.
    public static func transceive(_ bytes: [UInt8]) -> SessionObject {
        SessionObject(.transceive, bytes)
    }

    /// Sends bytes to the card.
    public static func transmit(_ bytes: [UInt8]) -> SessionObject {
        SessionObject(.transmit, bytes)
    }

    /// Switches to a protocol.
    public static func switchProtocol(to target: SessionProtocol) -> SessionObject {
        SessionObject(.switchProtocol, [target.standard.rawValue, target.layer])
    }

    /// The protocol to switch to, if the object has two bytes.
    public var targetProtocol: SessionProtocol? {
        value.count == 2 ? SessionProtocol(SessionProtocol.Standard(value[0]), layer: value[1]) : nil
    }
}
