import TapWire

extension CardReader {
    /// Most nodes a listing may have before it is taken for one without end.
    static var maximumNodes: Int { 2_048 }

    /// Asks for the key versions of nodes of the selected system.
    ///
    /// - Parameter nodes: Services, areas, or the system; more than one command holds are asked for in several.
    /// - Returns: The key version of each node in the order of `nodes`, nothing for one that does not exist.
    /// - Throws: ``ClientError`` where the exchange fails.
    public mutating func requestService(_ nodes: [NodeCode]) async throws(ClientError) -> [UInt16?] {
        var versions: [UInt16?] = []
        for start in stride(from: 0, to: nodes.count, by: FeliCaPacket.maximumNodes) {
            let asked = Array(nodes[start...].prefix(FeliCaPacket.maximumNodes))
            let request = RequestService.Request(idm: try selectedSystem().idm, nodes: asked)
            let answer = try await ask(RequestService.self, request, .requestService, count: asked.count)
            guard answer.values.count == asked.count else {
                throw .wrongLength(
                    11 + 2 * answer.values.count, RequestService.code.name, "\(asked.count) key versions were asked for"
                )
            }
            versions += answer.values.map { $0 == RequestService.absent ? nil : $0 }
        }
        return versions
    }

    /// Which of some nodes the selected system has, in their order.
    ///
    /// - Throws: ``ClientError`` where the exchange fails.
    public mutating func existing(_ nodes: [NodeCode]) async throws(ClientError) -> [NodeCode] {
        let versions = try await requestService(nodes)
        return zip(nodes, versions).filter { $0.1 != nil }.map(\.0)
    }

    /// Asks for the codes of all systems of the card, from system 0 upward.
    ///
    /// - Throws: ``ClientError`` where the exchange fails; cards without the command are silent.
    public mutating func requestSystemCodes() async throws(ClientError) -> [SystemCode] {
        let request = RequestSystemCode.Request(idm: try selectedSystem().idm)
        return try await ask(RequestSystemCode.self, request, .fixed).systems
    }

    /// Lists all areas and services of the selected system by Search Service Code, the root area first.
    ///
    /// - Throws: ``ClientError`` where the exchange fails or the list does not end; cards without the command are
    ///   silent.
    public mutating func listNodes() async throws(ClientError) -> [FeliCaNode] {
        guard let nodes = try await listNodesIfPossible() else { throw .silence(after: SearchServiceCode.code.name) }
        return nodes
    }

    /// Lists the nodes like ``listNodes()``, or gives nothing if the card is silent from the beginning.
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
