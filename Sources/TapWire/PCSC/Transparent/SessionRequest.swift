/// A command of a transparent session.
///
/// ```
/// standard   FF | C2 | 00 | step | Lc | objects | Le
/// RC-S300    FF | 50 | 00 | step | Lc | objects | Le, for an exchange FF | 50 | 00 | 01 | 00 | Lc (2) | objects | 00 00 00
/// ```
/// Sources: PC/SC part 3, supplement for contactless cards, "transparent session"; open drivers of the RC-S300.
public struct SessionRequest: WireValue {
    /// What a command is about; its objects belong to it.
    public struct Step: Hashable, Sendable {
        /// P2.
        public let rawValue: UInt8

        public init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Manage session.
        public static let manage = Step(0)
        /// Transparent exchange.
        public static let exchange = Step(1)
        /// Switch protocol.
        public static let switchProtocol = Step(2)
    }

    /// How a family of readers writes the command.
    public enum Dialect: Hashable, Sendable, CaseIterable {
        /// As PC/SC says.
        case standard
        /// As the RC-S300 is driven.
        case rcs300

        fileprivate var instruction: Instruction { self == .standard ? .transparent : .sonyTransparent }
    }

    /// How it is written.
    public let dialect: Dialect
    public let step: Step
    /// The objects as they are sent, whole or not.
    public let data: [UInt8]

    public init(_ step: Step, _ objects: [SessionObject], dialect: Dialect = .standard) {
        self.dialect = dialect
        self.step = step
        let isWide = Self.hasWideLength(dialect, step)
        data = objects.flatMap { isWide && $0.tag == .transceive ? $0.bytesWithWideLength : $0.bytes }
    }

    /// The objects, and what is left of one that is not whole.
    public var objects: (objects: [SessionObject], broken: [UInt8]) { SessionObject.list(data) }

    /// Whether lengths have two bytes more than they need, and Le three.
    private static func hasWideLength(_ dialect: Dialect, _ step: Step) -> Bool {
        dialect == .rcs300 && step == .exchange
    }

    /// Reads a command.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        var apdu = bytes.array(0..<bytes.count)
        let dialect = apdu.count > 1 && apdu[1] == Instruction.sonyTransparent.rawValue ? Dialect.rcs300 : .standard
        // Drivers end the exchange with three zeros, one more than an extended Le has.
        if dialect == .rcs300, Self.trailingZeros(apdu) == 3 { apdu.removeLast() }
        let command = try CommandAPDU(parsing: apdu)
        guard command.cla == CommandAPDU.reader, command.ins == dialect.instruction, command.p1 == 0 else {
            throw WireError(.wrongCode, at: 0, in: "transparent session", "it begins FF C2 00 or FF 50 00")
        }
        self.init(dialect, Step(command.p2), command.data)
    }

    private init(_ dialect: Dialect, _ step: Step, _ data: [UInt8]) {
        self.dialect = dialect
        self.step = step
        self.data = data
    }

    /// How many zeros, and nothing else, follow the data of an extended command.
    private static func trailingZeros(_ apdu: [UInt8]) -> Int {
        guard apdu.count > 7, apdu[4] == 0 else { return 0 }
        let rest = apdu.dropFirst(7 + (Int(apdu[5]) << 8 | Int(apdu[6])))
        return rest.allSatisfy { $0 == 0 } ? rest.count : 0
    }

    /// The command as it is sent.
    public var bytes: [UInt8] {
        let isWide = Self.hasWideLength(dialect, step)
        let command = CommandAPDU(
            ins: dialect.instruction, p2: step.rawValue, data: data, expected: 0, isExtended: isWide)
        return command.bytes + (isWide ? [0] : [])
    }
}

/// The answer of a transparent session: objects, of which the first says what became of the command.
///
/// The status word of the response stays 9000 where an object says that something failed.
public struct SessionResponse: WireValue {
    /// The objects.
    public var objects: [SessionObject]
    /// The status word behind them.
    public var outer: StatusWord

    public init(_ status: ObjectStatus, _ objects: [SessionObject] = []) {
        self.objects = [.status(status)] + objects
        outer = .success
    }

    /// What became of the command, if an object says so.
    public var status: ObjectStatus? { self[.status]?.objectStatus }

    /// The first object with a tag.
    public subscript(tag: SessionObject.Tag) -> SessionObject? { objects.first { $0.tag == tag } }

    /// Reads an answer.
    public init(parsing bytes: Span<UInt8>) throws(WireError) {
        let response = try ResponseAPDU(parsing: bytes)
        let (objects, broken) = SessionObject.list(response.data)
        guard broken.isEmpty else {
            let offset = response.data.count - broken.count
            throw WireError(.truncated, at: offset, in: "object of a transparent session")
        }
        self.objects = objects
        outer = response.status
    }

    /// The answer as it is sent.
    public var bytes: [UInt8] { objects.flatMap(\.bytes) + outer.bytes }
}
