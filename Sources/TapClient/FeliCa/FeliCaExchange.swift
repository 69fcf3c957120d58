import TapWire

extension CardReader {
    /// Selects a system by Polling and asks for its code.
    ///
    /// - Parameter code: The system to look for; `FF` in a byte matches any.
    /// - Throws: ``ClientError``: no card has the system, the answer contradicts the question, or the link fails.
    @discardableResult
    public mutating func activate(system code: SystemCode) async throws(ClientError) -> FeliCaSystem {
        guard let found = try await find(system: code) else { throw .noSystem(code) }
        return found
    }

    /// Selects a system by Polling, or gives nothing if no card has it.
    mutating func find(system code: SystemCode) async throws(ClientError) -> FeliCaSystem? {
        let polling = Polling.Request(systemCode: code, requestCode: .systemCode)
        guard let tag = try await search(.felica(polling)) else { return nil }
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
        return found
    }

    /// The selected system.
    ///
    /// - Throws: ``ClientError`` if there is none.
    func selectedSystem() throws(ClientError) -> FeliCaSystem {
        guard let system else { throw .nothingSelected }
        return system
    }

    /// Sends a command to the selected system and reads the answer.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - commandClass: Which response time of the PMm counts.
    ///   - count: Nodes or blocks in the command.
    ///   - changesCard: Whether the command must not be sent again after silence or damage.
    /// - Throws: ``ClientError`` for anything but the right answer of the right card.
    mutating func ask<Command: FeliCaCommand>(
        _: Command.Type, _ request: Command.Request, _ commandClass: PMm.CommandClass, count: Int = 0,
        changesCard: Bool = false
    ) async throws(ClientError) -> Command.Response {
        let system = try selectedSystem()
        let frame = AirFrame(system.technology, request.bytes)
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

    /// Waits for a card that has fallen silent, and tells whether it, and no other, answers again.
    private mutating func hasReturned(_ system: FeliCaSystem) async throws(ClientError) -> Bool {
        let polling = Polling.Request(systemCode: system.code)
        guard let tag = try await search(.felica(polling, system.technology), times: patience.searchesForLost),
            case .felica(let answer, _) = tag
        else { return false }
        return answer.idm == system.idm
    }
}

extension FeliCaSystem {
    /// Reads a packet as the answer of this system to a command.
    ///
    /// - Throws: ``ClientError`` for anything but the right answer of this system.
    package func read<Command: FeliCaCommand>(
        _ packet: [UInt8], answering _: Command.Type
    ) throws(ClientError) -> Command.Response {
        let slice = packet[...]
        let bytes = slice.span
        guard FeliCaPacket.isWhole(bytes) else {
            throw .wrongLength(packet.count, Command.code.name, "LEN says \(packet.first ?? 0)")
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
