import TapWire

/// A correct reader of one card at a time, over any link.
///
/// A reader owns its link; the caller takes it back from ``link`` afterwards, even after an error. The reader knows no ICs:
/// it finds out how many blocks a card accepts at once, and remembers that while it talks to the card.
///
/// ```swift
/// var reader = CardReader(VirtualLink(world))
/// let card = try await reader.readTransitCard()
/// world = reader.link.world
/// ```
public struct CardReader<Link: TagLink> {
    public var link: Link
    public var patience: Patience
    /// The FeliCa system that was selected last, if any.
    public internal(set) var system: FeliCaSystem?
    /// The session between an authentication and the first failure.
    var secure: ClientSession?
    /// The number of blocks to request at first; after a refusal the reader requests fewer.
    public let blocksAtOnce: Int
    /// The number of blocks and services that the FeliCa card accepted at once.
    var blockLimits: BlockLimits
    /// The Type 2 tag that was selected last, and the state of the selection.
    var selection: Type2Selection?

    /// The number of blocks that every FeliCa Standard card measured so far accepts at once.
    public static var defaultBlocksAtOnce: Int { BlockLimits.steps[0] }

    /// Creates a reader over a link.
    ///
    /// - Parameters:
    ///   - link: The link to the card, which the reader owns.
    ///   - patience: The timeouts and the numbers of attempts.
    ///   - blocksAtOnce: The number of blocks to request from a FeliCa card at first, from 1 to the 15 that fit in a packet.
    public init(_ link: Link, patience: Patience = Patience(), blocksAtOnce: Int = defaultBlocksAtOnce) {
        self.link = link
        self.patience = patience
        self.blocksAtOnce = min(max(1, blocksAtOnce), ReadWithoutEncryption.maximumBlocks)
        blockLimits = BlockLimits(read: self.blocksAtOnce)
    }

    /// Searches for a card as many times as ``Patience`` says, or `times`; `nil` if no card answered.
    mutating func search(_ target: Target, times: Int? = nil) async throws(ClientError) -> ActivatedTag? {
        for _ in 0..<(times ?? patience.searches) {
            do {
                if let tag = try await link.activate(target, timeout: patience.search) { return tag }
            } catch {
                throw .link(error)
            }
        }
        return nil
    }

    /// Sends a frame.
    ///
    /// - Throws: ``ClientError`` for silence, a damaged answer, or a failed link.
    mutating func send(_ frame: RFFrame, _ name: String, waiting: Duration) async throws(ClientError) -> RFFrame {
        let answer: RFFrame?
        do {
            answer = try await link.transceive(frame, timeout: waiting)
        } catch {
            throw .link(error)
        }
        guard let answer else { throw .silence(after: name) }
        guard answer.integrity == .good else { throw .damagedAnswer(to: name) }
        return answer
    }
}

extension CardReader: Sendable where Link: Sendable {}

public struct Patience: Hashable, Sendable {
    /// The time to wait for a card to answer a search.
    public var search: Duration = .milliseconds(20)
    public var searches = 3
    /// The minimum time to wait for an answer of a FeliCa card.
    ///
    /// The maximum response times in a PMm are too short on some cards: nfcpy waits at least 2 ms for an RC-S915.
    public var felica: Duration = .milliseconds(5)
    /// The time to wait for an answer of a Type 2 tag.
    ///
    /// The data sheet of NTAG21x allows 5 ms for reading and 10 ms for writing; a link to hardware needs more.
    public var type2: Duration = .milliseconds(100)
    /// The number of times to send a command that changes nothing before silence or damaged answers become an error.
    ///
    /// A command that changes something is sent only once: after silence it is not known whether the card has carried it out.
    public var attempts = 2
    /// The number of searches for a silent card before it counts as lost.
    ///
    /// People who removed a card too early put it back; they need at least half a second.
    public var searchesForLost = 25

    public init() {}
}
