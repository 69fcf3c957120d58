import TapWire

extension CardReader {
    /// Most blocks a dump reads of one service.
    static var maximumBlocksOfService: Int { 4_096 }

    /// Services a reader asks for on a card that does not list its own.
    private static var knownServices: [NodeCode] {
        let applications = [TransitServices.all, EdyServices.all, NanacoServices.all, WAONServices.all].joined()
        let codes = applications.map(\.code) + [Type3Services.read, Type3Services.write]
        return codes.sorted { $0.rawValue < $1.rawValue }
    }

    /// Reads all systems of a card, their areas and services, and every block that needs no authentication.
    ///
    /// - Throws: ``ClientError`` where the exchange fails.
    public mutating func dumpFeliCa() async throws(ClientError) -> FeliCaDump {
        let first = try await activate(system: .any)
        let listed = try await systemCodesIfPossible()
        var systems: [FeliCaDump.System] = []
        for code in listed ?? [first.code] {
            let identity = code == first.code && systems.isEmpty ? first : try await activate(system: code)
            guard identity.isOnSameCard(as: first) else {
                throw .wrongIDm(identity.idm, insteadOf: first.idm, Polling.code.name)
            }
            systems.append(try await dumpSystem(identity))
        }
        return FeliCaDump(
            idm: first.idm.ofSystem(0), pmm: first.pmm, listsSystems: listed != nil, systems: systems)
    }

    /// The systems of the card, or nothing if it is silent, as one is that does not know the command.
    private mutating func systemCodesIfPossible() async throws(ClientError) -> [SystemCode]? {
        do {
            let codes = try await requestSystemCodes()
            return codes.isEmpty ? nil : codes
        } catch {
            guard error.code == .silence else { throw error }
            return nil
        }
    }

    private mutating func dumpSystem(_ identity: FeliCaSystem) async throws(ClientError) -> FeliCaDump.System {
        let listed = try await listNodesIfPossible()
        var areas: [FeliCaDump.Area] = []
        var services: [FeliCaDump.Service] = []
        let nodes = if let listed { listed } else { try await knownNodes() }
        for node in nodes {
            switch node {
            case .area(let code, let end): areas.append(FeliCaDump.Area(code: code, end: end))
            case .service(let code):
                services.append(FeliCaDump.Service(code: code, content: try await content(of: code)))
            }
        }
        return FeliCaDump.System(identity: identity, listsNodes: listed != nil, areas: areas, services: services)
    }

    /// The known services that the selected system says it has; of a card that does not even say that, the service of
    /// FeliCa Lite and Type 3 tags.
    private mutating func knownNodes() async throws(ClientError) -> [FeliCaNode] {
        do {
            return try await existing(Self.knownServices).map { .service($0) }
        } catch {
            guard error.code == .silence else { throw error }
            return [.service(Type3Services.read)]
        }
    }

    private mutating func content(of service: NodeCode) async throws(ClientError) -> FeliCaDump.Content {
        guard service.attribute.isAuthenticationFree else { return .locked }
        do {
            return .blocks(try await readBlocks(of: service, upTo: Self.maximumBlocksOfService))
        } catch {
            guard let status = error.status else { throw error }
            return .refused(status)
        }
    }
}
