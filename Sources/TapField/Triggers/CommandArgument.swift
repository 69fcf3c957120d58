import TapWire

/// An argument of a command, as triggers and expectations state it.
public enum CommandArgument: Hashable, Sendable, CustomStringConvertible {
    /// The system code of a Polling.
    case system(SystemCode)
    /// A service or another node that the command names, among others.
    case service(NodeCode)
    /// All services or nodes the command names, in order.
    case services([NodeCode])
    /// The block numbers, from the first to the last one; of the one service if the pattern names one.
    case blocks(IntegerRange)
    /// More blocks than a number.
    case blocksOver(Int)
    /// The block numbers in order.
    case blockList([Int])
    /// The pages the command names; READ names one and reads four, either is meant.
    case pages(IntegerRange)
    /// The PWD of a PWD_AUTH.
    case password([UInt8])
    /// What is written.
    case data([UInt8])
    /// The IDm the command is for.
    case idm(IDm)
    /// The whole command, without CRC.
    case frame([UInt8])

    /// The argument in words: `blocks 0..11`.
    public var description: String {
        switch self {
        case .system(let code): "system \(code)"
        case .service(let code): "service \(code)"
        case .services(let codes): "services " + codes.map(\.description).joined(separator: ", ")
        case .blocks(let range): "blocks \(range)"
        case .blocksOver(let count): "more than \(count) blocks"
        case .blockList(let numbers): "blocks " + CommandFacts.text(numbers)
        case .pages(let range): "pages \(range)"
        case .password(let bytes): "pwd \(Hex.text(bytes, separator: " "))"
        case .data(let bytes): "data \(CommandFacts.text(bytes))"
        case .idm(let idm): "idm \(idm)"
        case .frame(let bytes): "hex \(CommandFacts.text(bytes))"
        }
    }
}
