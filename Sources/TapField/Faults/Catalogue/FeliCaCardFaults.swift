import TapCards
import TapWire

extension FaultCatalogue {
    /// Wrong reports of a card about itself: its systems, services and timing.
    static let feliCaDirectory: [FaultKind] = [
        FaultKind(
            "felica.pmm", "The answer to Polling carries a different PMm.",
            models:
                "Phones and emulators have invented timing bytes; readers that compute timeouts from them do not wait long enough.",
            [pmm], scope: .feliCaPolling,
            effect: .answer { answer, injection in
                answer.rewrite(Polling.Response.self) { $0.pmm = injection[pmm] }
            }),
        FaultKind(
            "felica.polling_data", "The answer to Polling has wrong request data, or data that was not requested.",
            models: "Chips differ: old ones omit request data, others add them unasked.",
            [requestData], scope: .feliCaPolling,
            effect: .answer { answer, injection in
                answer.rewriteFeliCa { packet in
                    packet.keep(Polling.Response.shortLength)
                    packet.bytes += injection[requestData]
                    packet.length = UInt8(packet.bytes.count)
                }
            }),
        FaultKind(
            "felica.polling_system", "The answer to Polling carries the IDm of another system of the card.",
            models: "A phone with several cards answers for the one it presents, whatever system was polled.",
            [systemNumber], scope: .feliCaPolling,
            effect: .answer { answer, injection in
                answer.rewrite(Polling.Response.self) { response in
                    let number = injection[systemNumber] ?? (response.idm.systemNumber + 1) % 16
                    response.idm = response.idm.ofSystem(number)
                }
            }),
        FaultKind(
            "felica.systems", "The answer to Request System Code lists the wrong systems.",
            models: "Phones list systems that they do not open, and chips omit systems that they hide.",
            [listedSystems, addedSystem], scope: .commands("felica.request_system_code"), times: .always,
            effect: .answer { answer, injection in
                answer.rewrite(RequestSystemCode.Response.self) { response in
                    switch injection[listedSystems] {
                    case .more: response.systems.append(injection[addedSystem])
                    case .less: response.systems = response.systems.dropLast()
                    case .none: response.systems = []
                    }
                }
            }),
        FaultKind(
            "felica.missing_service", "A service named in the command does not exist: version FFFF, error A6.",
            models: "Cards of the same kind differ in their services, and issuers remove services.",
            [missingService], scope: .feliCaServices, times: .always,
            effect: .command { command, injection in command.frame?.replaceNode(injection[missingService]) }),
        FaultKind(
            "felica.endless_search", "The lists of Search Service Code and Request Code List never end.",
            models: "An emulator answers every index, so a search that waits for FFFF never ends.",
            scope: .commands("felica.search_service_code", "felica.request_code_list"), times: .always,
            effect: .answer { answer, _ in answer.continueList() }),
    ]

    private enum ListedSystems: String, CaseIterable {
        case more
        case less
        case none
    }

    private static let pmm = FaultKey(
        "pmm", .bytes(8...8), default: Array(repeating: 0, count: 8), "The PMm."
    ).map { PMm(UInt64(octets: $0)) }
    private static let requestData = FaultKey(
        "data", .bytes(0...2), default: [0xFF, 0xFF],
        "The request data, such as a system code; `\"\"` omits them.")
    private static let systemNumber = FaultKey<Int?>(
        "system", .integer(0...15), "The number of the system. If omitted, the next one.")
    private static let listedSystems = FaultKey(
        "list", default: ListedSystems.more, "Whether a system is added, the last one is omitted, or all are omitted.")
    private static let addedSystem = FaultKey(
        "system", .bytes(2...2), default: [0x88, 0xB4], "The code of the added system."
    ).map { SystemCode(UInt16(truncatingIfNeeded: UInt64(octets: $0))) }
    private static let missingService = FaultKey<[UInt8]?>(
        "service", .bytes(2...2),
        "The service code in the usual notation, such as 090F. If omitted, the first one the command names."
    ).map { $0.map(NodeCode.init(saidAs:)) }
}

extension RFFrame {
    /// Replaces a node of a command, by default the first, with a node that no card has.
    fileprivate mutating func replaceNode(_ node: NodeCode?) {
        guard let offset = CommandName(of: self)?.feliCa?.nodeCountOffset, bytes.count > offset else { return }
        let slice = bytes[...]
        let end = min(offset + 1 + 2 * Int(bytes[offset]), bytes.count - 1)
        for index in stride(from: offset + 1, to: end, by: 2) {
            let code = NodeCode(slice.span.littleEndian16(at: index))
            guard node == nil || node == code else { continue }
            // The highest number keeps the list in ascending order if it comes last.
            let missing = 0xFFC0 | UInt16(code.attribute.rawValue)
            bytes[index] = UInt8(truncatingIfNeeded: missing)
            bytes[index + 1] = UInt8(missing >> 8)
            return
        }
    }
}

extension RFAnswer {
    /// Continues a list of areas and services beyond its end.
    fileprivate mutating func continueList() {
        if let search = try? SearchServiceCode.Request(parsing: command.bytes) {
            rewrite(SearchServiceCode.Response.self) { response in
                if response.isEnd { response.node = Self.madeUpService(search.index) }
            }
        }
        if let list = try? RequestCodeList.Request(parsing: command.bytes) {
            rewrite(RequestCodeList.Response.self) { response in
                let services = [Self.madeUpService(list.packetIndex)]
                if response.body == nil { response.body = RequestCodeList.Nodes(services: services) }
                response.body?.continueFlag = 1
                response.status = .success
            }
        }
    }

    /// Returns an invented service with free access; each of a thousand indices gives a different number.
    private static func madeUpService(_ index: UInt16) -> NodeCode {
        NodeCode(index << 6 | 0x0B)
    }
}

extension FaultCatalogue {
    /// Differences between a FeliCa card and other cards, or its own earlier state.
    static let feliCaConduct: [FaultKind] = [
        FaultKind(
            "felica.cyclic_shift",
            "A cyclic service has a new record, so all its blocks have moved back by one.",
            models: "The card was used between two reads: a gate wrote a record and shifted the history.",
            [cyclicService, newRecord], scope: .feliCaPlainRead,
            effect: .feliCaImage { card, injection in
                card.push(injection[newRecord], into: injection[cyclicService], readBy: injection.command)
            }),
        FaultKind(
            "felica.limits", "The card accepts fewer blocks per command than its IC, and refuses more with FF A2.",
            models: "Chips accept 4, 8, 12 or 15 blocks, and a card of the same name may have a different chip.",
            [mostBlocks], scope: .commands("felica.read", "felica.write"), times: .always,
            effect: .command { command, injection in
                command.frame?.overstateBlocks(ifMoreThan: injection[mostBlocks])
            }),
        FaultKind(
            "felica.silent_command", "The card never answers the command.",
            models: "The chip does not know the command; a FeliCa card can only report that by silence.",
            scope: .felica, times: .always,
            effect: .command { command, _ in command.frame = nil }),
        FaultKind(
            "felica.lost_mode",
            "The card loses its state: system 0, Mode0, and silence until it is polled again.",
            models: "A phone switches off card emulation for a moment, during a call or when the screen locks.",
            [isSilentUntilPolled], scope: .feliCaIDm,
            effect: .card { card, injection in
                guard var changed = card as? any FeliCaEngine, changed.isAddressed(by: injection.command) else {
                    return
                }
                changed.forgetSession(untilPolled: injection[isSilentUntilPolled])
                card = changed
            }),
    ]

    private static let cyclicService = FaultKey<[UInt8]?>(
        "service", .bytes(2...2),
        "The service code in the usual notation. If omitted, every cyclic service that the command reads."
    ).map { $0.map(NodeCode.init(saidAs:)) }
    private static let newRecord = FaultKey<[UInt8]?>(
        "record", .bytes(16...16),
        "The new record. If omitted, a copy of the newest one with its last byte incremented."
    ).map { $0.map { BlockData($0) } }
    private static let mostBlocks = FaultKey(
        "blocks", .integer(0...15), default: 4, "The maximum number of blocks.")
    private static let isSilentUntilPolled = FaultKey(
        "until_polled", .flag, default: true, "Whether the card then answers only Polling.")
}

extension NodeCode {
    init(saidAs bytes: [UInt8]) {
        self.init(UInt16(truncatingIfNeeded: UInt64(octets: bytes)))
    }
}

extension FeliCaEngine {
    fileprivate func isAddressed(by command: RFFrame) -> Bool {
        CommandFacts(command).idm.map { systemCode(of: $0) != nil } ?? true
    }

    /// Pushes a record into the cyclic services a read names, or into all of them if there is no read.
    fileprivate mutating func push(_ given: BlockData?, into service: NodeCode?, readBy command: RFFrame) {
        let facts = CommandFacts(command)
        let system = facts.idm.flatMap { systemCode(of: $0) }
        let named = service.map { [$0] } ?? facts.services
        for (code, service) in services where service.attribute.kind == .cyclic {
            guard system == nil || system == code, named.isEmpty || named.contains(service),
                let blocks = blocks(of: service, in: code), var record = blocks.first
            else { continue }
            record[BlockData.byteCount - 1] &+= 1
            if let given { record = given }
            replaceBlocks(of: service, in: code, with: [record] + blocks)
        }
    }
}

extension RFFrame {
    /// Makes a read or write of more blocks than a limit announce more than any card accepts, so that the card itself refuses
    /// it as its IC does.
    fileprivate mutating func overstateBlocks(ifMoreThan limit: Int) {
        let slice = bytes[...]
        guard let layout = BlockAccessLayout(slice.span), layout.blockCount > limit else { return }
        bytes[layout.blockListOffset - 1] = 0xFF
    }
}
