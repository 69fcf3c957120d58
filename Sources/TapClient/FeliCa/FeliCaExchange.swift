import TapWire

/// A system of a FeliCa card that answered Polling.
public struct FeliCaSystem: Hashable, Sendable {
    /// The system code that the card reported, else the requested code.
    public let code: SystemCode
    /// The IDm, which addresses later commands.
    public let idm: IDm
    public let pmm: PMm
    public let technology: Technology

    public init(code: SystemCode, idm: IDm, pmm: PMm, technology: Technology = .felica212) {
        self.code = code
        self.idm = idm
        self.pmm = pmm
        self.technology = technology
    }

    func isOnSameCard(as other: FeliCaSystem?) -> Bool {
        guard let other else { return false }
        return idm.ofSystem(0) == other.idm.ofSystem(0) && pmm == other.pmm
    }
}

extension CardReader {
    /// Selects a system with Polling, and requests its code.
    ///
    /// - Parameter code: The system code; `FF` in a byte matches any value.
    /// - Throws: ``ClientError`` if no card has the system, the answer contradicts the request, or the link fails.
    @discardableResult
    public mutating func activate(system code: SystemCode) async throws(ClientError) -> FeliCaSystem {
        guard let found = try await find(system: code) else { throw .noSystem(code) }
        return found
    }

    /// Selects a system with Polling, sent as many times as ``Patience`` says, or `times`; `nil` if no card has it.
    mutating func find(system code: SystemCode, times: Int? = nil) async throws(ClientError) -> FeliCaSystem? {
        let polling = Polling.Request(systemCode: code, requestCode: .systemCode)
        guard let tag = try await search(.felica(polling), times: times) else { return nil }
        guard case .felica(let answer, let technology) = tag else {
            throw .malformedAnswer(Polling.code.name, "the link found a card of another technology")
        }
        let told = answer.requestData.map { SystemCode($0) }
        guard code.matches(told ?? code) else {
            throw .malformedAnswer(Polling.code.name, "system \(told ?? code) answered a Polling for \(code)")
        }
        let found = FeliCaSystem(code: told ?? code, idm: answer.idm, pmm: answer.pmm, technology: technology)
        if !found.isOnSameCard(as: system) { blockLimits = BlockLimits(read: blocksAtOnce) }
        system = found
        secure = nil
        return found
    }

    func selectedSystem() throws(ClientError) -> FeliCaSystem {
        guard let system else { throw .nothingSelected }
        return system
    }

    /// Sends a command to the selected system; a command that changes the card is sent only once.
    ///
    /// - Throws: ``ClientError`` for anything but the right answer of the right card.
    mutating func ask<Command: FeliCaCommand>(
        _: Command.Type, _ request: Command.Request, _ commandClass: PMm.CommandClass, count: Int = 0,
        changesCard: Bool = false
    ) async throws(ClientError) -> Command.Response {
        let system = try selectedSystem()
        let frame = RFFrame(system.technology, request.bytes)
        let waiting = max(patience.felica, system.pmm.maximumResponseTime(commandClass, count: count))
        var attemptsLeft = changesCard ? 1 : max(1, patience.attempts)
        var mayReturn = !changesCard
        while true {
            attemptsLeft -= 1
            do {
                let answer = try await send(frame, Command.code.name, waiting: waiting)
                return try system.read(answer.bytes, answering: Command.self)
            } catch {
                guard error.isTransient else { throw error }
                guard attemptsLeft == 0 else { continue }
                guard mayReturn, error.code == .silence, try await hasReturned(system) else { throw error }
                (attemptsLeft, mayReturn) = (1, false)
            }
        }
    }

    /// Waits for a silent card, and returns whether this card, and no other, answers again.
    mutating func hasReturned(_ system: FeliCaSystem) async throws(ClientError) -> Bool {
        let polling = Polling.Request(systemCode: system.code)
        guard let tag = try await search(.felica(polling, system.technology), times: patience.searchesForLost),
            case .felica(let answer, _) = tag
        else { return false }
        return answer.idm == system.idm
    }
}

extension FeliCaSystem {
    /// Parses the answer of this system.
    ///
    /// - Throws: ``ClientError`` for anything but the right answer of this system.
    package func read<Command: FeliCaCommand>(
        _ packet: [UInt8], answering _: Command.Type
    ) throws(ClientError) -> Command.Response {
        let slice = packet[...]
        let bytes = slice.span
        guard FeliCaPacket.isWhole(bytes) else {
            throw .wrongLength(packet.count, Command.code.name, "LEN is \(packet.first ?? 0)")
        }
        let code = CommandCode(of: bytes)
        guard code == Command.code.response else { throw .wrongResponseCode(code, Command.code) }
        guard bytes.count >= FeliCaPacket.idmLength else {
            throw .wrongLength(packet.count, Command.code.name, "the IDm alone needs \(FeliCaPacket.idmLength)")
        }
        let sender = IDm(bytes.bigEndian64(at: FeliCaPacket.idmOffset))
        guard sender == idm else { throw .wrongIDm(sender, insteadOf: idm, Command.code.name) }
        do {
            return try Command.Response(parsing: bytes)
        } catch {
            throw .unreadable(Command.code.name, error)
        }
    }
}

/// A node of a system, as Search Service Code lists it.
public enum FeliCaNode: Hashable, Sendable {
    case area(NodeCode, end: NodeCode)
    case service(NodeCode)
}

extension CardReader {
    /// The maximum number of nodes; a longer listing counts as endless.
    static var maximumNodes: Int { 2_048 }

    /// Requests the key versions of nodes of the selected system, in several commands if necessary; `nil` for a node that
    /// does not exist.
    public mutating func requestService(_ nodes: [NodeCode]) async throws(ClientError) -> [UInt16?] {
        var versions: [UInt16?] = []
        for start in stride(from: 0, to: nodes.count, by: FeliCaPacket.maximumNodes) {
            let asked = Array(nodes[start...].prefix(FeliCaPacket.maximumNodes))
            let request = RequestService.Request(idm: try selectedSystem().idm, nodes: asked)
            let answer = try await ask(RequestService.self, request, .requestService, count: asked.count)
            guard answer.values.count == asked.count else {
                throw .wrongLength(
                    11 + 2 * answer.values.count, RequestService.code.name, "\(asked.count) key versions were requested"
                )
            }
            versions += answer.values.map { $0 == RequestService.absent ? nil : $0 }
        }
        return versions
    }

    /// Returns the nodes that the selected system has, in order.
    public mutating func existing(_ nodes: [NodeCode]) async throws(ClientError) -> [NodeCode] {
        let versions = try await requestService(nodes)
        return zip(nodes, versions).filter { $0.1 != nil }.map(\.0)
    }

    /// Requests the codes of all systems of the card, from system 0 on.
    ///
    /// Cards without the command are silent.
    ///
    /// - Throws: ``ClientError`` if the exchange fails.
    public mutating func requestSystemCodes() async throws(ClientError) -> [SystemCode] {
        let request = RequestSystemCode.Request(idm: try selectedSystem().idm)
        return try await ask(RequestSystemCode.self, request, .fixed).systems
    }

    /// Lists all areas and services of the selected system with Search Service Code, the root area first.
    ///
    /// Cards without the command are silent.
    ///
    /// - Throws: ``ClientError`` if the exchange fails or the list does not end.
    public mutating func listNodes() async throws(ClientError) -> [FeliCaNode] {
        guard let nodes = try await listNodesIfPossible() else { throw .silence(after: SearchServiceCode.code.name) }
        return nodes
    }

    /// Like ``listNodes()``, but `nil` for a card that is silent from the start.
    mutating func listNodesIfPossible() async throws(ClientError) -> [FeliCaNode]? {
        let idm = try selectedSystem().idm
        var nodes: [FeliCaNode] = []
        while nodes.count < Self.maximumNodes {
            let request = SearchServiceCode.Request(idm: idm, index: UInt16(nodes.count))
            let answer: SearchServiceCode.Response
            do {
                answer = try await ask(SearchServiceCode.self, request, .fixed)
            } catch {
                if error.code == .silence, nodes.isEmpty { return nil }
                throw error
            }
            if answer.isEnd { return nodes }
            nodes.append(answer.areaEnd.map { .area(answer.node, end: $0) } ?? .service(answer.node))
        }
        throw .endless("the nodes of system \(try selectedSystem().code)", after: nodes.count)
    }
}
