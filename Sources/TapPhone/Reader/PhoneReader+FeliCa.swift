import TapClient
import TapField
import TapWire

extension PhoneReader {
    /// Returns the eight bytes of the IDm that answered the last Polling; empty after a failed Polling and for other tags.
    public func currentIDm(of tag: PhoneTag) -> [UInt8] {
        if let state = feliCaState(of: tag) { return state.idm?.rawValue.octets ?? [] }
        if case .feliCa(let idm, _, _) = tag.kind { return idm.rawValue.octets }
        return []
    }

    /// Returns the two bytes of the system code that was polled last, high byte first; empty for other tags.
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

    mutating func readyFeliCa(
        _ tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> (index: Int, state: FeliCaState) {
        let index = try ready(tag, in: &world)
        guard case .feliCa(let state) = tags[index].kind else {
            throw PhoneError(.unsupportedFeature, reason: "the tag is not a FeliCa card")
        }
        return (index, state)
    }

    /// Returns the connected FeliCa tag and its current system.
    ///
    /// - Throws: ``PhoneError`` 102 after a failed Polling, which leaves no IDm.
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
    /// - Throws: ``PhoneError`` 100 if the tag has left, 102 for silence and for any wrong answer.
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

    func exchange(
        _ packet: [UInt8], _ name: String, _ waiting: Duration, of index: Int, in world: inout World
    ) throws(PhoneError) -> [UInt8] {
        guard let answer = world.exchangeWithOneCard(RFFrame(.felica212, packet), waiting: waiting) else {
            throw silence(of: index, to: name, after: waiting, in: world)
        }
        guard answer.integrity == .good else { throw damage(of: index, to: name, in: world) }
        return answer.bytes
    }

    /// Returns the error for a damaged answer, which depends on whether the tag left in the middle.
    func damage(of index: Int, to command: String, in world: World) -> PhoneError {
        guard isPresent(index, in: world) else {
            return .lost(
                "the tag left the phone in the middle of its answer to \(command); call restartPolling() to find it again"
            )
        }
        return .noResponse("the answer to \(command) has a wrong CRC or parity; try again")
    }
}

extension PhoneReader {
    /// The time slot bytes that Core NFC has names for: 1, 2, 4, 8 and 16 slots.
    private static let timeSlots: Set<UInt8> = [0x00, 0x01, 0x03, 0x07, 0x0F]

    /// Polls for a system of the tag and makes it the current one.
    ///
    /// If there are several cards, only this card's answer counts. A Polling that is not permitted keeps the current system;
    /// a Polling that fails leaves no current IDm.
    ///
    /// - Parameters:
    ///   - systemCode: Two bytes, high byte first.
    ///   - requestCode: 0 for none, 1 for the system code, 2 for the communication performance.
    ///   - timeSlot: 0, 1, 3, 7 or 15.
    /// - Throws: ``PhoneError`` 2 for a code that is not declared or has FF in a byte, 3 or 4 for other arguments, 100, 102
    ///   or 104 if the tag does not answer.
    public mutating func polling(
        systemCode: [UInt8], requestCode: UInt8 = 0, timeSlot: UInt8 = 0, of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> PhonePollingResult {
        let (index, _) = try readyFeliCa(tag, in: &world)
        let code = try checkedCode(systemCode)
        guard requestCode <= 2, Self.timeSlots.contains(timeSlot) else {
            throw PhoneError(
                .invalidParameter,
                reason: "request codes are 0 to 2 and time slots 0, 1, 3, 7 and 15; the app sent \(requestCode) and "
                    + "\(timeSlot)")
        }
        let request = Polling.Request(
            systemCode: code, requestCode: Polling.RequestCode(requestCode), timeSlot: timeSlot)
        guard let answer = world.poll(request, of: tags[index].card) else {
            clearIDm(of: index)
            throw silence(of: index, to: "Polling for system \(code)", after: PhonePatience.search, in: world)
        }
        tags[index].kind = .feliCa(FeliCaState(systemCode: code, idm: answer.idm, pmm: answer.pmm))
        return PhonePollingResult(
            pmm: answer.pmm.rawValue.octets, requestData: answer.requestData.map(\.bigEndianBytes) ?? [])
    }

    private mutating func clearIDm(of index: Int) {
        guard case .feliCa(var state) = tags[index].kind else { return }
        state.idm = nil
        tags[index].kind = .feliCa(state)
    }

    private func checkedCode(_ bytes: [UInt8]) throws(PhoneError) -> SystemCode {
        guard bytes.count == 2 else {
            throw PhoneError(
                .invalidParameterLength,
                reason: "a system code has two bytes, high byte first; the app sent \(bytes.count)")
        }
        let code = SystemCode(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard !code.hasWildcard else {
            throw PhoneError(
                .securityViolation, reason: "system code \(code) has FF in a byte, which a phone does not poll for")
        }
        guard declaredCodes.contains(code) else {
            throw PhoneError(
                .securityViolation,
                reason: declarations.isGiven
                    ? "system code \(code) is not listed under com.apple.developer.nfc.readersession.felica.systemcodes"
                    : "no card present has system \(code), and without an Info.plist the systems of the cards present "
                        + "count as declared")
        }
        return code
    }
}

extension PhoneReader {
    /// Reads blocks of services that need no authentication.
    ///
    /// A refusal is reported in the status flags, not as an error.
    ///
    /// - Parameters:
    ///   - services: 1 to 16 service codes of two bytes, the low one first.
    ///   - blocks: Block list elements of two or three bytes.
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
                "the card answered \(CountText.of(answer.blocks.count, "block")) where \(elements.count) were requested, "
                    + "which breaks the protocol")
        }
        return PhoneBlocks(status: answer.status, blocks: answer.blocks.map(\.bytes))
    }

    /// Writes blocks of services that need no authentication.
    ///
    /// A refusal is reported in the status flags, not as an error.
    ///
    /// - Parameters:
    ///   - services: 1 to 16 service codes of two bytes, the low one first.
    ///   - blocks: Block list elements of two or three bytes.
    ///   - data: Sixteen bytes for each element.
    /// - Throws: ``PhoneError`` for invalid arguments, or if the right answer does not come; the card may have written in
    ///   that case.
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

    /// Returns the number of bytes of a command with these lists, from its command code on, without data.
    private func length(_ services: [NodeCode], _ blocks: [BlockListElement]) -> Int {
        BlockAccessLayout.minimumLength - 1 + 2 * services.count + blocks.reduce(0) { $0 + $1.byteCount }
    }

    /// Sends a raw packet; the phone adds LEN and CRC.
    ///
    /// The packet must contain exactly the current IDm after its command code, including the system number. Packets without
    /// an IDm, such as a Polling, are rejected too; it is not known whether devices let any of them through.
    ///
    /// - Parameter packet: The packet from its command code on, at most 254 bytes.
    /// - Returns: The answer with its LEN byte, whatever its content.
    /// - Throws: ``PhoneError`` 2 for another IDm, 4 or 105 for the length, 100, 102 or 104 if no answer comes.
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
                    "the packet does not contain the current IDm \(system.idm) after its command code; switch systems with "
                    + "polling(systemCode:requestCode:timeSlot:), take the IDm from currentIDm, and omit LEN")
        }
        let whole = [UInt8(packet.count + 1)] + packet
        let name = "command \(Hex.digits(packet[0], width: 2))"
        let answer = try exchange(whole, name, PhonePatience.feliCa(whole, system.pmm), of: index, in: &world)
        try checkRaw(answer, to: packet, of: system.idm)
        return answer
    }

    /// Checks LEN, response code and IDm of an answer whose meaning is unknown.
    private func checkRaw(_ answer: [UInt8], to packet: [UInt8], of idm: IDm) throws(PhoneError) {
        let slice = answer[...]
        guard FeliCaPacket.isWhole(slice.span) else {
            throw .noResponse("the answer's LEN is \(answer.first ?? 0), but it has \(answer.count) bytes")
        }
        guard answer[1] == packet[0] | 1 else {
            throw .noResponse(
                "the answer is a \(Hex.digits(answer[1], width: 2)), which is not a response to command "
                    + "\(Hex.digits(packet[0], width: 2))")
        }
        guard answer.dropFirst(2).prefix(8).elementsEqual(idm.rawValue.octets) else {
            throw .noResponse("the answer contains a different IDm from the packet; leave only one card at the phone")
        }
    }
}

extension PhoneReader {
    /// Requests the key versions of nodes, two bytes each, low byte first; FFFF stands for a node that does not exist.
    ///
    /// - Parameter nodes: 1 to 32 node codes of two bytes, the low one first.
    public mutating func requestService(
        _ nodes: [[UInt8]], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> [[UInt8]] {
        let found = try readySystem(tag, in: &world)
        let codes = try FeliCaArguments.codes(nodes, upTo: FeliCaPacket.maximumNodes, "nodeCodeList")
        let request = RequestService.Request(idm: found.system.idm, nodes: codes)
        let answer = try ask(
            RequestService.self, request, .requestService, count: codes.count, of: found, in: &world)
        guard answer.values.count == codes.count else {
            throw .noResponse(
                "the card answered \(answer.values.count) key versions for \(codes.count) nodes, which breaks the protocol"
            )
        }
        return answer.values.map(\.littleEndianBytes)
    }

    /// Checks that the card is present, and returns its mode, 0 to 3.
    public mutating func requestResponse(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> Int {
        let found = try readySystem(tag, in: &world)
        let request = RequestResponse.Request(idm: found.system.idm)
        return Int(try ask(RequestResponse.self, request, .fixed, of: found, in: &world).mode)
    }

    /// Requests the card's system codes, in its order, two bytes each with the high byte first, as devices deliver them.
    public mutating func requestSystemCode(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> [[UInt8]] {
        let found = try readySystem(tag, in: &world)
        let request = RequestSystemCode.Request(idm: found.system.idm)
        return try ask(RequestSystemCode.self, request, .fixed, of: found, in: &world).systems.map(
            \.rawValue.bigEndianBytes)
    }

    /// Requests the key versions of nodes and the types of their keys.
    ///
    /// - Parameter nodes: 1 to 32 node codes of two bytes, the low one first.
    public mutating func requestServiceV2(
        _ nodes: [[UInt8]], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> PhoneKeyVersions {
        let found = try readySystem(tag, in: &world)
        let codes = try FeliCaArguments.codes(nodes, upTo: FeliCaPacket.maximumNodes, "nodeCodeList")
        let request = RequestServiceV2.Request(idm: found.system.idm, nodes: codes)
        let answer = try ask(
            RequestServiceV2.self, request, .requestService, count: codes.count, of: found, in: &world)
        guard answer.status.isSuccess, let body = answer.body else {
            return PhoneKeyVersions(status: answer.status, encryptionIdentifier: nil, aes: [], des: [])
        }
        // Two lists are AES and DES, in this order; for a single list the identifier says which it is.
        let isDES = [RequestServiceV2.EncryptionIdentifier.des56, .des112].contains(body.identifier)
        let hasAES = !isDES || !body.second.isEmpty
        let first = body.first.map(\.littleEndianBytes)
        let second = body.second.map(\.littleEndianBytes)
        return PhoneKeyVersions(
            status: answer.status, encryptionIdentifier: body.identifier.rawValue, aes: hasAES ? first : [],
            des: hasAES ? second : first)
    }

    /// Requests the versions of the card's specification and of its options, in format 00.
    public mutating func requestSpecificationVersion(
        of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> PhoneSpecificationVersion {
        let found = try readySystem(tag, in: &world)
        let request = RequestSpecificationVersion.Request(idm: found.system.idm)
        let answer = try ask(RequestSpecificationVersion.self, request, .fixed, of: found, in: &world)
        guard answer.status.isSuccess, let body = answer.body else {
            return PhoneSpecificationVersion(status: answer.status, basic: [], options: [])
        }
        guard body.format == 0 else {
            throw .noResponse(
                "the card answered in format \(Hex.digits(body.format, width: 2)); phones read format 00")
        }
        return PhoneSpecificationVersion(
            status: answer.status, basic: body.basic.rawValue.littleEndianBytes,
            options: body.options.flatMap(\.rawValue.littleEndianBytes))
    }

    /// Ends a session with the card, which returns it to mode 0.
    public mutating func resetMode(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> StatusFlags {
        let found = try readySystem(tag, in: &world)
        return try ask(ResetMode.self, ResetMode.Request(idm: found.system.idm), .fixed, of: found, in: &world).status
    }
}

/// Core NFC's checks of the arguments of FeliCa commands.
///
/// A wrong number of entries is error 5, a wrong length of an entry is error 4, and a contradictory entry is error 3. Source:
/// Core NFC, NFCFeliCaTag and NFCReaderError.
enum FeliCaArguments {
    /// The maximum length from the command code on; LEN counts itself as one byte.
    static let maximumLength = FeliCaPacket.maximumLength - 1

    /// Parses service or node codes, low byte first.
    static func codes(_ list: [[UInt8]], upTo maximum: Int, _ name: String) throws(PhoneError) -> [NodeCode] {
        guard 1...maximum ~= list.count else {
            throw PhoneError(
                .parameterOutOfBound, reason: "\(name) has \(list.count) entries; a command accepts 1 to \(maximum)")
        }
        var codes: [NodeCode] = []
        for (index, entry) in list.enumerated() {
            guard entry.count == 2 else {
                throw PhoneError(
                    .invalidParameterLength,
                    reason:
                        "entry \(index) of \(name) has \(CountText.of(entry.count, "byte")); a code has two, "
                        + "low byte first")
            }
            codes.append(NodeCode(UInt16(entry[0]) | UInt16(entry[1]) << 8))
        }
        return codes
    }

    static func blocks(_ list: [[UInt8]]) throws(PhoneError) -> [BlockListElement] {
        guard !list.isEmpty else {
            throw PhoneError(.parameterOutOfBound, reason: "blockList is empty; a command needs at least one block")
        }
        var elements: [BlockListElement] = []
        for (index, entry) in list.enumerated() {
            guard 2...3 ~= entry.count else {
                throw PhoneError(
                    .invalidParameterLength,
                    reason:
                        "entry \(index) of blockList has \(CountText.of(entry.count, "byte")); an element has two or "
                        + "three")
            }
            let slice = entry[...]
            guard let element = BlockListElement(slice.span, at: 0), element.byteCount == entry.count else {
                throw PhoneError(
                    .invalidParameter,
                    reason:
                        "entry \(index) of blockList is \(Hex.text(entry)); the top bit of its first byte is set for "
                        + "two bytes and clear for three")
            }
            elements.append(element)
        }
        return elements
    }

    static func data(_ list: [[UInt8]], forBlocks count: Int) throws(PhoneError) -> [BlockData] {
        guard list.count == count else {
            throw PhoneError(
                .invalidParameter,
                reason: "blockData has \(list.count) entries and blockList has \(count); every block needs one")
        }
        for (index, entry) in list.enumerated() where entry.count != BlockData.byteCount {
            throw PhoneError(
                .invalidParameterLength,
                reason: "entry \(index) of blockData has \(CountText.of(entry.count, "byte")); a block has 16")
        }
        return list.map { BlockData($0) }
    }

    /// Checks the length of a packet, from its command code on.
    static func checkLength(_ count: Int) throws(PhoneError) {
        guard count <= maximumLength else {
            throw PhoneError(
                .packetTooLong,
                reason: "the packet has \(count) bytes after LEN; a FeliCa packet has at most \(maximumLength); send "
                    + "fewer blocks at once")
        }
    }
}

public struct PhonePollingResult: Hashable, Sendable {
    public let pmm: [UInt8]
    /// The two requested bytes, a system code high byte first; empty if none were requested or returned.
    public let requestData: [UInt8]
}

/// The answer to a read.
///
/// A refusal is in the status flags.
public struct PhoneBlocks: Hashable, Sendable {
    public let status: StatusFlags
    /// Blocks of sixteen bytes in the order of the list; empty unless status flag 1 is 0.
    public let blocks: [[UInt8]]
}

/// The answer to Request Service v2.
///
/// A refusal is in the status flags.
public struct PhoneKeyVersions: Hashable, Sendable {
    public let status: StatusFlags
    /// The encryption identifier; `nil` after a refusal.
    public let encryptionIdentifier: UInt8?
    /// AES key versions of two bytes, the low one first; empty on a card without AES keys.
    public let aes: [[UInt8]]
    /// DES key versions of two bytes, the low one first; empty on a card without DES keys.
    public let des: [[UInt8]]
}

/// The answer to Request Specification Version.
///
/// A refusal is in the status flags.
public struct PhoneSpecificationVersion: Hashable, Sendable {
    public let status: StatusFlags
    /// Two bytes, the low one first; empty after a refusal.
    public let basic: [UInt8]
    /// The versions of the options, two bytes each, the low one first; empty after a refusal.
    public let options: [UInt8]
}

extension UInt16 {
}
