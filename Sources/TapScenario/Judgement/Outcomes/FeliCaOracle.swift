import TapField
import TapWire

/// Looks for what the manual of FeliCa cards excludes.
struct FeliCaOracle {
    /// So often a command may go to a card that has left before a client is held to have heard it.
    private static let tolerated = 2
    /// So often in a row the same number of blocks, or more, may be refused: a reader that goes down from 12 to 1 block
    /// at once asks five times for a single one.
    private static let toleratedRefusals = 5

    private let items: [RunFacts.Item]

    init(_ facts: RunFacts) {
        items = facts.items.filter { $0.exchange.command.technology.isFeliCa }
    }

    var misdeeds: [Misdeed] { wrongLengths + wrongIDms + tooManyBlocks + refusals }

    /// Packets whose first byte is not their length.
    private var wrongLengths: [Misdeed] {
        guard let item = items.first(where: { Int($0.command.bytes.first ?? 0) != $0.command.bytes.count }) else {
            return []
        }
        let (said, sent) = (item.command.bytes.first ?? 0, item.command.bytes.count)
        return [
            Misdeed(
                .protocolMisuse, key: "LEN", at: item.number,
                "it sent a packet of \(CountText.of(sent, "byte")) whose LEN says \(said)")
        ]
    }

    /// Commands to an IDm that no card has told, or that none of those that answered the last Polling has.
    ///
    /// The systems of a card differ in the upper four bits of the IDm, which a reader may set by itself.
    private var wrongIDms: [Misdeed] {
        var told: Set<UInt64> = []
        var last: Set<UInt64> = []
        var stale = 0
        var misdeeds: [Misdeed] = []
        for item in items {
            if item.command.name?.feliCaCode == .polling {
                let answers = item.exchange.answers.filter { $0.frame.integrity == .good && $0.frame.bytes.count >= 10 }
                if !answers.isEmpty { last = [] }
                for answer in answers { last.insert(Self.card(IDm(UInt64(octets: answer.frame.bytes[2..<10])))) }
                told.formUnion(last)
                continue
            }
            guard let idm = item.command.idm else { continue }
            if !told.contains(Self.card(idm)) {
                misdeeds.append(
                    Misdeed(
                        .protocolMisuse, key: "IDm \(idm)", at: item.number,
                        "it sent \(item.name) to IDm \(idm), which no card has told it"))
            } else if !last.contains(Self.card(idm)), item.exchange.answers.isEmpty {
                stale += 1
                guard stale == Self.tolerated + 1 else { continue }
                misdeeds.append(
                    Misdeed(
                        .protocolMisuse, key: "stale IDm", at: item.number,
                        "it goes on sending to IDm \(idm), though another card has answered its last Polling"))
            }
        }
        return misdeeds
    }

    private static func card(_ idm: IDm) -> UInt64 { idm.ofSystem(0).rawValue }

    /// Reads of as many blocks as the card has just refused, or more, again and again.
    private var tooManyBlocks: [Misdeed] {
        var refused = 0
        var count = 0
        for item in items where item.command.name?.feliCaCode == .readWithoutEncryption {
            guard case .status(let flags, _, _) = item.reply, flags.reason == .blockCount else {
                count = 0
                continue
            }
            let blocks = item.command.blocks.count
            count = count > 0 && blocks >= refused ? count + 1 : 1
            refused = blocks
            guard count > Self.toleratedRefusals else { continue }
            return [
                Misdeed(
                    .protocolMisuse, key: "blocks", at: item.number,
                    "it asked for \(CountText.of(blocks, "block")) again and again, though the card refuses it with "
                        + "\(flags)")
            ]
        }
        return []
    }

    /// The same refused command again and again.
    private var refusals: [Misdeed] { Refusals.misdeeds(of: items, tolerated: Self.toleratedRefusals) }
}

/// The same refused command again and again, with nothing else in between.
enum Refusals {
    static func misdeeds(of items: [RunFacts.Item], tolerated: Int) -> [Misdeed] {
        var last: [UInt8] = []
        var count = 0
        var misdeeds: [Misdeed] = []
        for item in items {
            count = item.isRefused ? (item.command.bytes == last ? count + 1 : 1) : 0
            last = item.command.bytes
            guard count == tolerated + 1 else { continue }
            misdeeds.append(
                Misdeed(
                    .protocolMisuse, key: "refused \(Hex.text(item.command.bytes))", at: item.number,
                    "it sent the same \(item.name) \(count) times in a row, though the card refuses it with "
                        + "\(item.reply)"))
        }
        return misdeeds
    }
}

extension RunFacts.Item {
    /// The name of the command, for a sentence.
    var name: String { command.name?.rawValue ?? "frame" }
}
