import TapCrypto
import TapWire

/// The secrets for a session with a FeliCa Lite or Lite-S.
public struct LiteCredentials: Hashable, Sendable {
    /// The card key, block CK.
    public var cardKey: BlockData
    /// Sixteen random bytes, different for each session: block RC.
    public var challenge: BlockData

    public init(cardKey: BlockData, challenge: BlockData) {
        self.cardKey = cardKey
        self.challenge = challenge
    }
}

/// The reader's side of a session with a FeliCa Lite or Lite-S, from the moment RC is written.
struct LiteAccess: Hashable, Sendable {
    /// The maximum number of blocks per read.
    ///
    /// Source: FeliCa Lite-S User's Manual, as cited in open-source projects: four blocks, one of them the MAC.
    static let mostBlocks = 3

    let keys: LiteSession
    /// A Boolean value that indicates whether the card has MAC_A; FeliCa Lite has only MAC.
    let hasMACA: Bool

    init(_ credentials: LiteCredentials, _ system: FeliCaSystem) {
        keys = LiteSession(
            cardKey: credentials.cardKey.littleEndianHalves, challenge: credentials.challenge.littleEndianHalves)
        hasMACA = system.pmm.icType != Self.liteICType
    }

    private static let liteICType: UInt8 = 0xF0

    var macBlock: LiteBlock { hasMACA ? .macA : .mac }

    /// Returns whether a MAC is the right one for the blocks that were read.
    func isRight(_ mac: BlockData, _ numbers: [UInt16], _ blocks: [BlockData]) -> Bool {
        let contents = blocks.flatMap { [$0.littleEndianHalves.0, $0.littleEndianHalves.1] }
        let expected =
            hasMACA ? keys.macA(reading: numbers.map { UInt8(truncatingIfNeeded: $0) }, contents) : keys.mac(contents)
        return LiteMACBlock(mac).mac == expected
    }

    /// Returns the MAC_A for a block to be written.
    func macA(_ number: UInt16, _ content: BlockData, counter: UInt32) -> BlockData {
        let number = UInt8(truncatingIfNeeded: number)
        let mac = keys.macA(writing: number, content.littleEndianHalves, counter: counter)
        return LiteMACBlock(mac: mac, counter: counter).block
    }
}

extension CardReader {
    /// Authenticates with the selected FeliCa Lite or Lite-S: checks that it has the card key and, on a Lite-S, proves to it
    /// that the reader has the key, too.
    ///
    /// - Throws: ``ClientError`` if the card has another key or refuses, or if the exchange fails.
    public mutating func authenticateLite(_ credentials: LiteCredentials) async throws(ClientError) {
        let access = try access(with: credentials)
        try await write(.challenge, credentials.challenge)
        _ = try await readLite([LiteBlock.identification.rawValue], access)
        guard access.hasMACA else { return }
        try await writeLite(LiteBlock.state.rawValue, BlockData([1]), access)
        let state = try await readLite([LiteBlock.state.rawValue], access)
        guard state.first?[0] == 1 else { throw .wrongCardKey("it does not accept external authentication") }
    }

    /// Reads up to three blocks of a FeliCa Lite with their MAC, in a session that ``authenticateLite(_:)`` began.
    ///
    /// - Throws: ``ClientError`` for a wrong MAC or a refusal, or if the exchange fails.
    public mutating func readLiteBlocks(
        _ numbers: [UInt16], _ credentials: LiteCredentials
    ) async throws(ClientError) -> [BlockData] {
        try await readLite(numbers, try access(with: credentials))
    }

    /// Writes a block of a FeliCa Lite-S with MAC_A, in a session that ``authenticateLite(_:)`` began.
    ///
    /// - Throws: ``ClientError`` for a refusal, or if the exchange fails.
    public mutating func writeLiteBlock(
        _ number: UInt16, _ content: BlockData, _ credentials: LiteCredentials
    ) async throws(ClientError) {
        try await writeLite(number, content, try access(with: credentials))
    }

    private func access(with credentials: LiteCredentials) throws(ClientError) -> LiteAccess {
        let system = try selectedSystem()
        guard BlockCiphers.isAvailable else {
            throw .unsupported("a card key needs ciphers, which this build does not have; build it with libcrypto")
        }
        return LiteAccess(credentials, system)
    }

    private mutating func readLite(
        _ numbers: [UInt16], _ access: LiteAccess
    ) async throws(ClientError) -> [BlockData] {
        var found: [BlockData] = []
        for start in stride(from: 0, to: numbers.count, by: LiteAccess.mostBlocks) {
            let part = Array(numbers[start...].prefix(LiteAccess.mostBlocks))
            let addresses = (part + [access.macBlock.rawValue]).map { BlockAddress(Type3Services.read, $0) }
            var blocks = try await readTogether(addresses)
            let mac = blocks.removeLast()
            guard access.isRight(mac, part, blocks) else {
                throw .wrongCardKey("the MAC of \(BlockList.words(Array(addresses.dropLast()))) is wrong")
            }
            found += blocks
        }
        return found
    }

    private mutating func writeLite(
        _ number: UInt16, _ content: BlockData, _ access: LiteAccess
    ) async throws(ClientError) {
        let counter = try await readTogether([BlockAddress(Type3Services.read, LiteBlock.writeCounter.rawValue)])
        let macA = access.macA(
            number, content, counter: UInt32(truncatingIfNeeded: counter[0].littleEndianHalves.0))
        try await writeTogether([
            BlockWrite(BlockAddress(Type3Services.write, number), content),
            BlockWrite(BlockAddress(Type3Services.write, LiteBlock.macA.rawValue), macA),
        ])
    }

    private mutating func write(_ block: LiteBlock, _ content: BlockData) async throws(ClientError) {
        try await writeTogether([BlockWrite(BlockAddress(Type3Services.write, block.rawValue), content)])
    }
}
