import TapCards
import TapClient
import TapField
import TapWire
import TestSupport
import Testing

/// A client's procedure with a card, used to compare all links.
enum Procedure: String, CaseIterable, CustomTestStringConvertible {
    case transitCard, electronicMoney, feliCaDump, type3NDEF, noSuchSystem
    case ndef, protectedNDEF, ndefWithoutPassword, ndefWithWrongPassword, ndefWithManyWrongPasswords
    case writtenNDEF, writtenProtectedNDEF, refusedWriting
    case tagDump, protectedTagDump, protection, noCard

    var testDescription: String { rawValue }

    /// The card of the procedure; `nil` if there is none.
    func card() throws -> (any CardEngine)? {
        switch self {
        case .transitCard, .electronicMoney, .feliCaDump, .noSuchSystem: try CardS.card()
        case .type3NDEF: try Self.type3()
        case .ndef, .writtenNDEF, .protection: NTAGCard(SampleTags.t0())
        case .protectedNDEF, .ndefWithoutPassword, .ndefWithWrongPassword, .protectedTagDump:
            NTAGCard(SampleTags.t1())
        case .writtenProtectedNDEF, .refusedWriting: NTAGCard(SampleTags.t2())
        case .ndefWithManyWrongPasswords: NTAGCard(SampleTags.t3())
        case .tagDump: NTAGCard(SampleTags.t4())
        case .noCard: nil
        }
    }

    /// A world with the card.
    func world() throws -> World {
        var world = World(seed: 1, trace: Trace())
        if let card = try card() {
            world.add(card, named: "card")
            world.tap("card")
        }
        return world
    }

    /// A message that is longer than one READ or one block.
    private static let message: NDEFMessage = {
        let payload = (0..<60).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
        return NDEFMessage([try? NDEFRecord(format: .unknown, payload: payload)].compactMap(\.self))
    }()

    /// Performs the procedure and returns a description of everything it returned.
    func outcome<Link: TagLink>(_ reader: inout CardReader<Link>) async -> String {
        do {
            return try await perform(&reader)
        } catch {
            return "\(error.code): \(error)"
        }
    }

    private func perform<Link: TagLink>(_ reader: inout CardReader<Link>) async throws(ClientError) -> String {
        let (password, pack) = (SampleTags.password, SampleTags.pack)
        switch self {
        case .transitCard: return "\(try await reader.readTransitCard())"
        case .electronicMoney: return "\(try await reader.readElectronicMoney())"
        case .feliCaDump, .tagDump: return "\(try await reader.dump())"
        case .protectedTagDump: return "\(try await reader.dump(password: password, expecting: pack))"
        case .noSuchSystem: return "\(try await reader.activate(system: SystemCode(0x1234)))"
        case .type3NDEF, .ndef, .ndefWithoutPassword, .noCard: return "\(try await reader.readNDEF())"
        case .protectedNDEF: return "\(try await reader.readNDEF(password: password, expecting: pack))"
        case .ndefWithWrongPassword: return "\(try await reader.readNDEF(password: .zero))"
        case .ndefWithManyWrongPasswords:
            for _ in 0..<3 {
                do { _ = try await reader.readNDEF(password: .zero) } catch {}
            }
            return "\(try await reader.readNDEF(password: password))"
        case .writtenNDEF, .refusedWriting:
            try await reader.writeNDEF(Self.message)
            return "\(try await reader.readNDEF())"
        case .writtenProtectedNDEF:
            try await reader.writeNDEF(Self.message, password: password, expecting: pack)
            return "\(try await reader.readNDEF(password: password))"
        case .protection:
            let tag = try await reader.identifyType2()
            try await reader.protect(tag, password: password, pack: pack, from: 0x10)
            return "\(try await reader.dump(password: password, expecting: pack))"
        }
    }

    /// A Type 3 tag with a message of two blocks.
    private static func type3() throws -> FeliCaCard {
        let bytes = message.bytes
        let attributes = try AttributeInformationBlock(
            blocksPerRead: 4, blocksPerWrite: 1, blockCount: 10, messageLength: UInt32(bytes.count))
        let blocks = stride(from: 0, to: 160, by: 16).map { BlockData(bytes.dropFirst($0)) }
        var definition = CardS.definition
        definition.systems = [
            FeliCaSystemDefinition(
                code: .ndef, areas: [.root()],
                services: [
                    FeliCaServiceDefinition(Type3Services.write, blocks: [attributes.stored] + blocks),
                    FeliCaServiceDefinition(Type3Services.read, blocks: []),
                ])
        ]
        return try FeliCaCard(definition)
    }
}
