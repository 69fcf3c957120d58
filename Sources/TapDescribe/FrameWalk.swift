import TapWire

/// A walk over the bytes of a frame that turns them into consecutive fields without gaps.
struct FrameWalk {
    /// The end of the walk: bytes ran out inside a field.
    struct End: Error {}

    let frame: RFFrame
    private(set) var fields: [FrameDescription.Field] = []
    /// The problems of the frame found so far.
    private(set) var remarks: [String] = []
    /// The words of the one-line summary so far.
    var words: [String] = []
    var count = 0
    /// The blocks to which the frame, or the command it answers, refers.
    var blocks: [NamedBlock] = []
    var services: [NodeCode] = []
    /// The service to which the blocks of an answer may belong if the command is unknown.
    var guessedService: NodeCode?
    /// The address of the first page of an answer; `nil` if the command is unknown.
    let firstPage: UInt8?
    var position = 0

    init(_ frame: RFFrame, blocks: [NamedBlock] = [], firstPage: UInt8? = 0) {
        self.frame = frame
        self.blocks = blocks
        self.firstPage = firstPage
        switch frame.integrity {
        case .good: break
        case .badCRC: remarks.append("its CRC is wrong")
        case .badParity: remarks.append("its parity is wrong")
        }
    }

    /// The number of bits that no field covers yet.
    var bitsLeft: Int { frame.bitCount - position }
    /// The number of whole bytes that no field covers yet.
    var bytesLeft: Int { bitsLeft / 8 }

    /// Notes a problem of the frame.
    mutating func remark(_ text: String) { remarks.append(text) }

    /// Appends a field with the next bits.
    mutating func append(
        _ name: String, bitCount: Int, meaning: String = "", details: [FrameDescription.Detail] = []
    ) {
        guard bitCount > 0 else { return }
        let range = position..<position + bitCount
        let hex = FrameText.text(frame.bits(range), bitCount: bitCount)
        fields.append(.init(name: name, bits: range, hex: hex, meaning: meaning, details: details))
        position += bitCount
    }

    /// Appends a field with the next bytes.
    ///
    /// - Throws: ``End`` if the frame ends inside the field; the available bytes still become a field.
    @discardableResult
    mutating func take(
        _ name: String, _ count: Int, meaning: ([UInt8]) -> String = { _ in "" },
        details: ([UInt8]) -> [FrameDescription.Detail] = { _ in [] }
    ) throws(End) -> [UInt8] {
        guard count <= bytesLeft else { throw endInside(name, count) }
        let bytes = Array(frame.bytes[position / 8..<position / 8 + count])
        append(name, bitCount: count * 8, meaning: meaning(bytes), details: details(bytes))
        return bytes
    }

    /// Appends a field with the next byte.
    @discardableResult
    mutating func takeByte(_ name: String, meaning: (UInt8) -> String) throws(End) -> UInt8 {
        try take(name, 1, meaning: { meaning($0[0]) })[0]
    }

    mutating func endInside(_ name: String, _ count: Int) -> End {
        let left = bytesLeft
        remarks.append(left == 0 ? "ends before its \(name)" : "ends inside its \(name), \(left) of \(count) bytes")
        append("\(name), cut off", bitCount: bitsLeft)
        return End()
    }

    /// Appends a field with the remaining bits.
    mutating func finish() {
        guard bitsLeft > 0 else { return }
        let bytes = (bitsLeft + 7) / 8
        remarks.append(bytes == 1 ? "one byte too many" : "\(bytes) bytes too many")
        append("bytes not understood", bitCount: bitsLeft)
    }
}

extension RFFrame {
    fileprivate func bits(_ range: Range<Int>) -> [UInt8] {
        if range.lowerBound % 8 == 0, range.upperBound % 8 == 0 {
            return Array(bytes[range.lowerBound / 8..<range.upperBound / 8])
        }
        var packed = [UInt8](repeating: 0, count: (range.count + 7) / 8)
        for index in range where bit(index) {
            packed[(index - range.lowerBound) / 8] |= 1 << ((index - range.lowerBound) % 8)
        }
        return packed
    }
}

extension FrameWalk {
    mutating func walk(_ parts: [LayoutPart]) throws(End) {
        for part in parts {
            switch part {
            case .field(let field): try take(field)
            case .count(let field, _): count = Int(try take(field).first ?? 0)
            case .list(let groups): try takeList(groups)
            case .countedBytes(let field): try take(field, byteCount: count)
            case .blockList: try takeBlockList()
            case .blockData: try takeBlocks()
            case .status(let done): if try !takeStatus(done: done) { return }
            case .optional(let inner): if bitsLeft > 0 { try walk(inner) }
            case .pages: try takePages()
            case .writtenPage: try takeWrittenPage()
            }
        }
    }

    @discardableResult
    private mutating func take(_ field: FrameField, byteCount: Int? = nil) throws(End) -> [UInt8] {
        let bytes = try take(field.name, byteCount ?? field.byteCount ?? bytesLeft, meaning: field.meaning)
        let text = field.words(for: bytes)
        if !text.isEmpty { words.append(text) }
        return bytes
    }

    private mutating func takeList(_ groups: [[FrameField]]) throws(End) {
        let fitting = groups.first { group in group.reduce(0) { $0 + ($1.byteCount ?? 0) } * count == bytesLeft }
        guard let group = fitting ?? groups.first else { return }
        for index in 0..<count {
            let before = words
            for field in group {
                let bytes = try take(field)
                if field.role == .service {
                    services.append(NodeCode(UInt16(bytes[0]) | UInt16(bytes[1]) << 8))
                }
            }
            if index >= Self.mostListed { words = before }
        }
        if count > Self.mostListed, !words.isEmpty { words.append("and \(count - Self.mostListed) more") }
    }

    /// The number of list entries shown in the one-line summary.
    private static let mostListed = 8

    private mutating func takeStatus(done: String) throws(End) -> Bool {
        let first = try take("status flag 1", 1, meaning: { StatusFlags($0.first ?? 0, 0).placeText })
        let second = try take("status flag 2", 1, meaning: { StatusFlag2($0.first ?? 0).meaning })
        let status = StatusFlags(first.first ?? 0, second.first ?? 0)
        if status.isSuccess, status.flag2 == 0 {
            if !done.isEmpty { words.append(done) }
        } else {
            words.append(status.line)
        }
        return status.isSuccess || bitsLeft > 0
    }

    private mutating func takeBlockList() throws(End) {
        blocks = []
        for index in 0..<count {
            guard bytesLeft > 0 else { throw endInside("block list element \(index)", 2) }
            let slice = frame.bytes[...]
            guard let element = BlockListElement(slice.span, at: position / 8) else {
                throw endInside("block list element \(index)", frame.bytes[position / 8] & 0x80 == 0 ? 3 : 2)
            }
            let order = Int(element.serviceOrder)
            let place = NamedBlock(element, service: order < services.count ? services[order] : nil)
            blocks.append(place)
            append("block list element \(index)", bitCount: 8 * element.byteCount, meaning: place.description)
        }
    }

    private mutating func takeBlocks() throws(End) {
        let message = ndefMessage
        var previous: BlockData?
        for index in 0..<count {
            let place = index < blocks.count ? blocks[index] : nil
            var said = place.map { "\($0.serviceText) block \($0.number)" } ?? ""
            var details: [FrameDescription.Detail] = []
            if bytesLeft >= BlockData.byteCount {
                let data = BlockData(frame.bytes[position / 8..<position / 8 + BlockData.byteCount])
                if let record = record(data, at: index, after: previous) {
                    said += "\(said.isEmpty ? "" : ", ")\(record.name)"
                    details = record.details
                }
                if let message, message.firstBlock == index { details += message.records }
                previous = data
            }
            try take("data of block \(index)", BlockData.byteCount, meaning: { _ in said }, details: { _ in details })
        }
    }

    /// Returns the meaning of a block, combined with the preceding one if they form one record.
    private func record(_ data: BlockData, at index: Int, after previous: BlockData?) -> BlockMeaning? {
        guard index < blocks.count else {
            return guessedService.flatMap { service in
                let number = UInt16(truncatingIfNeeded: index)
                return BlockMeaning.of(data, in: service, number: number, after: index % 2 == 1 ? previous : nil)
            }
        }
        let isPair = index > 0 && blocks[index - 1].isFollowed(by: blocks[index])
        return BlockMeaning.of(data, at: blocks[index], after: isPair ? previous : nil)
    }

    /// The NDEF message in the blocks of a type 3 tag from block 1 on, if it is complete.
    private var ndefMessage: (firstBlock: Int, records: [FrameDescription.Detail])? {
        guard let first = blocks.firstIndex(where: { $0.service == Type3Services.read && $0.number == 1 }) else {
            return nil
        }
        let following = blocks.indices.dropFirst(first).prefix { blocks[$0].number == UInt16($0 - first + 1) }
        let start = position / 8 + first * BlockData.byteCount
        let end = min(start + following.count * BlockData.byteCount, position / 8 + bytesLeft)
        guard start < end, let message = NDEFDescription.message(inBlocks: Array(frame.bytes[start..<end])) else {
            return nil
        }
        return (first, NDEFDescription.records(message))
    }

    private mutating func takePages() throws(End) {
        var count = 0
        let products = possibleProducts
        let message = firstPage.flatMap { page in
            NDEFDescription.message(inPages: Array(frame.bytes[(position / 8)...]), from: page)
        }
        while bytesLeft >= PageData.byteCount {
            let data = PageData(frame.bytes[position / 8..<position / 8 + PageData.byteCount])
            let address = pageAddress(count)
            let meaning = address.map { PageMeaning(data, at: $0, on: products) }
            var details = meaning?.details ?? []
            if let message, message.address / PageData.byteCount == address.map(Int.init) {
                details += NDEFDescription.records(message.message)
            }
            append(
                pageName(count), bitCount: 8 * PageData.byteCount, meaning: meaning?.text ?? "", details: details)
            count += 1
        }
        if count > 0 { words.append(CountText.of(count, "page")) }
        if bitsLeft > 0 { throw endInside(pageName(count), PageData.byteCount) }
    }

    /// The products that have all pages of a long answer; READ wraps around to page 00 and reveals nothing.
    private var possibleProducts: [NTAGProduct] {
        let pages = bytesLeft / PageData.byteCount
        guard pages > ReadPages.pageCount else { return NTAGProduct.allCases }
        return NTAGProduct.allCases.filter { Int(firstPage ?? 0) + pages <= $0.layout.pageCount }
    }

    /// Takes the data of a WRITE, whose page precedes it.
    private mutating func takeWrittenPage() throws(End) {
        let address = position >= 8 ? frame.bytes[position / 8 - 1] : 0
        var meaning: PageMeaning?
        if bytesLeft >= PageData.byteCount {
            meaning = PageMeaning(PageData(frame.bytes[position / 8..<position / 8 + 4]), at: address)
        }
        let data = try take(
            "data", PageData.byteCount, meaning: { _ in meaning?.text ?? "" }, details: { _ in meaning?.details ?? [] })
        words.append(" " + Hex.text(data, separator: " "))
    }

    private func pageAddress(_ index: Int) -> UInt8? {
        firstPage.map { $0 &+ UInt8(truncatingIfNeeded: index) }
    }

    private func pageName(_ index: Int) -> String {
        pageAddress(index).map { "page \(Hex.digits($0, width: 2))" } ?? "page +\(index)"
    }
}
