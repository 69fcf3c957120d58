import TapField
import TapWire

/// Exchanges with targets.
extension PN532 {
    /// Sends data to a target and gives its answer, as MIFARE and FeliCa cards need it.
    mutating func exchange(_ request: InDataExchange.Request, in world: inout World) -> InDataExchange.Response {
        // Bit 6 says that more data follow, which only other protocols know.
        guard let index = index(of: request.target & 0x3F) else { return .init(noting(.wrongContext)) }
        guard world.isFieldOn else { return .init(noting(.timeout)) }
        let card = targets[index].card
        guard !request.payload.isEmpty else { return .init(noting(.wrongFormat)) }
        if card.technology.isFeliCa { return response(to: request.payload, card.technology, in: &world) }
        guard activate(index, in: &world) else { return .init(noting(.timeout)) }
        return typeAExchange(request.payload, in: &world)
    }

    /// The commands by which MIFARE Classic authenticates; the first is GET_VERSION to an NTAG.
    private static let authentications: Set<UInt8> = [0x60, 0x61]

    /// Sends a command to a type A card: a COMPATIBILITY_WRITE in its two steps, and of what begins an authentication
    /// two bytes, since the chip keeps the key for itself.
    private mutating func typeAExchange(_ command: [UInt8], in world: inout World) -> InDataExchange.Response {
        if Self.authentications.contains(command[0]) {
            let answer = response(to: Array(command.prefix(2)), .typeA106, in: &world)
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

    private mutating func response(
        to bytes: [UInt8], _ technology: Technology, in world: inout World
    ) -> InDataExchange.Response {
        let frame = technology.isFeliCa ? AirFrame(technology, bytes) : TypeAFraming.command(bytes)
        let reply = CardReply(world.exchangeWithOneCard(frame, waiting: patience))
        if let status = faultyStatus(in: &world) { return .init(noting(status)) }
        switch reply {
        case .silence: return .init(noting(.timeout))
        case .damaged(.badCRC): return .init(noting(.badCRC))
        case .damaged(.badParity): return .init(noting(.badParity))
        case .acknowledgement(.ack): return .init(.ok)
        // A NAK is an answer of wrong length.
        case .acknowledgement, .damaged(.good): return .init(noting(.wrongFormat))
        case .bytes(let bytes):
            guard bytes.count < PN532Packet.maximumData else { return .init(noting(.overflow)) }
            return .init(.ok, bytes)
        }
    }

    /// The status that a fault makes the chip report.
    private func faultyStatus(in world: inout World) -> PN532Status? {
        world.takeReaderFaults(ofChip: true).lazy.compactMap { fault in
            if case .chipStatus(let status) = fault { PN532Status(status) } else { nil }
        }.last
    }

    /// Sends bytes as the registers say and gives what comes back.
    mutating func communicate(_ data: [UInt8], in world: inout World) -> InCommunicateThru.Response {
        guard world.isFieldOn, !data.isEmpty, let channel = registers.channel,
            let reception = channel.exchange(data, in: &world, waiting: patience)
        else { return .init(noting(.timeout)) }
        if let status = faultyStatus(in: &world) { return .init(noting(status)) }
        registers.noteLastBits(reception.lastBits)
        guard reception.bytes.count < PN532Packet.maximumData else { return .init(noting(.overflow)) }
        switch reception.integrity {
        case .good: return .init(.ok, reception.bytes)
        case .badCRC: return .init(noting(.badCRC))
        case .badParity: return .init(noting(.badParity))
        }
    }
}

/// Which target is selected.
extension PN532 {
    /// Deselects a target, or all with number 0; a type A card is halted.
    mutating func deselect(_ number: UInt8, in world: inout World) -> [UInt8] {
        guard number != 0 else {
            halt(in: &world)
            return [PN532Status.ok.rawValue]
        }
        guard let index = index(of: number) else { return [noting(.wrongContext).rawValue] }
        if selected == index { halt(in: &world) }
        return [PN532Status.ok.rawValue]
    }

    /// Deselects a target, or all with number 0, and forgets it.
    mutating func release(_ number: UInt8, in world: inout World) -> [UInt8] {
        let answer = deselect(number, in: &world)
        guard answer == [PN532Status.ok.rawValue] else { return answer }
        let kept = selected.map { targets[$0].number }
        targets.removeAll { number == 0 || $0.number == number }
        selected = kept.flatMap(index(of:))
        return answer
    }

    /// Selects a target found before.
    mutating func select(_ number: UInt8, in world: inout World) -> [UInt8] {
        guard let index = index(of: number) else { return [noting(.wrongContext).rawValue] }
        return [(activate(index, in: &world) ? .ok : noting(.timeout)).rawValue]
    }

    private func index(of number: UInt8) -> Int? { targets.firstIndex { $0.number == number } }

    private mutating func halt(in world: inout World) {
        if selected != nil, world.isFieldOn { world.halt() }
        selected = nil
    }

    /// Makes a type A target the selected one; a selected one is taken to be so still.
    ///
    /// So a card that has fallen back to IDLE stays there until the host looks for it again.
    private mutating func activate(_ index: Int, in world: inout World) -> Bool {
        guard selected != index, case .typeA(let tag) = targets[index].card.identity else { return true }
        halt(in: &world)
        guard world.findTypeA(tag.uid) != nil else { return false }
        selected = index
        return true
    }
}
