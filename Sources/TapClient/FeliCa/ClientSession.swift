import TapCrypto
import TapWire

/// The keys that a reader has for nodes of a system, and the order in which it names the nodes.
public struct FeliCaCredentials: Hashable, Sendable {
    public typealias Cipher = FeliCaCipher

    public struct Node: Hashable, Sendable {
        public let code: NodeCode
        /// The key: eight bytes for DES, 16 for AES; `nil` for a service that needs no authentication.
        public let key: [UInt8]?

        public init(_ code: NodeCode, key: [UInt8]?) {
            self.code = code
            self.key = key
        }
    }

    public let cipher: Cipher
    /// For DES: the system's key, eight bytes.
    public let systemKey: [UInt8]
    /// For DES: the areas around the services, from the root area inward.
    public let areas: [Node]
    /// The services to use; services without a key come last.
    public let services: [Node]

    public init(_ cipher: Cipher, systemKey: [UInt8] = [], areas: [Node] = [], services: [Node]) {
        self.cipher = cipher
        self.systemKey = systemKey
        self.areas = areas
        self.services = services.filter { $0.key != nil } + services.filter { $0.key == nil }
    }

    /// The number of bytes in a challenge.
    public var challengeLength: Int {
        cipher == .des ? Authentication1.challengeLength : Authentication1V2.challengeLength
    }

    fileprivate func handshake(_ idm: IDm, challenge3: [UInt8]) -> FeliCaHandshake {
        switch cipher {
        case .des:
            .des(
                FeliCaDESHandshake(
                    groupKeys: [UInt64(octets: systemKey)] + areas.map { UInt64(octets: $0.key ?? []) },
                    userKeys: services.compactMap(\.key).map { UInt64(octets: $0) }, idm: idm.rawValue))
        case .aes:
            .aes(FeliCaAESHandshake(keys: services.compactMap(\.key), idm: idm.rawValue, challenge3: challenge3))
        }
    }

    /// A Boolean value that indicates whether all keys have the cipher's length and there is at least one key.
    fileprivate var isComplete: Bool {
        let keys = (cipher == .des ? [systemKey] + areas.map { $0.key ?? [] } : []) + services.compactMap(\.key)
        return services.contains { $0.key != nil } && (cipher == .aes || !areas.isEmpty)
            && keys.allSatisfy { $0.count == cipher.keyLength }
    }
}

/// The data that an authentication reveals about a system: issue ID and issue parameter, eight bytes each, byte 0 highest.
public struct FeliCaIssueData: Hashable, Sendable {
    public let id: UInt64
    public let parameter: UInt64
}

/// A session of a reader with the selected system.
struct ClientSession: Hashable, Sendable {
    let channel: FeliCaSecureChannel
    let cipher: FeliCaCredentials.Cipher
    /// The services, to which block list elements refer by index.
    let services: [NodeCode]
    /// The last transaction number, from an answer.
    var number: UInt16 = 0

    var mostRead: Int { cipher == .des ? SecureRead.maximumBlocks : SecureRead.maximumBlocksV2 }
    var mostWritten: Int { cipher == .des ? SecureWrite.maximumBlocks : SecureWrite.maximumBlocksV2 }
}

extension CardReader {
    /// Authenticates with the selected system, so that its services can be read and written securely.
    ///
    /// - Parameters:
    ///   - credentials: The keys of the system, its areas and its services.
    ///   - challenge: The reader's challenge R1, with as many bytes as ``FeliCaCredentials/challengeLength``. A real reader
    ///     draws a new one each time.
    /// - Throws: ``ClientError`` if the card is silent (also to wrong nodes or a wrong key of the reader), if its own
    ///   challenge proves that it has another key, or if the exchange fails.
    public mutating func authenticate(
        _ credentials: FeliCaCredentials, challenge: [UInt8]
    ) async throws(ClientError) -> FeliCaIssueData {
        guard BlockCiphers.isAvailable else { throw .noCiphers }
        guard credentials.isComplete, challenge.count == credentials.challengeLength else { throw .incompleteKeys }
        secure = nil
        let system = try selectedSystem()
        let idm = system.idm
        let answer = try await exchangeChallenges(credentials, challenge, idm)
        let handshake = credentials.handshake(idm, challenge3: answer.challenge3C)
        guard handshake.openFromCard(answer.challenge1B) == challenge else { throw .wrongKey }
        let cardChallenge = handshake.openFromCard(answer.challenge2A)
        let session = ClientSession(
            channel: handshake.channel(challenge1: challenge, challenge2: cardChallenge), cipher: credentials.cipher,
            services: credentials.services.map(\.code))
        let proof = handshake.sealByReader(cardChallenge)
        let (code, packet) =
            switch credentials.cipher {
            case .des: (Authentication2.code, Authentication2.Request(idm: idm, challenge: proof).bytes)
            case .aes: (Authentication2V2.code, Authentication2V2.Request(idm: idm, challenge: proof).bytes)
            }
        let payload = try await exchange(packet, code, session, .authentication, count: 1)
        guard payload.bytes.count >= 16 else { throw .malformedAnswer(code.name, "IDi and PMi are missing") }
        secure = session
        secure?.number = payload.number
        return FeliCaIssueData(
            id: UInt64(octets: payload.bytes[..<8]), parameter: UInt64(octets: payload.bytes[8..<16]))
    }

    /// Sends the reader's challenge as 1A.
    ///
    /// The card proves itself with 1B and sends its own challenge as 2A; with AES also 3C.
    private mutating func exchangeChallenges(
        _ credentials: FeliCaCredentials, _ challenge: [UInt8], _ idm: IDm
    ) async throws(ClientError) -> (challenge1B: [UInt8], challenge2A: [UInt8], challenge3C: [UInt8]) {
        let services = credentials.services.map(\.code)
        // Challenge 3C comes with the answer, and 1A does not depend on it.
        let sealed = credentials.handshake(idm, challenge3: [0, 0, 0, 0]).sealByReader(challenge)
        switch credentials.cipher {
        case .des:
            let request = Authentication1.Request(
                idm: idm, areas: credentials.areas.map(\.code), services: services, challenge: sealed)
            let answer = try await ask(
                Authentication1.self, request, .authentication, count: credentials.areas.count + services.count)
            return (answer.challenge1B, answer.challenge2A, [])
        case .aes:
            let request = Authentication1V2.Request(idm: idm, nodes: services, challenge: sealed)
            let answer = try await ask(Authentication1V2.self, request, .authentication, count: services.count)
            return (answer.challenge1B, answer.challenge2A, answer.challenge3C)
        }
    }

    /// Sends a packet once and opens the answer; a repeated packet would be a replay.
    private mutating func exchange(
        _ packet: [UInt8], _ code: CommandCode, _ session: ClientSession, _ commandClass: PMm.CommandClass, count: Int
    ) async throws(ClientError) -> FeliCaSecurePayload {
        let system = try selectedSystem()
        let waiting = max(patience.felica, system.pmm.maximumResponseTime(commandClass, count: count))
        let answer = try await send(RFFrame(system.technology, packet), code.name, waiting: waiting).bytes
        let frame: SecureFrame
        do {
            frame = try SecureFrame(parsing: answer)
        } catch {
            throw .unreadable(code.name, error)
        }
        guard frame.code == code.response else { throw .wrongResponseCode(frame.code, code) }
        guard let payload = session.channel.open(frame.body, code: frame.code.first) else { throw .wrongMAC(code.name) }
        return payload
    }

    /// Sends a payload inside the session; any failure ends the session on this side.
    private mutating func askSecurely(
        _ code: CommandCode, _ payload: [UInt8], _ commandClass: PMm.CommandClass, count: Int
    ) async throws(ClientError) -> [UInt8] {
        guard let session = secure else { throw .noSession }
        guard session.number < .max - 2 else { throw .noSession }
        secure = nil
        let number = session.number + 1
        let body = session.channel.seal(payload, code: code.first, number: number)
        let answer = try await exchange(
            SecureFrame(code: code, body: body).bytes, code, session, commandClass, count: count)
        guard answer.number == number + 1 else {
            throw .wrongTransaction(answer.number, insteadOf: number + 1, code.name)
        }
        secure = session
        secure?.number = answer.number
        return answer.bytes
    }
}

extension CardReader {
    /// A Boolean value that indicates whether the reader has authenticated and nothing has failed since.
    public var isInSession: Bool { secure != nil }

    /// Reads blocks of services named in the authentication, in as many commands as necessary.
    ///
    /// - Throws: ``ClientError`` if an exchange fails or the card refuses a block.
    public mutating func readSecurely(_ addresses: [BlockAddress]) async throws(ClientError) -> [BlockData] {
        var blocks: [BlockData] = []
        while blocks.count < addresses.count {
            guard let session = secure else { throw .noSession }
            let part = Array(addresses[blocks.count...].prefix(min(blockLimits.read, session.mostRead)))
            do {
                blocks += try await readTogetherSecurely(part, session)
            } catch {
                guard let status = error.status, blockLimits.lower(\.read, after: status, sent: part) else {
                    throw error
                }
            }
        }
        return blocks
    }

    private mutating func readTogetherSecurely(
        _ addresses: [BlockAddress], _ session: ClientSession
    ) async throws(ClientError) -> [BlockData] {
        let code = session.cipher == .des ? CommandCode.secureRead : .secureReadV2
        let payload = SecureRead.payload(blocks: try session.elements(addresses))
        let answer = try await askSecurely(code, payload, .read, count: addresses.count)
        let result: SecureRead.Result
        do {
            result = try SecureRead.Result(payload: answer)
        } catch {
            throw .unreadable(code.name, error)
        }
        guard result.status.isSuccess else { throw .refused(result.status, "reading \(BlockList.words(addresses))") }
        guard result.blocks.count == addresses.count else {
            throw .malformedAnswer(code.name, "\(result.blocks.count) blocks instead of \(addresses.count)")
        }
        return result.blocks
    }

    /// Reads a service from block 0 to its last block or `maximum`.
    ///
    /// - Throws: ``ClientError`` if an exchange fails or the card refuses for a reason other than the block number.
    public mutating func readSecurely(
        service: NodeCode, upTo maximum: Int = 0x1_0000
    ) async throws(ClientError) -> [BlockData] {
        var blocks: [BlockData] = []
        while blocks.count < maximum {
            do {
                blocks += try await readSecurely([BlockAddress(service, UInt16(truncatingIfNeeded: blocks.count))])
            } catch {
                guard error.status?.reason == .blockNumber else { throw error }
                return blocks
            }
        }
        return blocks
    }

    /// Writes blocks of services named in the authentication, in the order given.
    ///
    /// A command is atomic; several commands are not.
    ///
    /// - Throws: ``ClientError``, like ``writeBlocks(_:)``.
    public mutating func writeSecurely(_ writes: [BlockWrite]) async throws(ClientError) {
        var done = 0
        while done < writes.count {
            guard let session = secure else { throw .noSession }
            let part = Array(writes[done...].prefix(min(blockLimits.write, session.mostWritten)))
            do {
                try await writeTogetherSecurely(part, session)
                done += part.count
            } catch {
                guard let status = error.status, blockLimits.lower(\.write, after: status, sent: part.map(\.address))
                else { throw error }
            }
        }
    }

    private mutating func writeTogetherSecurely(
        _ writes: [BlockWrite], _ session: ClientSession
    ) async throws(ClientError) {
        let code = session.cipher == .des ? CommandCode.secureWrite : .secureWriteV2
        let addresses = writes.map(\.address)
        let payload = SecureWrite.payload(blocks: try session.elements(addresses), data: writes.map(\.data))
        let status: StatusFlags
        do throws(ClientError) {
            let answer = try await askSecurely(code, payload, .write, count: writes.count)
            do {
                status = try SecureWrite.status(payload: answer)
            } catch {
                throw .unreadable(code.name, error)
            }
        } catch {
            throw error.isTransient ? .doubtfulWrite(BlockList.words(addresses), error) : error
        }
        // The warning about worn memory comes with a successful write.
        guard status.isSuccess || status.reason == .rewriteWarning else {
            throw .refused(status, "writing \(BlockList.words(addresses))")
        }
    }
}

extension ClientSession {
    fileprivate func elements(_ addresses: [BlockAddress]) throws(ClientError) -> [BlockListElement] {
        var elements: [BlockListElement] = []
        for address in addresses {
            guard let order = services.firstIndex(of: address.service), order < BlockListElement.orders else {
                throw .notInSession(address.service)
            }
            elements.append(
                BlockListElement(serviceOrder: UInt8(truncatingIfNeeded: order), blockNumber: address.number))
        }
        return elements
    }
}

extension BlockListElement {
    /// The number of services that an element can refer to: its order has four bits.
    fileprivate static let orders = 16
}

// Errors of a session.
extension ClientError {
    static let noCiphers = ClientError(
        .unsupported, "this build has no ciphers, so nothing can be authenticated; build it with libcrypto")

    static let incompleteKeys = ClientError(
        .unsupported,
        "keys and challenge do not fit the cipher; DES needs 8 bytes, a system key, an area and a service with a key, "
            + "AES needs 16 bytes and a service with a key")

    static let wrongKey = ClientError(
        .authenticationFailed(pack: nil),
        "the card has a different key from the reader: challenge 1B is wrong; check the keys and the order "
            + "of the nodes, and whether a key version has changed")

    static func wrongMAC(_ command: String) -> ClientError {
        ClientError(
            .wrongMAC,
            "the answer to \(command) has a wrong MAC, so it is damaged or not from this card; authenticate again "
                + "and trust nothing in the answer")
    }

    static func wrongTransaction(_ number: UInt16, insteadOf expected: UInt16, _ command: String) -> ClientError {
        ClientError(
            .wrongTransaction,
            "the answer to \(command) has transaction number \(number) instead of \(expected), so it belongs to another "
                + "command; authenticate again")
    }

    static let noSession = ClientError(
        .authenticationNeeded, "there is no session with the card, or it has failed; authenticate first")

    static func notInSession(_ service: NodeCode) -> ClientError {
        ClientError(
            .authenticationNeeded,
            "the session does not include service \(service); name it among the first 16 when you authenticate")
    }
}
