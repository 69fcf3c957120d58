import TapWire

/// The readable data of a card of either family.
public enum CardDump: Hashable, Sendable {
    case felica(FeliCaDump)
    case type2(Type2Dump)
}

extension CardReader {
    /// Reads a whole Type 2 tag or, if there is none, a whole FeliCa card.
    ///
    /// - Parameters:
    ///   - password: The password of an NTAG21x; if `nil`, only free pages are read.
    ///   - pack: The PACK that the tag should answer, or `nil` for any.
    /// - Throws: ``ClientError`` if there is no card, the password is wrong, or the exchange fails.
    public mutating func dump(
        password: PageData? = nil, expecting pack: UInt16? = nil
    ) async throws(ClientError) -> CardDump {
        if let tag = try await findTypeA() {
            try begin(with: tag)
            return .type2(try await dumpType2(tag, password: password, expecting: pack))
        }
        return .felica(try await dumpFeliCa())
    }
}

public struct FeliCaDump: Hashable, Sendable {
    public struct System: Hashable, Sendable {
        public let identity: FeliCaSystem
        /// A Boolean value that indicates whether the card listed its nodes; otherwise the services are the known ones that
        /// it confirms.
        public let listsNodes: Bool
        /// The areas in ascending order, the root first; empty if the card lists no nodes.
        public let areas: [Area]
        public let services: [Service]
    }

    public struct Area: Hashable, Sendable {
        public let code: NodeCode
        public let end: NodeCode
    }

    public struct Service: Hashable, Sendable {
        public let code: NodeCode
        public let content: Content
    }

    public enum Content: Hashable, Sendable {
        case blocks([BlockData])
        /// The service needs authentication.
        case locked
        /// The card refused the read although the attribute allows it.
        case refused(StatusFlags)
    }

    public let idm: IDm
    public let pmm: PMm
    /// A Boolean value that indicates whether the card listed its systems; otherwise there is only the one that answered
    /// Polling.
    public let listsSystems: Bool
    public let systems: [System]
}

extension CardReader {
    static var maximumBlocksOfService: Int { 4_096 }

    /// The services to request from a card that does not list its own.
    static var knownServices: [NodeCode] {
        let codes = KnownApplication.all.flatMap(\.services).map(\.code)
        return codes.sorted { $0.rawValue < $1.rawValue }
    }

    /// Reads all systems of a card, their areas and services, and every block that needs no authentication.
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

    /// Returns the system codes; `nil` for a silent card, such as one without the command.
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
        let (nodes, listsNodes) = try await nodes(orOf: Self.knownServices)
        var areas: [FeliCaDump.Area] = []
        var services: [FeliCaDump.Service] = []
        for node in nodes {
            switch node {
            case .area(let code, let end): areas.append(FeliCaDump.Area(code: code, end: end))
            case .service(let code):
                services.append(FeliCaDump.Service(code: code, content: try await content(of: code)))
            }
        }
        return FeliCaDump.System(identity: identity, listsNodes: listsNodes, areas: areas, services: services)
    }

    /// Returns the nodes that the selected system lists; else the given services that it confirms; else, for a card that
    /// answers neither, the service of FeliCa Lite and Type 3 tags.
    mutating func nodes(
        orOf services: [NodeCode]
    ) async throws(ClientError) -> (nodes: [FeliCaNode], areListed: Bool) {
        if let listed = try await listNodesIfPossible() { return (listed, true) }
        do {
            return (try await existing(services).map { .service($0) }, false)
        } catch {
            guard error.code == .silence else { throw error }
            return ([.service(Type3Services.read)], false)
        }
    }

    /// Returns the blocks of a service of the selected system, if it can be read.
    mutating func content(of service: NodeCode) async throws(ClientError) -> FeliCaDump.Content {
        guard service.attribute.isAuthenticationFree else { return .locked }
        do {
            return .blocks(try await readBlocks(of: service, upTo: Self.maximumBlocksOfService))
        } catch {
            guard let status = error.status else { throw error }
            return .refused(status)
        }
    }
}

public struct Type2Dump: Hashable, Sendable {
    public let tag: Type2Tag
    /// The pages; `nil` for a refused page.
    ///
    /// PWD and PACK read as zero.
    public let pages: [PageData?]
    /// `nil` if refused.
    public let signature: OriginalitySignature?
    /// `nil` if refused.
    public let counter: UInt32?
}

extension CardReader {
    mutating func dumpType2(
        _ selected: TypeATag, password: PageData?, expecting pack: UInt16?
    ) async throws(ClientError) -> Type2Dump {
        let tag = Type2Tag(selection: selected, version: try await readVersion())
        if let password { try await authenticate(password, expecting: pack) }
        let count = try await pageCount(of: tag)
        let run = try await readPages(0..<count)
        var pages: [PageData?] = run.pages
        pages += Array(repeating: nil, count: count - run.pages.count)
        let signature = try await unlessRefused { reader throws(ClientError) in try await reader.readSignature() }
        let counter = try await unlessRefused { reader throws(ClientError) in try await reader.readCounter() }
        return Type2Dump(tag: tag, pages: pages, signature: signature, counter: counter)
    }

    /// Returns the result of a read, or `nil` if the tag refuses it.
    private mutating func unlessRefused<Value>(
        _ read: (inout Self) async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value? {
        do {
            return try await read(&self)
        } catch {
            guard error.acknowledgement != nil else { throw error }
            return nil
        }
    }

    /// Returns the number of pages by the IC, else by the capability container, else the number of the smallest tags.
    mutating func pageCount(of tag: Type2Tag) async throws(ClientError) -> Int {
        if let product = tag.product { return product.layout.pageCount }
        let header = try await readPages(0..<NTAGLayout.firstUserPage)
        let smallest = 16
        guard header.pages.count == NTAGLayout.firstUserPage,
            let container = try? CapabilityContainer(parsing: header.pages[NTAGLayout.capabilityContainerPage].bytes),
            container.announcesNDEF
        else { return smallest }
        return min(256, max(smallest, NTAGLayout.firstUserPage + container.dataAreaSize / PageData.byteCount))
    }
}
