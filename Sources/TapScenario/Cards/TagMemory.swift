import TapCards
import TapDocument
import TapWire

/// A writable layout of a tag's user memory.
struct TagMemory {
    private let area: Type2DataArea
    let size: Int
    /// The TLV blocks that precede the message at delivery.
    private let head: [TLVBlock]

    init(_ tag: NTAGDefinition) {
        let container = try? CapabilityContainer(parsing: tag.capabilityContainer.bytes)
        let area = Type2DataArea(container ?? CapabilityContainer(dataAreaSize: tag.userMemory.count))
        self.area = area
        size = area.addresses.count
        var head: [TLVBlock] = []
        var walker = TLVWalker(
            memory: Array(repeating: 0, count: area.addresses.lowerBound) + tag.userMemory, area: area)
        while let placed = try? walker.next(), placed.block.type != .ndefMessage { head.append(placed.block) }
        self.head = head
    }

    /// The bytes from page 4 on, or `nil` if they do not fit.
    func memory(_ blocks: [TLVBlock?], after rest: [UInt8] = []) -> [UInt8]? {
        let known = blocks.compactMap(\.self)
        guard known.count == blocks.count else { return nil }
        var memory = Array(repeating: UInt8(0), count: area.addresses.upperBound)
        guard let places = try? area.write(head + known, into: &memory) else { return nil }
        let end = places.last?.end ?? area.addresses.lowerBound
        guard end + rest.count <= memory.count else { return nil }
        memory.replaceSubrange(end..<end + rest.count, with: rest)
        return Array(memory.dropFirst(area.addresses.lowerBound))
    }

    /// A message that ends at the last byte of the memory, preceded by NULL blocks.
    func atEnd(_ message: TLVBlock) -> [UInt8]? {
        let count = area.byteCount(from: area.addresses.lowerBound) - (head + [message]).map(\.bytes.count).reduce(0, +)
        return count < 0 ? nil : memory(Array(repeating: .null, count: count) + [message])
    }

    /// A single record that leaves no byte free.
    func full(_ family: VariedCard.Family) -> [UInt8]? {
        for length in stride(from: size, to: 0, by: -1) {
            let text = String(repeating: "0123456789", count: length / 10 + 1).prefix(length)
            let content: NDEFRecord.Content
            switch family {
            case .uri: content = .uri(NDEFURI("https://full.example/\(text)"))
            case .text:
                guard let whole = try? NDEFText(String(text), language: "en") else { continue }
                content = .text(whole)
            case .history, .message: return nil
            }
            guard let record = try? NDEFRecord(content), let block = try? TLVBlock(NDEFMessage([record])),
                let memory = memory([block]), memory.last != 0
            else { continue }
            return memory
        }
        return nil
    }

    static func pages(_ memory: [UInt8]) -> (key: String, value: Node) {
        let count = PageData.byteCount
        let pages = stride(from: 0, to: memory.count, by: count).map {
            Node.hex(memory[$0..<min($0 + count, memory.count)])
        }
        return (CardLanguage.pages.name, ["\(Type2DataArea.firstAddress / count)": .list(pages)])
    }
}

extension NDEFMessage {
    /// The message on a card as defined, or `nil` for a card without a message.
    package init?(on definition: CardDefinition) {
        let bytes: [UInt8]?
        switch definition {
        case .ntag(let template):
            let tag = template.definition
            let memory = Array(repeating: UInt8(0), count: Type2DataArea.firstAddress) + tag.userMemory
            let container = try? CapabilityContainer(parsing: tag.capabilityContainer.bytes)
            bytes = container.flatMap { try? Type2DataArea($0).ndefMessageBlock(in: memory)?.block.value }
        case .felica, .lite: bytes = definition.makeType3Message()
        }
        guard let bytes, let message = try? NDEFMessage(parsing: bytes), !message.records.isEmpty else { return nil }
        self = message
    }
}

extension CardDefinition {
    /// The maximum length of a message on a Type 3 Tag, in bytes.
    var type3Room: Int { ((type3Blocks?.count ?? 1) - 1) * BlockData.byteCount }

    /// The blocks of a Type 3 Tag, starting with the attribute information.
    private var type3Blocks: [BlockData]? {
        guard let card = makeEngine() as? any FeliCaEngine, card.systemCodes.contains(.ndef) else { return nil }
        return [Type3Services.read, Type3Services.write].lazy.compactMap { card.blocks(of: $0, in: .ndef) }.first
    }

    fileprivate func makeType3Message() -> [UInt8]? {
        guard let blocks = type3Blocks, let first = blocks.first else { return nil }
        let length = Int(AttributeInformationBlock(first).messageLength)
        return Array(blocks.dropFirst().flatMap(\.bytes).prefix(length))
    }
}
