import TapClient
import TapField
import TapWire

extension PhoneReader {
    /// The IDm of the system a FeliCa tag was last polled for, eight bytes; empty after a Polling that failed and for
    /// any other tag.
    public func currentIDm(of tag: PhoneTag) -> [UInt8] {
        if let state = feliCaState(of: tag) { return state.idm?.rawValue.octets ?? [] }
        if case .feliCa(let idm, _, _) = tag.kind { return idm.rawValue.octets }
        return []
    }

    /// The code of the system a FeliCa tag was last polled for, two bytes, the high one first; empty for any other tag.
    public func currentSystemCode(of tag: PhoneTag) -> [UInt8] {
        if let state = feliCaState(of: tag) { return state.systemCode.rawValue.bigEndianBytes }
        if case .feliCa(_, _, let code) = tag.kind { return code.rawValue.bigEndianBytes }
        return []
    }

    private func feliCaState(of tag: PhoneTag) -> FeliCaState? {
        guard tag.discovery == discovery, tags.indices.contains(tag.number),
            case .feliCa(let state) = tags[tag.number].kind
        else { return nil }
        return state
    }

    /// The connected FeliCa tag and what is known of it, ready for a command.
    mutating func readyFeliCa(
        _ tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> (index: Int, state: FeliCaState) {
        let index = try ready(tag, in: &world)
        guard case .feliCa(let state) = tags[index].kind else {
            throw PhoneError(.unsupportedFeature, reason: "the tag is no FeliCa card")
        }
        return (index, state)
    }

    /// The connected FeliCa tag and its current system.
    ///
    /// - Throws: ``PhoneError`` 102 after a Polling that failed, since there is no IDm to address.
    mutating func readySystem(
        _ tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> (index: Int, system: FeliCaSystem) {
        let (index, state) = try readyFeliCa(tag, in: &world)
        guard let idm = state.idm else {
            throw .noResponse(
                "the last Polling of the tag failed, so there is no current IDm; poll for a system that the card has")
        }
        return (index, FeliCaSystem(code: state.systemCode, idm: idm, pmm: state.pmm))
    }

    /// Sends a command to a system and reads its answer.
    ///
    /// - Throws: ``PhoneError`` 100 if the tag left, 102 for silence and for anything but the right answer.
    mutating func ask<Command: FeliCaCommand>(
        _: Command.Type, _ request: Command.Request, _ commandClass: PMm.CommandClass, count: Int = 0,
        of found: (index: Int, system: FeliCaSystem), in world: inout World
    ) throws(PhoneError) -> Command.Response {
        let waiting = PhonePatience.feliCa(found.system.pmm, commandClass, count)
        let name = Command.code.name
        let answer = try exchange(request.bytes, name, waiting, of: found.index, in: &world)
        do {
            return try found.system.read(answer, answering: Command.self)
        } catch {
            throw .noResponse(error.description)
        }
    }

    /// Sends a packet to a FeliCa tag and gives the packet that came back.
    func exchange(
        _ packet: [UInt8], _ name: String, _ waiting: Duration, of index: Int, in world: inout World
    ) throws(PhoneError) -> [UInt8] {
        guard let answer = world.exchangeWithOneCard(AirFrame(.felica212, packet), waiting: waiting) else {
            throw silence(of: index, to: name, after: waiting, in: world)
        }
        guard answer.integrity == .good else { throw damage(of: index, to: name, in: world) }
        return answer.bytes
    }

    /// The error for an answer that came damaged: its tag left in the middle, or it is there.
    func damage(of index: Int, to command: String, in world: World) -> PhoneError {
        guard isPresent(index, in: world) else {
            return .lost(
                "the tag left the phone in the middle of its answer to \(command); call restartPolling() to find it again"
            )
        }
        return .noResponse("the answer to \(command) came with a wrong CRC or parity; try again")
    }
}
