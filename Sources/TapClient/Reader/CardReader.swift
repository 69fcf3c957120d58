import TapWire

/// What a careful reader does with one card at a time, over any link.
///
/// A reader owns its link; whoever made the link takes it back from ``link`` afterwards, after an error too. It knows
/// no ICs: how many blocks a card takes at once it finds out, and remembers it for as long as it talks to the card.
///
/// ```swift
/// var reader = CardReader(VirtualLink(world))
/// let card = try await reader.readTransitCard()
/// world = reader.link.world
/// ```
public struct CardReader<Link: TagLink> {
    /// The way to the card.
    public var link: Link
    /// How long to wait, and how often to try.
    public var patience: Patience
    /// The FeliCa system selected last, or nothing before the first.
    public internal(set) var system: FeliCaSystem?
    /// How many blocks a FeliCa card is asked for at first; what it refuses is asked for in smaller parts.
    public let blocksAtOnce: Int
    /// How many blocks and services the FeliCa card took at once.
    var blockLimits: BlockLimits
    /// The Type 2 tag selected last and what became of the selection.
    var selection: Type2Selection?

    /// How many blocks every FeliCa Standard card takes at once, as far as anybody measured.
    public static var usualBlocksAtOnce: Int { BlockLimits.steps[0] }

    /// Creates a reader that has no card yet.
    ///
    /// - Parameters:
    ///   - link: The way to the card.
    ///   - patience: How long to wait, and how often to try.
    ///   - blocksAtOnce: How many blocks a FeliCa card is asked for at first, from 1 to the 15 that fit a packet.
    public init(_ link: Link, patience: Patience = Patience(), blocksAtOnce: Int = usualBlocksAtOnce) {
        self.link = link
        self.patience = patience
        self.blocksAtOnce = min(max(1, blocksAtOnce), ReadWithoutEncryption.maximumBlocks)
        blockLimits = BlockLimits(read: self.blocksAtOnce)
    }

    /// Looks for a card, again and again.
    ///
    /// - Parameters:
    ///   - target: What to look for.
    ///   - times: How often; by default as ``Patience`` says.
    /// - Returns: The card, or nothing if none answered.
    /// - Throws: ``ClientError`` when the link fails.
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

    /// Sends a frame and gives a whole answer.
    ///
    /// - Throws: ``ClientError`` for silence, for a damaged answer, and when the link fails.
    mutating func send(_ frame: AirFrame, _ name: String, waiting: Duration) async throws(ClientError) -> AirFrame {
        let answer: AirFrame?
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
