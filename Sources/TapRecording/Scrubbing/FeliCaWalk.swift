import TapWire

extension SessionWalk {
    /// A command to a FeliCa card and its answer, with placeholders.
    mutating func feliCa(_ exchange: CardExchange) -> CardExchange {
        let packet = Self.packet(exchange.command)
        let slice = packet[...]
        guard let code = CommandCode(of: slice.span) else { return exchange }
        guard let description = CommandDescription.of(code) else { return unknown(exchange, code) }
        if description.needsKey {
            placeholders.remark("\(description.name) was kept unchanged, because its content is encrypted.")
        }
        var found = exchange
        if let layout = description.layout {
            found.command = identifiers(exchange.command, layout.command, after: code)
            found.answer = exchange.answer.map { identifiers($0, layout.response, after: code) }
        }
        switch code {
        case .readWithoutEncryption: found.answer = found.answer.map { read($0, packet) }
        case .writeWithoutEncryption: found.command = written(found.command)
        default: break
        }
        return found
    }

    /// Replaces identifiers in fields at fixed positions.
    private mutating func identifiers(_ frame: [UInt8], _ parts: [LayoutPart], after code: CommandCode) -> [UInt8] {
        var frame = frame
        var offset = code.byteCount
        for case .field(let field) in parts.prefix(while: \.isField) {
            guard let count = field.byteCount, offset + count <= frame.count else { break }
            if field.role == .idm || field.role == .foundIDm || field.role == .containerIDm {
                frame.replaceSubrange(offset..<offset + count, with: idm(frame[offset..<offset + count]))
            }
            offset += count
        }
        return frame
    }

    mutating func idm(_ bytes: some Collection<UInt8>) -> [UInt8] {
        placeholders.idm(IDm(bytes.reduce(0) { $0 << 8 | UInt64($1) })).rawValue.bigEndianBytes
    }

    /// The answer to an unknown command: IDm and data.
    private mutating func unknown(_ exchange: CardExchange, _ code: CommandCode) -> CardExchange {
        placeholders.remark("The answer to command \(code) was replaced, because the command is unknown.")
        var found = exchange
        let head = code.byteCount + MemoryLayout<UInt64>.size
        if let answer = exchange.answer, answer.count > head {
            found.answer = answer.prefix(head) + placeholders.data(Array(answer.dropFirst(head)))
        }
        return found
    }

    private mutating func read(_ answer: [UInt8], _ command: [UInt8]) -> [UInt8] {
        guard var response = try? ReadWithoutEncryption.Response(parsing: Self.packet(answer)) else {
            let head = FeliCaPacket.statusLength
            return answer.prefix(head) + placeholders.data(Array(answer.dropFirst(head)))
        }
        let request = try? ReadWithoutEncryption.Request(parsing: command)
        let places = request.map { BlockLocation.all($0.services, $0.blocks) } ?? []
        response.blocks = blocks(response.blocks, at: places)
        return Array(response.bytes.dropFirst())
    }

    private mutating func written(_ command: [UInt8]) -> [UInt8] {
        guard var request = try? WriteWithoutEncryption.Request(parsing: Self.packet(command)) else {
            placeholders.remark("A malformed Write Without Encryption was kept unchanged.")
            return command
        }
        request.data = blocks(request.data, at: BlockLocation.all(request.services, request.blocks))
        return Array(request.bytes.dropFirst())
    }
}

extension LayoutPart {
    fileprivate var isField: Bool { if case .field = self { true } else { false } }
}

struct BlockLocation: Hashable {
    /// The service, or `nil` if the service list has none for the block.
    let service: NodeCode?
    let number: UInt16

    static func all(_ services: [NodeCode], _ blocks: [BlockListElement]) -> [BlockLocation] {
        blocks.map { block in
            let order = Int(block.serviceOrder)
            return BlockLocation(
                service: services.indices.contains(order) ? services[order] : nil, number: block.blockNumber)
        }
    }
}

extension SessionWalk {
    /// Blocks with placeholders; a block without a location has no known meaning.
    mutating func blocks(_ blocks: [BlockData], at places: [BlockLocation]) -> [BlockData] {
        blocks.enumerated().map { index, block in
            self.block(block, at: index < places.count ? places[index] : BlockLocation(service: nil, number: 0))
        }
    }

    private mutating func block(_ block: BlockData, at place: BlockLocation) -> BlockData {
        guard !block.bytes.isBlank else { return block }
        guard let service = place.service else { return BlockData(placeholders.data(block.bytes)) }
        if placeholders.keeps(.service(service)) { return block }
        if service == Type3Services.read || service == Type3Services.write {
            return BlockData(type3Block(block.bytes, place.number))
        }
        if let layout = RecordLayout.of(service, block: place.number) {
            return placeholders.block(block, number: place.number, of: layout)
        }
        placeholders.remark("The blocks of service \(service) were replaced, because their meaning is unknown.")
        return BlockData(placeholders.data(block.bytes))
    }
}
