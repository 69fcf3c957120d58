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
            "felica.status", "An answer says FF70, memory error, and has sound data behind it.",
            unseen: "A client that does not look at status flags takes what a failing card sends for its content.",
            "felica.status", ["with_data": .flag(true)]),
        Lie(
            "felica.false_success", "An answer in which the card refuses says that it has succeeded.",
            unseen: "What the card has refused is taken for done.",
            "felica.status", ["sf1": .bytes([0]), "sf2": .bytes([0]), "with_data": .flag(true)]),
        Lie(
            "felica.idm", "An answer carries the IDm of another card than the one the command names.",
            unseen: "What a second card in the field answers is taken for that of the first.",
            "felica.idm", except: FaultScope.feliCaPolling.commands ?? []),
        Lie(
            "felica.response_code", "An answer has the response code of another command.",
            unseen: "An answer that comes late is taken for that of the next command.", "felica.response_code"),
        Lie(
            "felica.lost_write", "The card acknowledges a write and keeps what it held.",
            unseen: "A write that is not read back is lost on a worn card, and nobody is told.",
            "mem.stuck", ["bits": .bytes(Array(repeating: 0xFF, count: BlockData.byteCount))],
            at: .commands("felica.write"), isOnlyInMemory: true),
    ]

    private static let feliCaDataLies: [Lie] = [
        Lie(
            "felica.other_data", "All bits of the blocks that are read are inverted.",
            unseen: "Whatever is on a card is as good as what should be: the content is not looked at.",
            "rf.flip_bits", allBits(from: FeliCaAnswer.length(blocks: 0)), fix: [.crc], at: .feliCaPlainRead),
        Lie(
            "felica.zero_blocks", "Blocks are read as zeros, and the status says success.",
            unseen: "An empty card passes for a card with content.", "felica.zero_blocks"),
        Lie(
            "felica.torn_block", "The second half of the first block of a read is that of the next block.",
            unseen: "What a torn write has left is taken for a record.", "felica.torn_block"),
        Lie(
            "felica.repeat_block", "The first block of a read stands in place of the second as well.",
            unseen: "A record that comes twice is shown twice, and the one behind it is lost.", "felica.repeat_block"),
        Lie(
            "felica.reorder", "The blocks of a read come last one first.",
            unseen: "The records of a history are shown in the wrong order.", "felica.reorder"),
        Lie(
            "felica.stale", "From the second read on, a read gives the answer before it once more.",
            unseen: "A buffer that was not refilled is taken for the next blocks of the card.",
            "rf.stale", at: .feliCaPlainRead, from: 2),
        Lie(
            "felica.no_blocks", "A read succeeds and gives no block.",
            unseen: "A card that gives nothing passes for one that holds nothing.",
            "felica.truncate", ["keep_blocks": .integer(0)], fix: [.len, .count], at: .feliCaPlainRead),
        Lie(
            "felica.truncate", "The last byte of a read is missing, while LEN and the count say what they said.",
            unseen: "A client fills what is missing with what its buffer held before.", "felica.truncate",
            at: .feliCaPlainRead),
        Lie(
            "felica.block_count", "The answer to a read announces one block more than it has.",
            unseen: "A client that believes the count reads past the end of the answer.", "felica.block_count"),
    ]

    private static let feliCaSessionLies: [Lie] = [
        Lie(
            "felica.wrong_mac", "An answer inside a session has a wrong MAC.",
            unseen: "Someone between card and reader changes what the card says, and nobody is told.",
            "felica.wrong_mac"),
        Lie(
            "felica.replayed_answer", "From the second one on, an answer inside a session is the one before.",
            unseen: "Someone between card and reader plays an old answer again, and it is taken for a new one.",
            "felica.replayed_answer", from: 2),
        Lie(
            "felica.transaction_number",
            "An answer inside a session has another transaction number, and its right MAC.",
            unseen: "A command that the reader did not send goes unnoticed.", "felica.transaction_number"),
    ]

    private static let ntagLies: [Lie] = [
        Lie(
            "ntag.other_data", "All bits of the pages that are read are inverted.",
            unseen: "Whatever is on a tag is as good as what should be: the content is not looked at.",
            "rf.flip_bits", allBits(from: 0), fix: [.crc], at: .ntagRead),
        Lie(
            "ntag.wrong_page", "A read gives other pages than those the command names.",
            unseen: "A reader that answers from a cache shows the wrong part of a tag.", "ntag.wrong_page"),
        Lie(
            "ntag.stale", "From the second read on, a read gives the answer before it once more.",
            unseen: "A buffer that was not refilled is taken for the next pages of the tag.",
            "rf.stale", at: .ntagRead, from: 2),
        Lie(
            "ntag.short_read", "The last byte of a read is missing.",
            unseen: "A client fills what is missing with what its buffer held before.", "ntag.short_read"),
        Lie(
            "ntag.lost_write", "The tag acknowledges a write and stores nothing.",
            unseen: "A write that is not read back is lost on a clone or a locked page, and nobody is told.",
            "ntag.acked_not_written", isOnlyInMemory: true),
        Lie(
            "ntag.data_for_ack", "The tag stores what is written and answers data in place of an acknowledgement.",
            unseen: "Whatever comes back after a write counts as done.", "ntag.data_for_ack",
            at: .commands("ntag.write")),
        Lie(
            "ntag.pack", "PWD_AUTH succeeds with another PACK than the tag should have.",
            unseen: "A clone that takes every password passes for the tag.", "ntag.pack"),
        Lie(
            "ntag.version", "GET_VERSION tells of another size than the tag has.",
            unseen: "A clone that is sold as a larger tag is written to past its end.", "ntag.version"),
        Lie(
            "ntag.signature", "READ_SIG gives a signature that is not this tag's.",
            unseen: "A clone passes for a tag of the manufacturer.", "ntag.signature"),
        Lie(
            "ntag.counter", "READ_CNT gives the last number before the counter stops.",
            unseen: "The counter is read and not looked at, so that a copy of the tag is not noticed.", "ntag.counter"),
    ]

    /// Lies about the content of cards from the start of the run.
    private static let contentLies: [Lie] = [
        Lie(
            "app.balance", "The card holds 65,535 yen.",
            unseen: "Another balance than the one on the card is shown, and nobody is told.", "app.balance_over"),
        Lie(
            "app.history", "The history of the card has three records and no more.",
            unseen: "A history that is cut short passes for a whole one.", "app.history_short"),
        Lie(
            "app.ndef", "The NDEF message of the card is empty.",
            unseen: "A tag that holds no message passes for one that does.", "app.ndef_empty"),
    ]

    /// Returns arguments that invert all bits of an answer from a byte on.
    private static func allBits(from byte: Int) -> [String: FaultValue] {
        ["at": .integer(8 * byte), "count": .integer(8 * FeliCaPacket.maximumLength)]
    }
}
