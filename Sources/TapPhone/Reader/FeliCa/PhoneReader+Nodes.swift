import TapClient
import TapField
import TapWire

/// Commands about systems, nodes and modes.
extension PhoneReader {
    /// Asks for the key versions of nodes; FFFF stands for a node that does not exist.
    ///
    /// - Parameters:
    ///   - nodes: 1 to 32 node codes of two bytes, the low one first.
    ///   - tag: The connected tag.
    /// - Returns: A key version of two bytes for each node, the low one first.
    /// - Throws: ``PhoneError`` for arguments, or where the right answer does not come.
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

    /// Asks whether the card is there, and for its mode, 0 to 3.
    ///
    /// - Throws: ``PhoneError`` where the right answer does not come.
    public mutating func requestResponse(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> Int {
        let found = try readySystem(tag, in: &world)
        let request = RequestResponse.Request(idm: found.system.idm)
        return Int(try ask(RequestResponse.self, request, .fixed, of: found, in: &world).mode)
    }

    /// Asks for the systems of the card.
    ///
    /// - Returns: System codes of two bytes in the order of the card, the high byte first as devices deliver them.
    /// - Throws: ``PhoneError`` where the right answer does not come.
    public mutating func requestSystemCode(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> [[UInt8]] {
        let found = try readySystem(tag, in: &world)
        let request = RequestSystemCode.Request(idm: found.system.idm)
        return try ask(RequestSystemCode.self, request, .fixed, of: found, in: &world).systems.map(
            \.rawValue.bigEndianBytes)
    }

    /// Asks for the key versions of nodes with the kinds of their keys.
    ///
    /// - Parameters:
    ///   - nodes: 1 to 32 node codes of two bytes, the low one first.
    ///   - tag: The connected tag.
    /// - Throws: ``PhoneError`` for arguments, or where the right answer does not come.
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
        // Two lists are AES and DES in this order; what one list is the identifier tells.
        let isDES = [RequestServiceV2.EncryptionIdentifier.des56, .des112].contains(body.identifier)
        let hasAES = !isDES || !body.second.isEmpty
        let first = body.first.map(\.littleEndianBytes)
        let second = body.second.map(\.littleEndianBytes)
        return PhoneKeyVersions(
            status: answer.status, encryptionIdentifier: body.identifier.rawValue, aes: hasAES ? first : [],
            des: hasAES ? second : first)
    }

    /// Asks for the version of the card specification and of its options, in format 00.
    ///
    /// - Throws: ``PhoneError`` where the right answer does not come.
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

    /// Ends a session with the card and sends it back to mode 0.
    ///
    /// - Throws: ``PhoneError`` where the right answer does not come.
    public mutating func resetMode(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> StatusFlags {
        let found = try readySystem(tag, in: &world)
        return try ask(ResetMode.self, ResetMode.Request(idm: found.system.idm), .fixed, of: found, in: &world).status
    }
}
