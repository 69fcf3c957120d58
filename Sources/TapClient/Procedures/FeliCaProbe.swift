import TapWire

// The requests of a probe to a FeliCa card.

extension CardReader {
    /// Requests the systems of a card that answered Polling, and everything that each of them reveals.
    mutating func probeFeliCa(
        _ first: FeliCaSystem, _ known: CardProbe.Knowledge, _ steps: inout ProbeSteps
    ) async throws(ClientError) {
        for code in [Polling.RequestCode.none, .communicationPerformance, .unknown] {
            _ = try await search(.felica(Polling.Request(systemCode: .any, requestCode: code), first.technology))
        }
        _ = try await step(RequestResponse.code.name, &steps) { reader throws(ClientError) in
            try await reader.askCard(RequestResponse.self)
        }
        let listed = try await step(RequestSystemCode.code.name, &steps) { reader throws(ClientError) in
            try await reader.requestSystemCodes()
        }
        _ = try await step(RequestProductInformation.code.name, &steps) { reader throws(ClientError) in
            try await reader.askCard(RequestProductInformation.self)
        }
        _ = try await step(RequestSpecificationVersion.code.name, &steps) { reader throws(ClientError) in
            let request = RequestSpecificationVersion.Request(idm: try reader.selectedSystem().idm)
            return try await reader.ask(RequestSpecificationVersion.self, request, .fixed)
        }
        var probed: Set<IDm> = []
        var hasLimits = false
        for code in listed.map({ $0.isEmpty ? [first.code] : $0 }) ?? [first.code] + known.systems {
            let isFirst = probed.isEmpty && code == first.code
            guard let system = isFirst ? first : try await find(system: code, times: listed == nil ? 1 : nil) else {
                continue
            }
            guard system.isOnSameCard(as: first) else {
                throw .wrongIDm(system.idm, insteadOf: first.idm, Polling.code.name)
            }
            guard probed.insert(system.idm).inserted else { continue }
            self.system = system
            let contents = try await probeSystem(known, &steps)
            guard !hasLimits, let readable = contents.readable.first else { continue }
            try await probeLimits(of: contents, reading: readable, &steps)
            hasLimits = true
        }
    }

    private mutating func askCard<Command: FeliCaCommand>(
        _: Command.Type
    ) async throws(ClientError) -> Command.Response where Command.Request == IDmRequest<Command> {
        try await ask(Command.self, IDmRequest<Command>(idm: try selectedSystem().idm), .fixed)
    }

    /// Requests the nodes of the selected system, the versions of their keys, and the blocks that need no key.
    private mutating func probeSystem(
        _ known: CardProbe.Knowledge, _ steps: inout ProbeSteps
    ) async throws(ClientError) -> ProbedSystem {
        let found = try await step(SearchServiceCode.code.name, &steps) { reader throws(ClientError) in
            try await reader.nodes(orOf: known.services).nodes
        }
        var contents = ProbedSystem(nodes: found ?? [])
        let codes = [.system] + contents.nodes.map(\.code)
        _ = try await step(RequestService.code.name, &steps) { reader throws(ClientError) in
            try await reader.requestService(codes)
        }
        if steps.hasVersion2 {
            steps.hasVersion2 =
                try await step(RequestServiceV2.code.name, &steps) { reader throws(ClientError) in
                    try await reader.requestServiceV2(codes)
                } ?? false
        }
        for code in contents.services where code.attribute.isAuthenticationFree {
            let content = try await step(ReadWithoutEncryption.code.name, &steps) { reader throws(ClientError) in
                try await reader.content(of: code)
            }
            if case .blocks(let blocks)? = content, !blocks.isEmpty { contents.readable.append(code) }
        }
        if contents.services == [Type3Services.read] { try await probeLiteBlocks(&steps) }
        return contents
    }

    /// Reads the blocks of a FeliCa Lite after the user data, one by one.
    private mutating func probeLiteBlocks(_ steps: inout ProbeSteps) async throws(ClientError) {
        for block in LiteBlock.known.map(\.block) where block > .registers {
            try await probeRead([Type3Services.read], [BlockListElement(blockNumber: block.rawValue)], &steps)
        }
    }

    /// Requests the key versions of nodes in the format for cards with AES keys, and returns whether the card supports it.
    private mutating func requestServiceV2(_ nodes: [NodeCode]) async throws(ClientError) -> Bool {
        for start in stride(from: 0, to: nodes.count, by: FeliCaPacket.maximumNodes) {
            let asked = Array(nodes[start...].prefix(FeliCaPacket.maximumNodes))
            let request = RequestServiceV2.Request(idm: try selectedSystem().idm, nodes: asked)
            _ = try await ask(RequestServiceV2.self, request, .requestService, count: asked.count)
        }
        return true
    }
}

/// The findings of a probe about a system.
private struct ProbedSystem {
    let nodes: [FeliCaNode]
    /// The services that returned a block.
    var readable: [NodeCode] = []

    var services: [NodeCode] { nodes.map(\.code).filter(\.attribute.isService) }

    /// A code for a service that the system does not have.
    var absentService: NodeCode {
        let stores = Set(services.map(\.store))
        let free = (0..<UInt16(NodeCode.numberCount)).reversed().lazy.map { NodeCode($0 << 6 | 0x0B) }
        return free.first { !stores.contains($0.store) } ?? .lastService
    }

    /// A code whose attribute is undefined.
    static let undefined = NodeCode(0xFFC2)
}

extension FeliCaNode {
    fileprivate var code: NodeCode {
        switch self {
        case .area(let code, _), .service(let code): code
        }
    }
}

// Refusals of a card, and their status flags.

extension CardReader {
    /// Requests more from the selected system than it can give: blocks, services and lists.
    private mutating func probeLimits(
        of contents: ProbedSystem, reading service: NodeCode, _ steps: inout ProbeSteps
    ) async throws(ClientError) {
        let block = BlockListElement(blockNumber: 0)
        try await probeBlockCount(service, &steps)
        let beyond = BlockListElement(blockNumber: 0xFFFF)
        try await probeRead([service], [block, block, beyond], &steps)
        let absent = contents.absentService
        try await probeRead([absent], [block], &steps)
        try await probeRead([service, absent], [block], &steps)
        let second = BlockListElement(serviceOrder: 1, blockNumber: 0)
        if contents.readable.count > 1 {
            try await probeRead(Array(contents.readable.prefix(2)), [block, second], &steps)
            try await probeRead(contents.readable.prefix(2).reversed(), [block, second], &steps)
        }
        if let locked = contents.services.first(where: { !$0.attribute.isAuthenticationFree }) {
            try await probeRead([locked], [block], &steps)
        }
        _ = try await step(RequestService.code.name, &steps) { reader throws(ClientError) in
            try await reader.requestService([ProbedSystem.undefined])
        }
    }

    /// Finds the maximum number of blocks per read: first tries as many as fit in a packet, then halves the remaining range.
    private mutating func probeBlockCount(
        _ service: NodeCode, _ steps: inout ProbeSteps
    ) async throws(ClientError) {
        var (taken, refused) = (1, ReadWithoutEncryption.maximumBlocks + 1)
        var count = ReadWithoutEncryption.maximumBlocks
        while refused - taken > 1 {
            let blocks = Array(repeating: BlockListElement(blockNumber: 0), count: count)
            guard let status = try await probeRead([service], blocks, &steps) else { return }
            if status.isSuccess { taken = count } else { refused = count }
            count = (taken + refused) / 2
        }
    }

    /// Reads blocks and returns the status flags; `nil` if there is no answer.
    @discardableResult
    private mutating func probeRead(
        _ services: [NodeCode], _ blocks: [BlockListElement], _ steps: inout ProbeSteps
    ) async throws(ClientError) -> StatusFlags? {
        try await step(ReadWithoutEncryption.code.name, &steps) { reader throws(ClientError) in
            let request = ReadWithoutEncryption.Request(
                idm: try reader.selectedSystem().idm, services: services, blocks: blocks)
            return try await reader.ask(ReadWithoutEncryption.self, request, .read, count: blocks.count).status
        }
    }
}

extension Polling.RequestCode {
    /// A request code that no card is known to support.
    fileprivate static var unknown: Self { Self(3) }
}
