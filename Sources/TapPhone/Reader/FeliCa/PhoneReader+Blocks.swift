import TapClient
import TapField
import TapWire

/// Reading and writing without encryption, and raw packets.
extension PhoneReader {
    /// Reads blocks of services that need no authentication.
    ///
    /// - Parameters:
    ///   - services: 1 to 16 service codes of two bytes, the low one first.
    ///   - blocks: Block list elements of two or three bytes.
    ///   - tag: The connected tag.
    /// - Returns: What the card said; a refusal is no error.
    /// - Throws: ``PhoneError`` for arguments, or where the right answer does not come.
    public mutating func readWithoutEncryption(
        services: [[UInt8]], blocks: [[UInt8]], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> PhoneBlocks {
        let found = try readySystem(tag, in: &world)
        let codes = try FeliCaArguments.codes(services, upTo: FeliCaPacket.maximumServices, "serviceCodeList")
        let elements = try FeliCaArguments.blocks(blocks)
        try FeliCaArguments.checkLength(length(codes, elements))
        let request = ReadWithoutEncryption.Request(idm: found.system.idm, services: codes, blocks: elements)
        let answer = try ask(
            ReadWithoutEncryption.self, request, .read, count: elements.count, of: found, in: &world)
        guard answer.status.isSuccess else { return PhoneBlocks(status: answer.status, blocks: []) }
        guard answer.blocks.count == elements.count else {
            throw .noResponse(
                "the card answered \(CountText.of(answer.blocks.count, "block")) where \(elements.count) were asked for, "
                    + "which breaks the protocol")
        }
        return PhoneBlocks(status: answer.status, blocks: answer.blocks.map(\.bytes))
    }

    /// Writes blocks of services that need no authentication.
    ///
    /// - Parameters:
    ///   - services: 1 to 16 service codes of two bytes, the low one first.
    ///   - blocks: Block list elements of two or three bytes.
    ///   - data: Sixteen bytes for each element.
    ///   - tag: The connected tag.
    /// - Returns: The status flags; a refusal is no error.
    /// - Throws: ``PhoneError`` for arguments, or where the right answer does not come; then nobody knows whether the
    ///   card has written.
    public mutating func writeWithoutEncryption(
        services: [[UInt8]], blocks: [[UInt8]], data: [[UInt8]], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> StatusFlags {
        let found = try readySystem(tag, in: &world)
        let codes = try FeliCaArguments.codes(services, upTo: FeliCaPacket.maximumServices, "serviceCodeList")
        let elements = try FeliCaArguments.blocks(blocks)
        let contents = try FeliCaArguments.data(data, forBlocks: elements.count)
        try FeliCaArguments.checkLength(length(codes, elements) + BlockData.byteCount * contents.count)
        let request = WriteWithoutEncryption.Request(
            idm: found.system.idm, services: codes, blocks: elements, data: contents)
        return try ask(
            WriteWithoutEncryption.self, request, .write, count: elements.count, of: found, in: &world
        ).status
    }

    /// Bytes of a command with these lists from its command code on, data not counted.
    private func length(_ services: [NodeCode], _ blocks: [BlockListElement]) -> Int {
        BlockAccessLayout.minimumLength - 1 + 2 * services.count + blocks.reduce(0) { $0 + $1.byteCount }
    }

    /// Sends a packet as it is; the phone adds LEN and CRC.
    ///
    /// The phone lets a packet through that carries exactly the current IDm behind its command code, system number
    /// included. One that has none there, such as a Polling, is refused in the same way; whether devices let any of
    /// those through is not known.
    ///
    /// - Parameters:
    ///   - packet: The packet from its command code on, at most 254 bytes.
    ///   - tag: The connected tag.
    /// - Returns: The answer with its LEN byte, whatever it says.
    /// - Throws: ``PhoneError`` 2 for another IDm, 4 or 105 for the length, 100, 102 or 104 where no answer comes.
    public mutating func sendFeliCaCommand(
        _ packet: [UInt8], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> [UInt8] {
        let (index, system) = try readySystem(tag, in: &world)
        guard !packet.isEmpty else {
            throw PhoneError(.invalidParameterLength, reason: "the packet is empty; it begins with a command code")
        }
        try FeliCaArguments.checkLength(packet.count)
        guard Array(packet.dropFirst().prefix(8)) == system.idm.rawValue.octets else {
            throw PhoneError(
                .securityViolation,
                reason:
                    "the packet does not carry the current IDm \(system.idm) behind its command code; switch systems by "
                    + "polling(systemCode:requestCode:timeSlot:), take the IDm from currentIDm, and leave LEN away")
        }
        let whole = [UInt8(packet.count + 1)] + packet
        let name = "command \(Hex.digits(packet[0], width: 2))"
        let answer = try exchange(whole, name, PhonePatience.feliCa(whole, system.pmm), of: index, in: &world)
        try checkRaw(answer, to: packet, of: system.idm)
        return answer
    }

    /// Checks what a reader checks of an answer whose meaning it does not know: LEN, response code and IDm.
    private func checkRaw(_ answer: [UInt8], to packet: [UInt8], of idm: IDm) throws(PhoneError) {
        let slice = answer[...]
        guard FeliCaPacket.isWhole(slice.span) else {
            throw .noResponse("the LEN of the answer says \(answer.first ?? 0) and there are \(answer.count) bytes")
        }
        guard answer[1] == packet[0] | 1 else {
            throw .noResponse(
                "the answer is a \(Hex.digits(answer[1], width: 2)), which is no response to command "
                    + "\(Hex.digits(packet[0], width: 2))")
        }
        guard answer.dropFirst(2).prefix(8).elementsEqual(idm.rawValue.octets) else {
            throw .noResponse("the answer carries another IDm than the packet; leave one card at the phone")
        }
    }
}
