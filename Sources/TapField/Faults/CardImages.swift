import TapCards
import TapWire

/// An NDEF message as stored in a TLV of a Type 2 tag, or after the attribute block of a Type 3 tag.
struct NDEFImage {
    var message: [UInt8]
    var announced: Int
    /// A Boolean value that indicates whether a TLV has a three-byte length; always the case above 254 bytes.
    var isLong = false
    /// The byte after the message in the data area of a Type 2 tag.
    var byteAfter = TLVType.terminator.rawValue
}

extension FaultEffect {
    static func image<Card: CardEngine>(
        of _: Card.Type, _ change: @escaping @Sendable (inout Card, FaultInjection) -> Void
    ) -> FaultEffect {
        .image { card, injection in
            guard var changed = card as? Card else { return }
            change(&changed, injection)
            card = changed
        }
    }

    /// Changes a FeliCa card of any chip.
    static func feliCaImage(
        _ change: @escaping @Sendable (inout any FeliCaEngine, FaultInjection) -> Void
    ) -> FaultEffect {
        .image { card, injection in
            guard var changed = card as? any FeliCaEngine else { return }
            change(&changed, injection)
            card = changed
        }
    }

    static func message(_ change: @escaping @Sendable (inout NDEFImage, FaultArguments) -> Void) -> FaultEffect {
        .all([
            .image(of: NTAGCard.self) { $0.rewriteMessage(change, $1.arguments) },
            .feliCaImage { $0.rewriteMessage(change, $1.arguments) },
        ])
    }

    /// Changes data that is readable without a key or password: the user memory of a tag, or a service of a FeliCa card, by
    /// default the first.
    static func data(
        of service: FaultKey<NodeCode?>, _ change: @escaping @Sendable (inout [UInt8], FaultArguments) -> Void
    ) -> FaultEffect {
        .all([
            .image(of: NTAGCard.self) { tag, injection in tag.rewriteUserMemory { change(&$0, injection.arguments) } },
            .feliCaImage { card, injection in
                card.rewriteData(of: injection[service]) { change(&$0, injection.arguments) }
            },
        ])
    }

    /// Leaves the NDEF message in the state of an unfinished write: a Type 2 tag with length 0, a Type 3 tag with the write
    /// flag set.
    static let unfinishedMessage = FaultEffect.all([
        .image(of: NTAGCard.self) { tag, injection in
            tag.rewriteMessage({ image, _ in image.announced = 0 }, injection.arguments)
        },
        .feliCaImage { card, _ in
            card.rewriteNDEF { blocks in
                var attributes = AttributeInformationBlock(blocks[0])
                attributes.writeFlag = .inProgress
                attributes.updateChecksum()
                blocks[0] = attributes.stored
            }
        },
    ])

    /// Changes the NDEF header: the capability container, or the attribute information block.
    static func container(
        type2 change: @escaping @Sendable (inout CapabilityContainer, FaultArguments) -> Void,
        type3 changeBlock: @escaping @Sendable (inout AttributeInformationBlock, FaultArguments) -> Void
    ) -> FaultEffect {
        .all([
            .image(of: NTAGCard.self) { tag, injection in
                guard var container = tag.container else { return }
                change(&container, injection.arguments)
                tag.replacePage(NTAGLayout.capabilityContainerPage, with: PageData(container.bytes))
            },
            .feliCaImage { card, injection in
                card.rewriteNDEF { blocks in
                    var attributes = AttributeInformationBlock(blocks[0])
                    changeBlock(&attributes, injection.arguments)
                    blocks[0] = attributes.stored
                }
            },
        ])
    }
}

extension NTAGCard {
    fileprivate var container: CapabilityContainer? {
        try? CapabilityContainer(parsing: self[page: NTAGLayout.capabilityContainerPage].bytes)
    }

    fileprivate mutating func rewriteUserMemory(_ change: (inout [UInt8]) -> Void) {
        let pages = NTAGLayout.firstUserPage...template.definition.product.layout.lastUserPage
        var memory = pages.flatMap { self[page: $0].bytes }
        change(&memory)
        for (index, page) in pages.enumerated() {
            replacePage(page, with: PageData(memory[(index * PageData.byteCount)...]))
        }
    }

    /// Rewrites the NDEF message; bytes beyond the data area are dropped.
    mutating func rewriteMessage(
        _ change: (inout NDEFImage, FaultArguments) -> Void, _ arguments: FaultArguments
    ) {
        let pageCount = template.definition.product.layout.pageCount
        var memory = (0..<pageCount).flatMap { self[page: $0].bytes }
        guard let container else { return }
        let area = Type2DataArea(container)
        guard let placed = try? area.ndefMessageBlock(in: memory) else { return }
        let stored = placed.block
        var image = NDEFImage(message: stored.value, announced: stored.value.count, isLong: stored.isLong)
        change(&image, arguments)
        var position = placed.address
        for byte in image.block {
            guard let address = area.dataAddress(atOrAfter: position), memory.indices.contains(address) else { break }
            memory[address] = byte
            position = address + 1
        }
        for page in NTAGLayout.firstUserPage..<pageCount where page * PageData.byteCount < area.addresses.upperBound {
            replacePage(page, with: PageData(memory[(page * PageData.byteCount)...]))
        }
    }
}

extension NDEFImage {
    /// Returns the offset of a record's header, with records counted from 1; `nil` after the last record, and after the first
    /// record of a malformed message.
    func place(ofRecord number: Int) -> Int? {
        guard number > 1 else { return 0 }
        guard let records = try? NDEFMessage(parsing: message).records, number <= records.count else { return nil }
        return records.prefix(number - 1).map { $0.bytes(beginsMessage: false, endsMessage: false).count }.reduce(0, +)
    }

    fileprivate var block: [UInt8] {
        let isLong = isLong || announced > TLVBlock.maximumShortValueLength
        let length = UInt16(clamping: announced)
        let lengthBytes = isLong ? [0xFF, UInt8(length >> 8), UInt8(length & 0xFF)] : [UInt8(length)]
        return [TLVType.ndefMessage.rawValue] + lengthBytes + message + [byteAfter]
    }
}

extension FeliCaEngine {
    /// Rewrites the blocks of a service and updates the checksum of an attribute information block, so that readers accept it.
    fileprivate mutating func rewriteData(of code: NodeCode?, _ change: (inout [UInt8]) -> Void) {
        let first = services.first { $0.service.attribute.isAuthenticationFree }?.service
        guard let service = code ?? first,
            let system = systemCodes.first(where: { !blockNumbers(of: service, in: $0).isEmpty }),
            let blocks = blocks(of: service, in: system), !blocks.isEmpty
        else { return }
        var bytes = blocks.flatMap(\.bytes)
        change(&bytes)
        var changed = blocks.indices.map { BlockData(bytes[($0 * BlockData.byteCount)...]) }
        let old = AttributeInformationBlock(blocks[0])
        var attributes = AttributeInformationBlock(changed[0])
        if system == .ndef, old.hasValidChecksum, attributes.checksum == old.checksum {
            attributes.updateChecksum()
            changed[0] = attributes.stored
        }
        replaceBlocks(of: service, in: system, with: changed)
    }

    /// Changes the blocks of a Type 3 tag, the attribute information block first; other cards are unchanged.
    fileprivate mutating func rewriteNDEF(_ change: (inout [BlockData]) -> Void) {
        for service in [Type3Services.read, Type3Services.write] {
            guard var blocks = blocks(of: service, in: .ndef), !blocks.isEmpty else { continue }
            change(&blocks)
            replaceBlocks(of: service, in: .ndef, with: blocks)
            return
        }
    }

    /// Rewrites the NDEF message; bytes beyond the last block are dropped.
    mutating func rewriteMessage(
        _ change: (inout NDEFImage, FaultArguments) -> Void, _ arguments: FaultArguments
    ) {
        rewriteNDEF { blocks in
            var attributes = AttributeInformationBlock(blocks[0])
            let data = blocks.dropFirst().flatMap(\.bytes)
            let length = min(Int(attributes.messageLength), data.count)
            guard length > 0 else { return }
            var image = NDEFImage(message: Array(data.prefix(length)), announced: length)
            change(&image, arguments)
            attributes.messageLength = UInt32(clamping: image.announced)
            attributes.updateChecksum()
            let rest = image.message + data.dropFirst(image.message.count)
            for index in 1..<blocks.count {
                blocks[index] = BlockData(rest.dropFirst((index - 1) * BlockData.byteCount))
            }
            blocks[0] = attributes.stored
        }
    }
}

/// The common interface of all history records, so that each history fault is declared only once.
protocol HistoryEntry: BlockRecord {
    var serial: UInt32 { get set }
    var money: UInt32 { get set }
    mutating func makeTimeImpossible()
    /// Sets codes that appear in no published list.
    mutating func makeCodesUnknown()
}

/// The shared fields; their numbers have two or four bytes.
protocol HistoryFields {
    associatedtype Serial: FixedWidthInteger & Sendable
    associatedtype Money: FixedWidthInteger & Sendable
    var sequence: Field<Serial> { get }
    var balance: Field<Money> { get }
}

extension HistoryEntry where Fields: HistoryFields {
    var serial: UInt32 {
        get { UInt32(self[dynamicMember: \.sequence]) }
        set { self[dynamicMember: \.sequence] = Fields.Serial(truncatingIfNeeded: newValue) }
    }
    var money: UInt32 {
        get { UInt32(self[dynamicMember: \.balance]) }
        set { self[dynamicMember: \.balance] = Fields.Money(truncatingIfNeeded: newValue) }
    }
}

extension TransitHistoryRecord.Fields: HistoryFields {}
extension EdyHistoryRecord.Fields: HistoryFields {}
extension NanacoHistoryRecord.Fields: HistoryFields {}
extension WAONHistoryRecord.Fields: HistoryFields {}

extension TransitHistoryRecord: HistoryEntry {
    mutating func makeTimeImpossible() { self.date = TransitDate(.max) }
    mutating func makeCodesUnknown() {
        self.terminal = TerminalType(.max)
        self.process = ProcessType(.max)
    }
}

extension EdyHistoryRecord: HistoryEntry {
    mutating func makeTimeImpossible() { self.time = EdyTimestamp(.max) }
    mutating func makeCodesUnknown() { self.type = TransactionType(.max) }
}

extension NanacoHistoryRecord: HistoryEntry {
    mutating func makeTimeImpossible() { self.time = NanacoTimestamp(.max) }
    mutating func makeCodesUnknown() { self.type = TransactionType(.max) }
}

extension WAONHistoryRecord: HistoryEntry {
    mutating func makeTimeImpossible() { self.time = WAONTimestamp(.max) }
    mutating func makeCodesUnknown() { self.type = TransactionType(.max) }
}

/// A change of the records of a history, newest first, without unused records.
protocol HistoryChange: Sendable {
    func change<Entry: HistoryEntry>(_ entries: inout [Entry], _ arguments: FaultArguments)
}

extension FaultEffect {
    static func history(_ change: some HistoryChange) -> FaultEffect {
        .feliCaImage { $0.rewriteHistories(change, $1.arguments) }
    }
}

extension FeliCaEngine {
    mutating func rewriteHistories(_ change: some HistoryChange, _ arguments: FaultArguments) {
        for (system, service) in services {
            switch service {
            case TransitServices.history.code, OkicaServices.history.code:
                rewrite(TransitHistoryRecord.self, service, system, change, arguments)
            case EdyServices.history.code: rewrite(EdyHistoryRecord.self, service, system, change, arguments)
            case NanacoServices.history.code: rewrite(NanacoHistoryRecord.self, service, system, change, arguments)
            case WAONServices.history.code: rewrite(WAONHistoryRecord.self, service, system, change, arguments)
            default: break
            }
        }
    }

    /// Rewrites the records of a history; removed records become zero.
    fileprivate mutating func rewrite<Entry: HistoryEntry>(
        _: Entry.Type, _ service: NodeCode, _ system: SystemCode, _ change: some HistoryChange,
        _ arguments: FaultArguments
    ) {
        guard let blocks = blocks(of: service, in: system) else { return }
        let length = Entry.Storage.byteCount
        let bytes = blocks.flatMap(\.bytes)
        var entries = stride(from: 0, through: bytes.count - length, by: length)
            .compactMap { try? Entry(parsing: Array(bytes[$0..<$0 + length])) }
            .filter { !$0.isUnused }
        change.change(&entries, arguments)
        let changed = entries.flatMap(\.bytes)
        let content = (0..<blocks.count).map { BlockData(changed.dropFirst($0 * BlockData.byteCount)) }
        replaceBlocks(of: service, in: system, with: content)
    }
}
