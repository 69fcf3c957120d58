import TapCards
import TapWire

/// A wrong answer that TapSim injects to see whether a client's tests notice: a fault of the catalogue at every exchange it
/// applies to, in a form that a client notices only if it checks.
///
/// `tapsim audit` injects one lie at a time.
public struct Lie: Sendable {
    /// The family before the dot: `felica.idm`.
    public let name: String
    /// The behavior of the card, in one sentence.
    public let summary: String
    /// The consequence in the field for a client whose tests do not notice, in one sentence.
    public let unseen: String
    public let fault: Fault
    /// The commands at which it is injected.
    public let commands: Set<CommandName>
    /// A Boolean value that indicates whether the answer is the correct one, so that only reading back reveals the lie.
    public let isOnlyInMemory: Bool
    /// The first exchange of each command at which it is injected, counted from 1.
    private let nth: Int

    fileprivate init(
        _ name: String, _ summary: String, unseen: String, _ kind: String, _ arguments: [String: FaultValue] = [:],
        fix: Set<Fault.Fix> = [], at scope: FaultScope = .any, except: Set<CommandName> = [], from nth: Int = 1,
        isOnlyInMemory: Bool = false
    ) {
        guard let kind = FaultCatalogue.named(kind) else { preconditionFailure("no fault is \(kind)") }
        self.name = name
        self.summary = summary
        self.unseen = unseen
        self.nth = nth
        self.isOnlyInMemory = isOnlyInMemory
        fault = Fault(kind, arguments, fix: fix)
        commands = Set(CommandName.all.filter { kind.scope.fits($0) && scope.fits($0) }).subtracting(except)
    }

    /// Returns whether a card receives one of the commands and has the content the lie is about.
    public func fits(_ card: any CardEngine) -> Bool {
        fault.fits(card) && commands.contains { card.hears($0.layer == .felica ? .felica212 : .typeA106) }
    }

    /// The entries of a plan that injects it; a run in which nothing matches does not fail because of that.
    public var entries: [FaultPlan.Entry] {
        guard !fault.kind.isOfContent else {
            return [FaultPlan.Entry(fault, when: EventTrigger(.exchange), times: IntegerRange(0, through: 1), id: name)]
        }
        return CommandName.all.filter(commands.contains).map { command in
            FaultPlan.Entry(
                fault, when: .command(command, nth: nth), times: IntegerRange(0, through: nil), id: name)
        }
    }
}

extension FaultCatalogue {
    /// In the order of lists and documents.
    public static let lies: [Lie] = feliCaLies + feliCaDataLies + feliCaSessionLies + ntagLies + contentLies

    public static func lie(named name: String) -> Lie? { lies.first { $0.name == name } }

    private static let feliCaLies: [Lie] = [
        Lie(
            "felica.status", "An answer reports FF70, memory error, followed by valid data.",
            unseen: "A client that ignores status flags treats the data of a failing card as its content.",
            "felica.status", ["with_data": .flag(true)]),
        Lie(
            "felica.false_success", "An answer in which the card refuses reports success.",
            unseen: "A command that the card has refused is treated as done.",
            "felica.status", ["sf1": .bytes([0]), "sf2": .bytes([0]), "with_data": .flag(true)]),
        Lie(
            "felica.idm", "An answer carries the IDm of a card other than the one the command names.",
            unseen: "The answer of a second card in the field is mistaken for that of the first.",
            "felica.idm", except: FaultScope.feliCaPolling.commands ?? []),
        Lie(
            "felica.response_code", "An answer has the response code of another command.",
            unseen: "A late answer is mistaken for that of the next command.", "felica.response_code"),
        Lie(
            "felica.lost_write", "The card acknowledges a write but keeps its old content.",
            unseen: "A write that is not read back is lost on a worn card, and nobody notices.",
            "mem.stuck", ["bits": .bytes(Array(repeating: 0xFF, count: BlockData.byteCount))],
            at: .commands("felica.write"), isOnlyInMemory: true),
    ]

    private static let feliCaDataLies: [Lie] = [
        Lie(
            "felica.other_data", "All bits of the blocks read are inverted.",
            unseen: "Any content of a card is accepted, because the content is not checked.",
            "rf.flip_bits", allBits(from: FeliCaAnswer.length(blocks: 0)), fix: [.crc], at: .feliCaPlainRead),
        Lie(
            "felica.zero_blocks", "Blocks read as zeros, but the status reports success.",
            unseen: "An empty card passes for a card with content.", "felica.zero_blocks"),
        Lie(
            "felica.torn_block", "The second half of the first block read is that of the next block.",
            unseen: "The remains of a torn write are treated as a record.", "felica.torn_block"),
        Lie(
            "felica.repeat_block", "The first block of a read also replaces the second.",
            unseen: "A record that arrives twice is shown twice, and the next one is lost.", "felica.repeat_block"),
        Lie(
            "felica.reorder", "The blocks of a read arrive in reverse order.",
            unseen: "The records of a history are shown in the wrong order.", "felica.reorder"),
        Lie(
            "felica.stale", "From the second read on, each read returns the previous answer again.",
            unseen: "A buffer that was not refilled is mistaken for the next blocks of the card.",
            "rf.stale", at: .feliCaPlainRead, from: 2),
        Lie(
            "felica.no_blocks", "A read succeeds but returns no blocks.",
            unseen: "A card that returns nothing passes for an empty one.",
            "felica.truncate", ["keep_blocks": .integer(0)], fix: [.len, .count], at: .feliCaPlainRead),
        Lie(
            "felica.truncate", "The last byte of a read is missing, but LEN and the count are unchanged.",
            unseen: "A client fills the gap with old content of its buffer.", "felica.truncate",
            at: .feliCaPlainRead),
        Lie(
            "felica.block_count", "The answer to a read announces one block more than it has.",
            unseen: "A client that trusts the count reads past the end of the answer.", "felica.block_count"),
    ]

    private static let feliCaSessionLies: [Lie] = [
        Lie(
            "felica.wrong_mac", "An answer inside a session has a wrong MAC.",
            unseen: "An attacker between card and reader changes the card's answers, and nobody notices.",
            "felica.wrong_mac"),
        Lie(
            "felica.replayed_answer", "From the second answer of a session on, each answer repeats the previous one.",
            unseen: "An attacker between card and reader replays an old answer, and it is accepted as new.",
            "felica.replayed_answer", from: 2),
        Lie(
            "felica.transaction_number",
            "An answer inside a session has a wrong transaction number, but a valid MAC.",
            unseen: "A command that the reader did not send goes unnoticed.", "felica.transaction_number"),
    ]

    private static let ntagLies: [Lie] = [
        Lie(
            "ntag.other_data", "All bits of the pages read are inverted.",
            unseen: "Any content of a tag is accepted, because the content is not checked.",
            "rf.flip_bits", allBits(from: 0), fix: [.crc], at: .ntagRead),
        Lie(
            "ntag.wrong_page", "A read returns the wrong pages.",
            unseen: "A reader that answers from a cache shows the wrong part of a tag.", "ntag.wrong_page"),
        Lie(
            "ntag.stale", "From the second read on, each read returns the previous answer again.",
            unseen: "A buffer that was not refilled is mistaken for the next pages of the tag.",
            "rf.stale", at: .ntagRead, from: 2),
        Lie(
            "ntag.short_read", "The last byte of a read is missing.",
            unseen: "A client fills the gap with old content of its buffer.", "ntag.short_read"),
        Lie(
            "ntag.lost_write", "The tag acknowledges a write but stores nothing.",
            unseen: "A write that is not read back is lost on a clone or a locked page, and nobody notices.",
            "ntag.acked_not_written", isOnlyInMemory: true),
        Lie(
            "ntag.data_for_ack", "The tag stores a write, but answers with data instead of an acknowledgement.",
            unseen: "Any answer to a write counts as success.", "ntag.data_for_ack",
            at: .commands("ntag.write")),
        Lie(
            "ntag.pack", "The password is accepted, but the answer has a wrong PACK.",
            unseen: "A clone that accepts every password passes for the real tag.", "ntag.pack"),
        Lie(
            "ntag.version", "The answer to GET_VERSION reports a wrong size.",
            unseen: "A clone sold as a larger tag is written to past its end.", "ntag.version"),
        Lie(
            "ntag.signature", "The answer to READ_SIG is a signature that does not belong to the tag.",
            unseen: "A clone passes for a tag of the manufacturer.", "ntag.signature"),
        Lie(
            "ntag.counter", "The answer to READ_CNT is the highest number of the counter.",
            unseen: "The counter is read but not checked, so a copy of the tag goes unnoticed.", "ntag.counter"),
    ]

    /// Lies about the content of cards from the start of the run.
    private static let contentLies: [Lie] = [
        Lie(
            "app.balance", "The card has a balance of 65,535 yen.",
            unseen: "A wrong balance is shown, and nobody notices.", "app.balance_over"),
        Lie(
            "app.history", "The history of the card has only three records.",
            unseen: "A truncated history passes for a complete one.", "app.history_short"),
        Lie(
            "app.ndef", "The NDEF message of the card is empty.",
            unseen: "A tag without a message passes for one with a message.", "app.ndef_empty"),
    ]

    /// Returns arguments that invert all bits of an answer from a byte on.
    private static func allBits(from byte: Int) -> [String: FaultValue] {
        ["at": .integer(8 * byte), "count": .integer(8 * FeliCaPacket.maximumLength)]
    }
}
