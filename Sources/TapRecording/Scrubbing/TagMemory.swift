import TapWire

/// The memory of a Type 2 Tag, as far as a session reveals it.
struct TagMemory {
    private var states = MemoryStates()
    private(set) var uid: UID?
    private var product: NTAGProduct?

    init(_ uid: UID?) {
        self.uid = uid.flatMap { $0.bytes.count == Self.uidLength ? $0 : nil }
    }

    private static let uidLength = 7

    /// The purpose of a page, as far as the product determines it.
    enum Place {
        case uid
        case container
        case configuration
        case password, pack
        case user
    }

    func place(of page: Int) -> Place {
        let layout = product?.layout
        return switch page {
        case ..<NTAGLayout.capabilityContainerPage: .uid
        case NTAGLayout.capabilityContainerPage: .container
        case layout?.dynamicLockPage, layout?.cfg0Page, layout?.cfg1Page: .configuration
        case layout?.passwordPage: .password
        case layout?.packPage: .pack
        default: .user
        }
    }

    /// The address of a page number, which wraps to page 00 after the last page.
    func address(_ page: Int) -> Int { product.map { page % $0.layout.pageCount } ?? page }

    mutating func saw(version: GetVersion.Response) { product = product ?? NTAGProduct(version) }

    mutating func saw(_ page: [UInt8], at address: Int) {
        states.saw(page, at: address)
        if address == NTAGLayout.capabilityContainerPage, product == nil {
            product = NTAGProduct.allCases.first { $0.deliveredCapabilityContainer.bytes.prefix(3) == page.prefix(3) }
        }
        guard uid == nil, let first = states.now[0], let second = states.now[1],
            first[3] == Self.check([UID.cascadeTag] + first.prefix(3))
        else { return }
        uid = UID(Array(first.prefix(3)) + second)
    }

    private static func check(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0, ^) }

    /// A page with parts of the UID and its check bytes, rewritten for another UID; wrong check bytes stay wrong.
    func uidPage(_ page: [UInt8], at address: Int, _ new: UID) -> [UInt8] {
        guard let uid, new.bytes.count == Self.uidLength else { return page }
        let parts = zip(uid.cascadeParts, new.cascadeParts).map { (old: $0.bytes, new: $1.bytes) }
        switch address {
        case 0: return Array(parts[0].new[1..<4]) + [page[3] ^ parts[0].old[4] ^ parts[0].new[4]]
        case 1: return Array(parts[1].new[0..<4])
        default: return [page[0] ^ parts[1].old[4] ^ parts[1].new[4]] + page.dropFirst()
        }
    }

    func placeholder(for page: [UInt8], at address: Int) -> [UInt8]? { states.placeholder(for: page, at: address) }
}

// The message.

extension TagMemory {
    mutating func settle(_ texts: TextPlaceholders) {
        states.settle { [self] in scrubbed($0, texts) }
    }

    /// The scrubbed pages of a memory, or `nil` if it has no message.
    private func scrubbed(_ pages: [Int: [UInt8]], _ texts: TextPlaceholders) -> [Int: [UInt8]]? {
        guard let last = pages.keys.max() else { return nil }
        let area = area(pages, last: last)
        var memory = [UInt8](repeating: 0, count: max(area.addresses.upperBound, (last + 1) * PageData.byteCount))
        for (page, content) in pages {
            memory.replaceSubrange(page * PageData.byteCount..<(page + 1) * PageData.byteCount, with: content)
        }
        guard let scrubbed = Self.scrubbed(memory, area, texts) else { return nil }
        let inArea = pages.keys.filter { area.addresses.contains($0 * PageData.byteCount) }
        return Dictionary(
            uniqueKeysWithValues: inArea.map { page in
                (page, Array(scrubbed[page * PageData.byteCount..<(page + 1) * PageData.byteCount]))
            })
    }

    private func area(_ pages: [Int: [UInt8]], last: Int) -> Type2DataArea {
        let container = pages[NTAGLayout.capabilityContainerPage].flatMap { try? CapabilityContainer(parsing: $0) }
        if let container, container.announcesNDEF { return Type2DataArea(container) }
        let end = max(last, product?.layout.lastUserPage ?? 0, NTAGLayout.firstUserPage) + 1
        return Type2DataArea(Type2DataArea.firstAddress..<end * PageData.byteCount)
    }

    /// A memory with its data area scrubbed, or `nil` if it does not start like one with a message.
    private static func scrubbed(_ memory: [UInt8], _ area: Type2DataArea, _ texts: TextPlaceholders) -> [UInt8]? {
        var scrubbed = memory
        var walker = TLVWalker(memory: memory, area: area)
        var hasMessage = false
        var end = area.addresses.lowerBound
        while let placed = try? walker.next() {
            end = placed.end
            switch placed.block.type {
            case .null, .lockControl, .memoryControl: continue
            case .terminator: break
            case .ndefMessage:
                hasMessage = true
                let value = placed.block.value
                put(texts.message(value) ?? texts.anything(value), of: placed, walker.area, into: &scrubbed)
            default:
                guard hasMessage else { return nil }
                put(TextPlaceholders.masked(placed.block.value), of: placed, walker.area, into: &scrubbed)
            }
        }
        guard hasMessage else { return nil }
        // Remains of an earlier message.
        var position = end
        while let address = walker.area.dataAddress(atOrAfter: position) {
            scrubbed[address] = TextPlaceholders.masked([memory[address]])[0]
            position = address + 1
        }
        return scrubbed
    }

    private static func put(
        _ value: [UInt8], of placed: PlacedTLV, _ area: Type2DataArea, into memory: inout [UInt8]
    ) {
        var position = placed.address
        let head = placed.block.isLong ? 4 : 2
        for index in 0..<head + value.count {
            guard let address = area.dataAddress(atOrAfter: position) else { return }
            if index >= head { memory[address] = value[index - head] }
            position = address + 1
        }
    }
}
