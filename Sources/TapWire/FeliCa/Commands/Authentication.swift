extension CommandCode {
    public static let authentication1 = CommandCode(0x10)
    public static let authentication2 = CommandCode(0x12)
    public static let authentication1V2 = CommandCode(0x40)
    public static let authentication2V2 = CommandCode(0x42)
}

/// Authentication1, command code 10: the first half of mutual authentication with DES keys.
///
/// ```
/// command   LEN | 10 | IDm (8) | a | area code (LE) × a | s | service code (LE) × s | challenge 1A (8)
/// response  1A  | 11 | IDm (8) | challenge 1B (8) | challenge 2A (8)
/// ```
/// Source: FeliCa Card User's Manual (Unofficial Edition), "Authentication1".
public enum Authentication1: FeliCaCommand {
    public static let code = CommandCode.authentication1
    package static let description = CommandDescription.keyed(
        code, "Authentication1", word: "authentication1",
        "Starts mutual authentication with DES keys; leads to Mode1.",
        notes: [
            "Silence: a node that does not exist or has no DES key, an area list that does not begin with an area, "
                + "or a service list in which no entry needs a key. A card never reports which.",
            "A wrong key first shows in challenge 1B: compare it with your own value.",
            "Block list elements inside the session refer to the service list by index.",
        ],
        CommandDescription.Layout(
            command: [
                .field(.idm), .count(of: "areas", "a"), .list([[.area]]), .count(of: "services", "s"),
                .list([[.listedService]]), .field(.encrypted("challenge 1A", 8)),
            ],
            response: [
                .field(.idm), .field(.encrypted("challenge 1B", 8)), .field(.encrypted("challenge 2A", 8)),
            ]))

    /// The maximum number of entries in either list.
    ///
    /// Source: felica-rs. The Proxmark3 client sends up to 8, felica-tool up to 64 in total.
    public static let maximumNodes = 32
    public static let challengeLength = 8

    /// The positions of the lists in the command; lets a card walk the lists without copying them.
    public struct Layout: Hashable, Sendable {
        public let areas: NodeListLayout
        public let services: NodeListLayout

        /// Returns `nil` if the packet ends inside the lists.
        public init?(_ packet: Span<UInt8>) {
            guard let areas = NodeListLayout(packet, countOffset: UInt8(FeliCaPacket.idmLength)),
                let services = NodeListLayout(packet, countOffset: UInt8(truncatingIfNeeded: areas.end))
            else { return nil }
            self.areas = areas
            self.services = services
        }

        /// The offset of the challenge.
        public var end: Int { services.end }
    }

    public struct Request: FrameValue {
        public var idm: IDm
        /// The areas that contain the services, from the root area inward.
        public var areas: [NodeCode]
        /// The services, those that need a key first.
        public var services: [NodeCode]
        /// Challenge 1A, eight bytes.
        public var challenge: [UInt8]

        public init(idm: IDm, areas: [NodeCode], services: [NodeCode], challenge: [UInt8]) {
            self.idm = idm
            self.areas = areas
            self.services = services
            self.challenge = challenge
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code, length: FeliCaPacket.idmLength...FeliCaPacket.maximumLength)
            guard let layout = Layout(packet) else {
                throw WireError(.truncated, at: packet.count, in: "node code lists")
            }
            try FeliCaPacket.checkEnd(packet, at: layout.end + challengeLength, of: "challenge 1A")
            idm = packet.idm
            areas = layout.areas.nodes(in: packet)
            services = layout.services.nodes(in: packet)
            challenge = packet.array(layout.end..<layout.end + challengeLength)
        }

        public func write(into buffer: inout FrameBuffer) {
            let lists = 2 + 2 * areas.count + 2 * services.count
            buffer.append(header: FeliCaPacket.idmLength + lists + challenge.count, code, idm)
            NodeListLayout.write(areas, into: &buffer)
            NodeListLayout.write(services, into: &buffer)
            buffer.append(challenge)
        }
    }

    public struct Response: FixedLengthPacket {
        public static let length = 26
        public static let packetCode = code.response

        public var idm: IDm
        /// The reader's challenge, encrypted with the key for the card-to-reader direction, eight bytes.
        public var challenge1B: [UInt8]
        /// The card's challenge, encrypted with the same key, eight bytes.
        public var challenge2A: [UInt8]

        public init(idm: IDm, challenge1B: [UInt8], challenge2A: [UInt8]) {
            self.idm = idm
            self.challenge1B = challenge1B
            self.challenge2A = challenge2A
        }

        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            challenge1B = packet.array(10..<18)
            challenge2A = packet.array(18..<26)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, Self.packetCode, idm)
            buffer.append(challenge1B)
            buffer.append(challenge2A)
        }
    }
}

/// Authentication2, command code 12: the second half of mutual authentication with DES keys.
///
/// ```
/// command   12  | 12 | IDm (8) | challenge 2B (8)
/// response  22  | 13 | encrypted (32): transaction number, transaction ID, IDi, PMi, MAC
/// ```
/// Source: FeliCa Card User's Manual (Unofficial Edition), "Authentication2".
public enum Authentication2: FeliCaCommand {
    public static let code = CommandCode.authentication2
    package static let description = CommandDescription.keyed(
        code, "Authentication2", word: "authentication2",
        "Completes mutual authentication with DES keys; leads to Mode2.",
        notes: ["Silence: challenge 2B is wrong, or there was no Authentication1 before it; the mode does not change."],
        CommandDescription.Layout(
            command: [.field(.idm), .field(.encrypted("challenge 2B", Authentication1.challengeLength))],
            response: [.field(.encrypted("transaction number and ID, IDi, PMi, MAC", 32))], openedResponse: issue))

    static let issue: [LayoutPart] = [
        .field(.idm), .field(FrameField("IDi", 8, .plain, .named)), .field(FrameField("PMi", 8, .plain, .named)),
    ]

    public typealias Request = ChallengeRequest<Authentication2>
    public typealias Response = SecureFrame
}

/// Authentication1 v2, command code 40: the first half of mutual authentication with AES keys.
///
/// ```
/// command   LEN | 40 | IDm (8) | operation parameter | n | node code (LE) × n | challenge 1A (16)
/// response  2E  | 41 | IDm (8) | challenge 1B (16) | challenge 2A (16) | challenge 3C (4)
/// ```
/// Source: FeliCa Card User's Manual (Unofficial Edition), "Authentication1 v2".
public enum Authentication1V2: FeliCaCommand {
    public static let code = CommandCode.authentication1V2
    package static let description = CommandDescription.keyed(
        code, "Authentication1 v2", word: "authentication1_v2",
        "Starts mutual authentication with AES keys; leads to Mode1.",
        notes: [
            "Silence: a node that does not exist or has no AES key, or a list in which no entry needs a key.",
            "Block list elements inside the session refer to the node list by index.",
        ],
        CommandDescription.Layout(
            command: [
                .field(.idm), .field(.byte("operation parameter")), .count(of: "nodes", "n"), .list([[.node]]),
                .field(.encrypted("challenge 1A", 16)),
            ],
            response: [
                .field(.idm), .field(.encrypted("challenge 1B", 16)), .field(.encrypted("challenge 2A", 16)),
                .field(FrameField("challenge 3C", 4)),
            ]))

    /// The maximum number of entries in the node list, as measured by felica-tool.
    public static let maximumNodes = 16
    /// The length of challenges 1A, 1B, 2A and 2B.
    public static let challengeLength = 16
    package static let countOffset = 11

    public struct Request: FrameValue {
        public var idm: IDm
        /// The operation parameter, 00; other values are unpublished.
        public var parameter: UInt8
        /// The nodes, those that need a key first.
        public var nodes: [NodeCode]
        /// Challenge 1A, 16 bytes.
        public var challenge: [UInt8]

        public init(idm: IDm, parameter: UInt8 = 0, nodes: [NodeCode], challenge: [UInt8]) {
            self.idm = idm
            self.parameter = parameter
            self.nodes = nodes
            self.challenge = challenge
        }

        public init(parsing packet: Span<UInt8>) throws(WireError) {
            try FeliCaPacket.check(packet, code, length: countOffset...FeliCaPacket.maximumLength)
            guard let list = NodeListLayout(packet, countOffset: UInt8(countOffset)) else {
                throw WireError(.truncated, at: packet.count, in: "node code list")
            }
            try FeliCaPacket.checkEnd(packet, at: list.end + challengeLength, of: "challenge 1A")
            idm = packet.idm
            parameter = packet[FeliCaPacket.idmLength]
            nodes = list.nodes(in: packet)
            challenge = packet.array(list.end..<list.end + challengeLength)
        }

        public func write(into buffer: inout FrameBuffer) {
            let length = countOffset + 1 + 2 * nodes.count + challenge.count
            buffer.append(header: length, code, idm)
            buffer.append(parameter)
            NodeListLayout.write(nodes, into: &buffer)
            buffer.append(challenge)
        }
    }

    public struct Response: FixedLengthPacket {
        public static let length = 46
        public static let packetCode = code.response

        public var idm: IDm
        /// The reader's challenge, encrypted with the key for the card-to-reader direction, 16 bytes.
        public var challenge1B: [UInt8]
        /// The card's challenge, encrypted with the same key, 16 bytes.
        public var challenge2A: [UInt8]
        /// An input for keys and initialization vectors, four bytes.
        public var challenge3C: [UInt8]

        public init(idm: IDm, challenge1B: [UInt8], challenge2A: [UInt8], challenge3C: [UInt8]) {
            self.idm = idm
            self.challenge1B = challenge1B
            self.challenge2A = challenge2A
            self.challenge3C = challenge3C
        }

        public init(unchecked packet: Span<UInt8>) {
            idm = packet.idm
            challenge1B = packet.array(10..<26)
            challenge2A = packet.array(26..<42)
            challenge3C = packet.array(42..<46)
        }

        public func write(into buffer: inout FrameBuffer) {
            buffer.append(header: Self.length, Self.packetCode, idm)
            for challenge in [challenge1B, challenge2A, challenge3C] { buffer.append(challenge) }
        }
    }
}

/// Authentication2 v2, command code 42: the second half of mutual authentication with AES keys.
///
/// ```
/// command   1A  | 42 | IDm (8) | challenge 2B (16)
/// response  1C  | 43 | transaction number (2, LE) | encrypted (16): IDi, PMi | encrypted MAC (8)
/// ```
/// Source: FeliCa Card User's Manual (Unofficial Edition), "Authentication2 v2".
public enum Authentication2V2: FeliCaCommand {
    public static let code = CommandCode.authentication2V2
    package static let description = CommandDescription.keyed(
        code, "Authentication2 v2", word: "authentication2_v2",
        "Completes mutual authentication with AES keys; leads to Mode2.",
        notes: [
            "Silence: challenge 2B is wrong, or there was no Authentication1 v2 before it; the mode does not change."
        ],
        CommandDescription.Layout(
            command: [.field(.idm), .field(.encrypted("challenge 2B", Authentication1V2.challengeLength))],
            response: [
                .field(.transactionNumber), .field(.encrypted("IDi and PMi", 16)), .field(.encrypted("MAC", 8)),
            ], openedResponse: Authentication2.issue))

    public typealias Request = ChallengeRequest<Authentication2V2>
    public typealias Response = SecureFrame
}

/// A command that answers a challenge from the card.
///
/// ```
/// LEN | code | IDm (8) | challenge 2B
/// ```
public struct ChallengeRequest<Command: FeliCaCommand>: FrameValue {
    public var idm: IDm
    /// Eight bytes for DES keys, 16 bytes for AES keys.
    public var challenge: [UInt8]

    public init(idm: IDm, challenge: [UInt8]) {
        self.idm = idm
        self.challenge = challenge
    }

    public init(parsing packet: Span<UInt8>) throws(WireError) {
        try FeliCaPacket.check(packet, Command.code, length: FeliCaPacket.idmLength...FeliCaPacket.maximumLength)
        idm = packet.idm
        challenge = packet.array(FeliCaPacket.idmLength..<packet.count)
    }

    public func write(into buffer: inout FrameBuffer) {
        buffer.append(header: FeliCaPacket.idmLength + challenge.count, Command.code, idm)
        buffer.append(challenge)
    }
}
