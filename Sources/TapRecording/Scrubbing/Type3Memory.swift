import TapWire

/// The blocks of a Type 3 Tag or of a FeliCa Lite, as far as a session reveals them.
struct Type3Memory {
    private var states = MemoryStates()

    /// The maximum length of a message, in blocks.
    private static let mostBlocks = 0x1000

    mutating func saw(_ block: [UInt8], at number: UInt16) { states.saw(block, at: Int(number)) }

    func placeholder(for block: [UInt8], at number: UInt16) -> [UInt8]? {
        states.placeholder(for: block, at: Int(number))
    }

    mutating func settle(_ texts: TextPlaceholders) {
        states.settle { Self.scrubbed($0, texts) }
    }

    /// The scrubbed block 0 and message blocks, or `nil` without a message.
    private static func scrubbed(_ blocks: [Int: [UInt8]], _ texts: TextPlaceholders) -> [Int: [UInt8]]? {
        guard let first = blocks[0] else { return nil }
        let attributes = AttributeInformationBlock(BlockData(first))
        let count = attributes.messageBlockCount
        guard attributes.hasValidChecksum, count <= mostBlocks else { return nil }
        let length = Int(attributes.messageLength)
        let zero = BlockData.zero.bytes
        let memory = (0..<count).flatMap { blocks[$0 + 1] ?? zero }
        guard let message = texts.message(Array(memory.prefix(length))) else { return nil }
        let scrubbed = message + TextPlaceholders.masked(Array(memory.dropFirst(length)))
        var new = [0: first]
        for number in 1..<max(1, count + 1) where blocks[number] != nil {
            let start = (number - 1) * BlockData.byteCount
            new[number] = Array(scrubbed[start..<start + BlockData.byteCount])
        }
        return new
    }
}

extension SessionWalk {
    /// A block of a Type 3 Tag or of a FeliCa Lite, with placeholders.
    mutating func type3Block(_ block: [UInt8], _ number: UInt16) -> [UInt8] {
        if !placeholders.isSettled { type3.saw(block, at: number) }
        if let new = type3.placeholder(for: block, at: number) { return placeholders.bytes(.text, block, by: new) }
        switch LiteBlock(number) {
        case .registers: return block.prefix(8) + placeholders.data(Array(block.dropFirst(8)))
        case .identification:
            return idm(block.prefix(8)) + block[8..<10] + placeholders.data(Array(block.dropFirst(10)))
        case .deviceIdentification: return idm(block.prefix(8)) + block.dropFirst(8)
        case .cardKey: return placeholders.secret(block)
        case .mac, .macA:
            placeholders.remark("MACs were kept; they belong to the original data.")
            return block
        case let system where system.shortName != nil: return block
        default: return placeholders.data(block)
        }
    }
}
