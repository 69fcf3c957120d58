import TapCards
import TapWire

extension FaultCatalogue {
    /// What a card tells wrongly about itself: its systems, services and timing.
    static let feliCaDirectory: [FaultKind] = [
        FaultKind(
            "felica.pmm", "The answer to Polling carries another PMm.",
            models:
                "A phone or an emulator has made-up timing bytes; who reckons time limits from them waits too short.",
            [FaultParameter("pmm", .bytes(8...8), .bytes(Array(repeating: 0, count: 8)), "The PMm.")],
            scope: .feliCaPolling,
            effect: .answer { answer, strike in
                let pmm = PMm(UInt64(octets: strike.arguments.bytes("pmm") ?? []))
                answer.rewrite(Polling.Response.self) { $0.pmm = pmm }
            }),
        FaultKind(
            "felica.polling_data", "The answer to Polling has other request data, or some where none were asked for.",
            models: "Chips differ: old ones leave request data out, others add them unasked.",
            [
                FaultParameter(
                    "data", .bytes(0...2), .bytes([0xFF, 0xFF]),
                    "What stands in their place, such as a system code; `\"\"` leaves them out.")
            ], scope: .feliCaPolling,
            effect: .answer { answer, strike in
                answer.rewriteFeliCa { packet in
                    packet.keep(Polling.Response.shortLength)
                    packet.bytes += strike.arguments.bytes("data") ?? []
                    packet.length = UInt8(packet.bytes.count)
                }
            }),
        FaultKind(
            "felica.polling_system", "The answer to Polling carries the IDm of another system of the card.",
            models: "A phone with several cards answers for the one it shows, whatever system was polled.",
            [FaultParameter("system", .integer(0...15), nil, "The number of the system; without it the one behind.")],
            scope: .feliCaPolling,
            effect: .answer { answer, strike in
                answer.rewrite(Polling.Response.self) { response in
                    let number = strike.arguments.integer("system") ?? (response.idm.systemNumber + 1) % 16
                    response.idm = response.idm.ofSystem(number)
                }
            }),
        FaultKind(
            "felica.systems", "Request System Code lists other systems than the card has.",
            models: "Phones list systems that they do not open, and chips leave out those they hide.",
            [
                FaultParameter(
                    "list", .word(["more", "less", "none"]), .word("more"),
                    "Whether a system is added, the last one left out, or all."),
                FaultParameter("system", .bytes(2...2), .bytes([0x88, 0xB4]), "The code of a system that is added."),
            ], scope: .commands("felica.request_system_code"), times: .always,
            effect: .answer { answer, strike in
                let added = SystemCode(
                    UInt16(truncatingIfNeeded: UInt64(octets: strike.arguments.bytes("system") ?? [])))
                answer.rewrite(RequestSystemCode.Response.self) { response in
                    switch strike.arguments.word("list") {
                    case "less": response.systems = response.systems.dropLast()
                    case "none": response.systems = []
                    default: response.systems.append(added)
                    }
                }
            }),
        FaultKind(
            "felica.missing_service", "A service that a command names does not exist: FFFF for its version, error A6.",
            models: "Cards of one kind differ in their services, and issuers take services away.",
            [
                FaultParameter(
                    "service", .bytes(2...2), nil,
                    "The service code as people say it, such as 090F; without it the first that the command names.")
            ], scope: .feliCaServices, times: .always,
            effect: .command { command, strike in
                command.frame?.replaceNode(strike.arguments.service("service"))
            }),
        FaultKind(
            "felica.endless_search", "Search Service Code and Request Code List never come to their end.",
            models: "An emulator answers every index, so that who waits for FFFF searches for ever.",
            scope: .commands("felica.search_service_code", "felica.request_code_list"), times: .always,
            effect: .answer { answer, _ in answer.continueList() }),
    ]
}

extension AirFrame {
    /// Lets a command name a node that no card has in place of one that it names, the first where none is given.
    fileprivate mutating func replaceNode(_ node: NodeCode?) {
        guard let offset = CommandName(of: self)?.feliCa?.nodeCountOffset, bytes.count > offset else { return }
        let slice = bytes[...]
        let end = min(offset + 1 + 2 * Int(bytes[offset]), bytes.count - 1)
        for index in stride(from: offset + 1, to: end, by: 2) {
            let code = NodeCode(slice.span.littleEndian16(at: index))
            guard node == nil || node == code else { continue }
            // No number is higher, so that lists in ascending order stay what they are if it is the last of them.
            let missing = 0xFFC0 | UInt16(code.attribute.rawValue)
            bytes[index] = UInt8(truncatingIfNeeded: missing)
            bytes[index + 1] = UInt8(missing >> 8)
            return
        }
    }
}

extension AnswerOnAir {
    /// Lets a list of areas and services go on behind its end.
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

    /// A random service that anybody may read, with a number of its own for each of a thousand indices.
    private static func madeUpService(_ index: UInt16) -> NodeCode {
        NodeCode(index << 6 | 0x0B)
    }
}

extension FaultCatalogue {
    /// What FeliCa cards do otherwise than others, or than a moment before.
    static let feliCaConduct: [FaultKind] = [
        FaultKind(
            "felica.cyclic_shift",
            "A new record has come into a cyclic service: all its blocks stand one further back.",
            models: "Between two reads the card was used: a gate wrote a record, and the history has moved on.",
            [
                FaultParameter(
                    "service", .bytes(2...2), nil,
                    "The service code as people say it; without it each cyclic service that the command reads."),
                FaultParameter(
                    "record", .bytes(16...16), nil,
                    "The new record; without it the newest again, its last byte one more."),
            ], scope: .feliCaRead,
            effect: .image { card, strike in
                guard var changed = card as? FeliCaCard else { return }
                changed.pushRecord(strike)
                card = changed
            }),
        FaultKind(
            "felica.limits", "The card takes fewer blocks in a command than its IC does: FF A2 beyond them.",
            models: "Chips take 4, 8, 12 or 15 blocks, and a card of the same name may have another chip.",
            [FaultParameter("blocks", .integer(0...15), .integer(4), "The most blocks the card takes.")],
            scope: .commands("felica.read", "felica.write"), times: .always,
            effect: .command { command, strike in
                command.frame?.overstateBlocks(ifMoreThan: strike.arguments.integer("blocks") ?? 0)
            }),
        FaultKind(
            "felica.silent_command", "The card never answers the command.",
            models: "A chip does not know the command; FeliCa cards have no way to say so but silence.",
            scope: .felica, times: .always,
            effect: .command { command, _ in command.frame = nil }),
        FaultKind(
            "felica.lost_mode",
            "The card forgets what came before: system 0, Mode0, and silence until it is polled again.",
            models: "A phone switches its card emulation off for a moment, for a call or when the screen locks.",
            [
                FaultParameter(
                    "until_polled", .flag, .flag(true), "Whether the card is silent to all but Polling from then on.")
            ], scope: .feliCaIDm,
            effect: .card { card, strike in
                guard var changed = card as? FeliCaCard, changed.isAddressed(by: strike.command) else { return }
                changed.forgetSession(untilPolled: strike.arguments.flag("until_polled"))
                card = changed
            }),
    ]
}

extension FeliCaCard {
    /// Whether a command is for this card, by its IDm, or for every card.
    fileprivate func isAddressed(by command: AirFrame) -> Bool {
        CommandFacts(command).idm.map { systemCode(of: $0) != nil } ?? true
    }

    /// Puts a record into the cyclic services that a read names, or into the one that the fault does; where there is
    /// no read to tell, into all.
    fileprivate mutating func pushRecord(_ strike: FaultStrike) {
        let facts = CommandFacts(strike.command)
        let system = facts.idm.flatMap { systemCode(of: $0) }
        let named = strike.arguments.service("service").map { [$0] } ?? facts.services
        for (code, service) in services where service.attribute.kind == .cyclic {
            guard system == nil || system == code, named.isEmpty || named.contains(service),
                let blocks = blocks(of: service, in: code), var record = blocks.first
            else { continue }
            record[BlockData.byteCount - 1] &+= 1
            if let given = strike.arguments.bytes("record") { record = BlockData(given) }
            replaceBlocks(of: service, in: code, with: [record] + blocks)
        }
    }
}

extension AirFrame {
    /// Lets a read or write with more blocks than a limit announce more than any card takes, so that the card itself
    /// refuses it in the way of its IC.
    fileprivate mutating func overstateBlocks(ifMoreThan limit: Int) {
        let slice = bytes[...]
        guard let layout = BlockAccessLayout(slice.span), layout.blockCount > limit else { return }
        bytes[layout.blockListOffset - 1] = 0xFF
    }
}
