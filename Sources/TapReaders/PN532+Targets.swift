import TapField
import TapWire

extension PN532 {
    /// Looks for targets of one kind; `nil` for an endless search that has found none.
    ///
    /// Type A cards are called with WUPA, so that a deselected card is found again.
    mutating func list(
        _ request: InListPassiveTarget.Request, in world: inout World
    ) throws(WireError) -> InListPassiveTarget.Response? {
        guard 1...InListPassiveTarget.maximumTargets ~= Int(request.maximum) else {
            throw WireError(.wrongValue, at: 2, in: "number of targets", "it must be 1 or 2")
        }
        forget()
        let search = try Search(request)
        let isEndless = passiveRetries == .max
        for _ in 0...passiveRetries {
            let injections = world.injectionCount
            find(search, upTo: Int(request.maximum), in: &world)
            // Only injected faults can change the field during an endless search.
            if !targets.isEmpty || isEndless && world.injectionCount == injections { break }
        }
        guard !targets.isEmpty || !isEndless else { return nil }
        return InListPassiveTarget.Response(targets.compactMap(\.wireTarget))
    }

    /// Looks for several kinds of targets in turn; `nil` for an endless search that has found none.
    mutating func poll(_ request: InAutoPoll.Request, in world: inout World) -> InAutoPoll.Response? {
        forget()
        for _ in 0..<max(1, request.rounds) {
            let injections = world.injectionCount
            for type in request.types {
                guard let search = Search(type) else { continue }
                find(search, upTo: 1, in: &world)
                guard let target = targets.first?.wireTarget else { continue }
                return InAutoPoll.Response(found: [(type, target)])
            }
            // Only injected faults can change the field between two rounds.
            if world.injectionCount == injections { break }
        }
        return request.rounds == .max ? nil : InAutoPoll.Response(found: [])
    }

    /// Makes a card found by the reader around the chip the only target.
    mutating func adopt(_ card: FoundCard) {
        targets = [Target(number: 1, card: card)]
        selected = 0
        registers.setModes(for: card.technology)
    }

    /// Returns whether a card is the only target and is selected.
    func holds(_ card: FoundCard) -> Bool {
        guard targets.count == 1, let held = targets.first?.card else { return false }
        let isSame = held.index == card.index && held.visit == card.visit && held.technology == card.technology
        return isSame && selected == 0
    }

    private mutating func forget() {
        targets = []
        selected = nil
    }

    private mutating func find(_ search: Search, upTo maximum: Int, in world: inout World) {
        let cards: [FoundCard]
        switch search {
        case .typeA(let uid):
            cards = findTypeA(uid, upTo: maximum, in: &world)
            registers.noteTypeASearch(hasFound: !cards.isEmpty)
        case .felica(let polling, let technology):
            cards = world.findFeliCas(polling, technology, upTo: maximum)
        case .nothing: cards = []
        }
        targets = cards.enumerated().map { Target(number: UInt8($0.offset + 1), card: $0.element) }
        guard let first = cards.first else { return }
        registers.setModes(for: first.technology)
        selected = first.technology.isFeliCa ? 0 : cards.count - 1
    }

    /// Selects a card, then halts it and looks for another; the last one found stays selected.
    private mutating func findTypeA(_ uid: UID?, upTo maximum: Int, in world: inout World) -> [FoundCard] {
        guard let first = uid.map({ world.findTypeA($0) }) ?? world.findTypeA(.wupa) else { return [] }
        guard maximum > 1, uid == nil, case .typeA(let tag) = first.tag else { return [first] }
        world.halt()
        if let second = world.findTypeA(.reqa) { return [first, second] }
        return world.findTypeA(tag.uid) == nil ? [] : [first]
    }
}

private enum Search {
    case typeA(UID?)
    case felica(Polling.Request, Technology)
    /// A search for a technology that no emulated card has.
    case nothing

    init(_ request: InListPassiveTarget.Request) throws(WireError) {
        switch request.modulation.technology {
        case .typeA106:
            let data = request.initiatorData
            guard data.isEmpty || UID(cascaded: data) != nil else {
                throw WireError(.wrongValue, at: 4, in: "UID", "it must have 4 bytes, or 8 or 12 with cascade tags")
            }
            self = .typeA(UID(cascaded: data))
        case .felica212?, .felica424?:
            guard let polling = request.polling else {
                throw WireError(
                    .wrongValue, at: 4, in: "payload of Polling", "it must have five bytes, the first of them 00")
            }
            self = .felica(polling, request.modulation.technology ?? .felica212)
        case nil: self = .nothing
        }
    }

    init?(_ type: InAutoPoll.TargetType) {
        let polling = Polling.Request(systemCode: .any, requestCode: .systemCode)
        switch type {
        case .anyTypeA, .mifare: self = .typeA(nil)
        case .any212, .felica212: self = .felica(polling, .felica212)
        case .any424, .felica424: self = .felica(polling, .felica424)
        default: return nil
        }
    }
}

extension PN532.Target {
    var wireTarget: PN532Target { PN532Target(number: number, card.tag) }
}

extension World {
    fileprivate var injectionCount: Int { plan.tallies.reduce(0) { $0 + $1.injected.count } }
}

extension UID {
    /// Parses the bytes of all cascade levels, with cascade tags and without check bytes.
    fileprivate init?(cascaded bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count % 4 == 0 else { return nil }
        let parts = stride(from: 0, to: bytes.count, by: 4).map { start in
            CascadePart(data: bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        guard let uid = try? UID(cascadeParts: parts) else { return nil }
        self = uid
    }
}

extension PN532 {
    /// Sends data to a target in the framing of MIFARE and FeliCa cards.
    mutating func exchange(_ request: InDataExchange.Request, in world: inout World) -> InDataExchange.Response {
        // Bit 6 announces more data, which only other protocols use.
        guard let index = index(of: request.target & 0x3F) else { return .init(noting(.wrongContext)) }
        guard world.isFieldOn else { return .init(noting(.timeout)) }
        let card = targets[index].card
        guard !request.payload.isEmpty else { return .init(noting(.wrongFormat)) }
        if card.technology.isFeliCa { return response(to: request.payload, card.technology, in: &world) }
        guard activate(index, in: &world) else { return .init(noting(.timeout)) }
        return typeAExchange(request.payload, in: &world)
    }

    /// The authentication commands of MIFARE Classic; the first is GET_VERSION to an NTAG.
    private static let authentications: Set<UInt8> = [0x60, 0x61]

    /// Sends a command to a type A card: a COMPATIBILITY_WRITE in its two steps, and only the first two bytes of an
    /// authentication, because the chip itself uses the key.
    private mutating func typeAExchange(_ command: [UInt8], in world: inout World) -> InDataExchange.Response {
        if Self.authentications.contains(command[0]) {
            let answer = response(to: Array(command.prefix(2)), .typeA106, in: &world, refusal: .authentication)
            return answer.status == .timeout ? answer : .init(noting(.authentication))
        }
        let header = CompatibilityWrite.Request.length
        guard command[0] == Type2Opcode.compatibilityWrite.rawValue,
            command.count == header + CompatibilityWrite.Data.length
        else { return response(to: command, .typeA106, in: &world) }
        let first = response(to: Array(command.prefix(header)), .typeA106, in: &world)
        guard first.status.isOK else { return first }
        return response(to: Array(command.dropFirst(header)), .typeA106, in: &world)
    }

    /// Sends a command and waits for the answer.
    ///
    /// - Parameter refusal: The status for a NAK, whose four bits the chip treats as no answer.
    private mutating func response(
        to bytes: [UInt8], _ technology: Technology, in world: inout World, refusal: PN532Status = .timeout
    ) -> InDataExchange.Response {
        let frame = technology.isFeliCa ? RFFrame(technology, bytes) : TypeAFraming.command(bytes)
        let reply = LineAnswer(world.exchangeWithOneCard(frame, waiting: patience))
        if let status = faultyStatus(in: &world) { return .init(noting(status)) }
        switch reply {
        case .silence: return .init(noting(.timeout))
        case .damaged(.badCRC): return .init(noting(.badCRC))
        case .damaged(.badParity): return .init(noting(.badParity))
        case .acknowledgement(.ack): return .init(.ok)
        case .acknowledgement: return .init(noting(refusal))
        case .damaged(.good): return .init(noting(.wrongFormat))
        case .bytes(let bytes):
            guard bytes.count < PN532Packet.maximumData else { return .init(noting(.overflow)) }
            return .init(.ok, bytes)
        }
    }

    /// The status of an injected fault.
    private func faultyStatus(in world: inout World) -> PN532Status? {
        world.takeReaderFaults(ofChip: true).lazy.compactMap { fault in
            if case .chipStatus(let status) = fault { PN532Status(status) } else { nil }
        }.last
    }

    /// Performs CommunicateThruEX of the RC-S956: a timeout in units of half a millisecond, low byte first, and a frame; the
    /// answer is a status and the card's frame.
    ///
    /// Source: public drivers of the RC-S620/S for Arduino.
    mutating func communicateEx(_ data: [UInt8], in world: inout World) throws(WireError) -> [UInt8] {
        guard data.count > 2 else { throw WireError(.truncated, at: 2, in: "timeout") }
        let time = Duration.microseconds(500 * Int(data.span.littleEndian16(at: 0)))
        return communicate(Array(data.dropFirst(2)), in: &world, waiting: time).data
    }

    /// Sends bytes with the framing set in the registers.
    mutating func communicate(_ data: [UInt8], in world: inout World) -> InCommunicateThru.Response {
        communicate(data, in: &world, waiting: patience)
    }

    /// Sends bytes with the framing set in the registers, and waits for an answer.
    ///
    /// If the chip checks CRCs, a four-bit answer is an error: an ACK gives status 02, and a NAK gives 01 as if there were no
    /// answer, which is likely. Source: libfreefare, issue 112; nfc-pcsc, issue 59; NXP community, threads 505506 and 613188.
    private mutating func communicate(
        _ data: [UInt8], in world: inout World, waiting: Duration?
    ) -> InCommunicateThru.Response {
        guard world.isFieldOn, !data.isEmpty, let channel = registers.channel,
            let reception = channel.exchange(data, in: &world, waiting: waiting)
        else { return .init(noting(.timeout)) }
        if let status = faultyStatus(in: &world) { return .init(noting(status)) }
        registers.noteLastBits(reception.lastBits)
        guard reception.bytes.count < PN532Packet.maximumData else { return .init(noting(.overflow)) }
        switch reception.integrity {
        case .good: return .init(.ok, reception.bytes)
        case .badCRC where reception.isNAK: return .init(noting(.timeout))
        case .badCRC: return .init(noting(.badCRC))
        case .badParity: return .init(noting(.badParity))
        }
    }
}

extension PN532 {
    /// Deselects a target, or all targets if the number is 0; a type A card is halted.
    mutating func deselect(_ number: UInt8, in world: inout World) -> [UInt8] {
        let index = index(of: number)
        guard number == 0 || index != nil else { return [noting(.wrongContext).rawValue] }
        if number == 0 || selected == index { halt(in: &world) }
        return [PN532Status.ok.rawValue]
    }

    /// Deselects and forgets a target, or all targets if the number is 0.
    mutating func release(_ number: UInt8, in world: inout World) -> [UInt8] {
        let answer = deselect(number, in: &world)
        guard answer == [PN532Status.ok.rawValue] else { return answer }
        let kept = selected.map { targets[$0].number }
        targets.removeAll { number == 0 || $0.number == number }
        selected = kept.flatMap(index(of:))
        return answer
    }

    mutating func select(_ number: UInt8, in world: inout World) -> [UInt8] {
        guard let index = index(of: number) else { return [noting(.wrongContext).rawValue] }
        return [(activate(index, in: &world) ? .ok : noting(.timeout)).rawValue]
    }

    private func index(of number: UInt8) -> Int? { targets.firstIndex { $0.number == number } }

    private mutating func halt(in world: inout World) {
        // A FeliCa card cannot be deselected.
        guard let index = selected, !targets[index].card.technology.isFeliCa else { return }
        if world.isFieldOn { world.halt() }
        selected = nil
    }

    /// Selects a type A target if it is not already selected; a card that has fallen back to IDLE stays there until the host
    /// looks for it again.
    private mutating func activate(_ index: Int, in world: inout World) -> Bool {
        guard selected != index, case .typeA(let tag) = targets[index].card.tag else { return true }
        halt(in: &world)
        guard world.findTypeA(tag.uid) != nil else { return false }
        selected = index
        return true
    }
}
