/// A command of a transparent session.
///
/// ```
/// standard   FF | C2 | 00 | step | Lc | objects | Le
/// RC-S300    FF | 50 | 00 | step | Lc | objects | Le, for an exchange FF | 50 | 00 | 01 | 00 | Lc (2) | objects | 00 00 00
/// ```
/// Sources: PC/SC part 3, supplement for contactless cards, "transparent session"; open drivers of the RC-S300.
package struct SessionRequest: WireValue {
    /// The kind of a command, which determines its objects.
    package struct Step: Hashable, Sendable {
        /// P2.
        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let manage = Step(0)
        package static let exchange = Step(1)
        package static let switchProtocol = Step(2)
    }

    /// The form of the command for a family of readers.
    package enum Dialect: Hashable, Sendable, CaseIterable {
        /// The form defined by PC/SC.
        case standard
        /// The form of the RC-S300.
        case rcs300

        fileprivate var instruction: Instruction { self == .standard ? .transparent : .sonyTransparent }
    }

    package let dialect: Dialect
    package let step: Step
    /// The objects as sent, complete or not.
    package let data: [UInt8]

    package init(_ step: Step, _ objects: [SessionObject], dialect: Dialect = .standard) {
        self.dialect = dialect
        self.step = step
        let isWide = Self.hasWideLength(dialect, step)
        data = objects.flatMap { isWide && $0.tag == .transceive ? $0.bytesWithWideLength : $0.bytes }
    }

    /// The complete objects, and the rest of an incomplete one.
    package var objects: (objects: [SessionObject], broken: [UInt8]) { SessionObject.list(data) }

    /// Returns whether lengths have two additional bytes and Le has three bytes.
    private static func hasWideLength(_ dialect: Dialect, _ step: Step) -> Bool {
        dialect == .rcs300 && step == .exchange
    }

    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        let command = try Self.apdu(bytes.array(0..<bytes.count))
        let dialect = command.ins == Dialect.rcs300.instruction ? Dialect.rcs300 : .standard
        guard command.cla == CommandAPDU.reader, command.ins == dialect.instruction, command.p1 == 0 else {
            throw WireError(.wrongCode, at: 0, in: "transparent session", "it must begin with FF C2 00 or FF 50 00")
        }
        self.init(dialect, Step(command.p2), command.data)
    }

    /// Reads the command APDU.
    ///
    /// RC-S300 drivers end it with three zeros, one more than an extended Le has.
    package static func apdu(_ bytes: [UInt8]) throws(WireError) -> CommandAPDU {
        let isSony = bytes.count > 1 && bytes[1] == Instruction.sonyTransparent.rawValue
        return try CommandAPDU(parsing: isSony && trailingZeros(bytes) == 3 ? Array(bytes.dropLast()) : bytes)
    }

    private init(_ dialect: Dialect, _ step: Step, _ data: [UInt8]) {
        self.dialect = dialect
        self.step = step
        self.data = data
    }

    /// The number of zeros after the data of an extended command, if nothing else follows the data.
    private static func trailingZeros(_ apdu: [UInt8]) -> Int {
        guard apdu.count > 7, apdu[4] == 0 else { return 0 }
        let rest = apdu.dropFirst(7 + (Int(apdu[5]) << 8 | Int(apdu[6])))
        return rest.allSatisfy { $0 == 0 } ? rest.count : 0
    }

    package var bytes: [UInt8] {
        let isWide = Self.hasWideLength(dialect, step)
        let command = CommandAPDU(
            ins: dialect.instruction, p2: step.rawValue, data: data, expected: 0, isExtended: isWide)
        return command.bytes + (isWide ? [0] : [])
    }
}

/// The answer in a transparent session: objects, the first of which gives the result of the command.
///
/// The status word of the response stays 9000 even if an object reports an error.
package struct SessionResponse: WireValue {
    package var objects: [SessionObject]
    /// The status word after the objects.
    package var outer: StatusWord

    package init(_ status: ObjectStatus, _ objects: [SessionObject] = []) {
        self.objects = [.status(status)] + objects
        outer = .success
    }

    /// The result of the command, if an object gives it.
    package var status: ObjectStatus? { self[.status]?.objectStatus }

    package subscript(tag: SessionObject.Tag) -> SessionObject? { objects.first { $0.tag == tag } }

    package init(parsing bytes: Span<UInt8>) throws(WireError) {
        let response = try ResponseAPDU(parsing: bytes)
        let (objects, broken) = SessionObject.list(response.data)
        guard broken.isEmpty else {
            let offset = response.data.count - broken.count
            throw WireError(.truncated, at: offset, in: "object of a transparent session")
        }
        self.objects = objects
        outer = response.status
    }

    package var bytes: [UInt8] { objects.flatMap(\.bytes) + outer.bytes }
}

/// A protocol to which a transparent session switches.
///
/// ```
/// standard | layer
/// ```
/// Source: PC/SC part 3, supplement for contactless cards, "switch protocol".
package struct SessionProtocol: Hashable, Sendable {
    package struct Standard: Hashable, Sendable {
        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// ISO/IEC 14443 type A.
        package static let typeA = Standard(0x00)
        /// ISO/IEC 14443 type B.
        package static let typeB = Standard(0x01)
        /// ISO/IEC 15693.
        package static let vicinity = Standard(0x02)
        package static let felica = Standard(0x03)
    }

    /// The layers, if they are separate.
    package enum Layer {
        package static let highest: UInt8 = 0x00
        /// Frames: no card is selected.
        package static let frames: UInt8 = 0x02
        package static let selection: UInt8 = 0x03
        /// Blocks of ISO/IEC 14443-4.
        package static let blocks: UInt8 = 0x04
    }

    package var standard: Standard
    /// The layer, one of ``Layer``; the upper nibble requests a bit rate.
    package var layer: UInt8

    package init(_ standard: Standard, layer: UInt8 = Layer.highest) {
        self.standard = standard
        self.layer = layer
    }

    package var layerNumber: UInt8 { layer & 0x0F }
    /// The bit rate requested by the upper nibble, in doublings of 106 kbit/s: 0 is 106, 1 is 212, 2 is 424 kbit/s.
    package var rateNumber: UInt8 { layer >> 4 }
}

/// The frame format options of a reader in a transparent session; two bytes, high byte first.
///
/// Source: PC/SC part 3, supplement for contactless cards, "transmission and reception flag".
package struct TransmissionFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The bytes to send already end with a CRC; the reader appends none.
    package static let withoutSentCRC = TransmissionFlags(rawValue: 0x01)
    /// The reader keeps the CRC at the end of an answer.
    package static let keepReceivedCRC = TransmissionFlags(rawValue: 0x02)
    /// The reader sends no parity bits.
    package static let withoutSentParity = TransmissionFlags(rawValue: 0x04)
    /// The reader expects no parity bits.
    package static let withoutReceivedParity = TransmissionFlags(rawValue: 0x08)
    /// The host handles the protocol's prologue and epilogue.
    static let withoutPrologue = TransmissionFlags(rawValue: 0x10)

    /// The options for FeliCa, which has neither parity bits nor a prologue.
    package static let felica: TransmissionFlags = [.withoutSentParity, .withoutReceivedParity, .withoutPrologue]
}
